// Training on a data set as JSON, for the protocol and for files. Reading throws Error(usage) that
// names the field.
#pragma once

#include "ampere/train.h"
#include "base/json.h"

namespace ampere {

Json data_info_json(const DataInfo& data);
DataInfo read_data_info(const JsonField& json);

Json training_state_json(const TrainingState& state);
TrainingState read_training_state(const JsonField& json);

Json training_task_json(const TrainingTask& task);
TrainingTask read_training_task(const JsonField& json);

Json training_progress_json(const TrainingProgress& progress);
TrainingProgress read_training_progress(const JsonField& json);

Json training_result_json(const TrainingResult& result);
TrainingResult read_training_result(const JsonField& json);

}  // namespace ampere
