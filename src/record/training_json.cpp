#include "record/training_json.h"

#include <limits>

#include "ampere/error.h"
#include "base/packed.h"
#include "model/checked.h"
#include "model/model_json.h"
#include "model/op_json.h"
#include "base/read_number.h"
#include "record/record_json.h"

namespace ampere {
namespace {

Json weights_json(const Weights& weights) {
  Json json = Json::array();
  for (const auto& [name, tensor] : weights)
    json.push_back({{"name", name}, {"sizes", tensor.sizes}, {"values", pack(tensor.values)}});
  return json;
}

std::int64_t elements(const JsonField& sizes, const FloatTensor& tensor) try {
  std::int64_t count = 1;
  for (const std::int64_t size : tensor.sizes) {
    check_range("each size", size, 0, kMaxElements);
    count = product({count, size});
  }
  return count;
} catch (const Error& error) {
  sizes.fail(error.what());
}

FloatTensor read_tensor(const JsonField& json) {
  const JsonField values = json.at("values"), sizes = json.at("sizes");
  FloatTensor tensor{sizes.integers(), {}};
  if (!values.json().is_string()) values.fail("must be text");
  try {
    tensor.values = unpack_floats(values.json().get_ref<const std::string&>());
  } catch (const Error& error) {
    values.fail(error.what());
  }
  if (elements(sizes, tensor) != static_cast<std::int64_t>(tensor.values.size()))
    values.fail("are " + std::to_string(tensor.values.size()) + " numbers, and the sizes say " +
                std::to_string(elements(sizes, tensor)));
  return tensor;
}

Weights read_weights(const JsonField& json) {
  Weights weights;
  for (const JsonField& item : json.items())
    if (const std::string name = item.at("name").text();
        !weights.emplace(name, read_tensor(item)).second)
      item.at("name").fail("'" + name + "' occurs twice");
  return weights;
}

Weights weights_or_none(const JsonField& json, const char* key) {
  return json.has(key) ? read_weights(json.at(key)) : Weights{};
}

Json score_json(const std::optional<TestScore>& test) {
  return test ? Json{{"loss", test->loss}, {"accuracy", test->accuracy}} : Json(nullptr);
}

std::optional<TestScore> score_or_none(const JsonField& json, const char* key) {
  if (!json.has(key)) return std::nullopt;
  const JsonField score = json.at(key), accuracy = score.at("accuracy");
  if (accuracy.number() < 0 || accuracy.number() > 1) accuracy.fail("must be from 0 to 1");
  return TestScore{score.at("loss").number(), accuracy.number()};
}

Json epoch_json(const TrainingEpoch& epoch) {
  return {{"loss", epoch.loss},
          {"test", score_json(epoch.test)},
          {"iterations", epoch.iterations},
          {"time_s", epoch.time.count()},
          {"energy_j", epoch.energy.value},
          {"test_time_s", epoch.test_time.count()},
          {"test_energy_j", epoch.test_energy.value}};
}

TrainingEpoch read_epoch(const JsonField& json) {
  TrainingEpoch epoch;
  epoch.loss = json.at("loss").number();
  epoch.test = score_or_none(json, "test");
  epoch.iterations = read_whole(json.at("iterations"));
  epoch.time = Seconds(read_at_least_zero(json.at("time_s")));
  epoch.energy = {read_at_least_zero(json.at("energy_j"))};
  epoch.test_time = Seconds(read_at_least_zero(json.at("test_time_s")));
  epoch.test_energy = {read_at_least_zero(json.at("test_energy_j"))};
  return epoch;
}

}  // namespace

// The shape has the keys of an input in a model file.
Json data_info_json(const DataInfo& data) {
  Json sample = Json::object();
  write_op(Input{data.sample}, sample);
  sample.erase("op");
  return {{"sample", std::move(sample)},
          {"classes", data.classes},
          {"training_samples", data.training_samples},
          {"test_samples", data.test_samples}};
}

DataInfo read_data_info(const JsonField& json) {
  const JsonField sample = json.at("sample");
  Json input = sample.json();
  if (!input.is_object()) sample.fail("must be an object");
  input["op"] = op_name(Input{});
  return {std::get<Input>(read_op({input, sample.path()})).shape, read_whole(json.at("classes")),
          read_whole(json.at("training_samples")), read_whole(json.at("test_samples"))};
}

Json training_state_json(const TrainingState& state) {
  Json epochs = Json::array();
  for (const TrainingEpoch& epoch : state.epochs) epochs.push_back(epoch_json(epoch));
  return {{"weights", weights_json(state.weights)},
          {"optimizer", weights_json(state.optimizer)},
          {"epochs", std::move(epochs)}};
}

TrainingState read_training_state(const JsonField& json) {
  if (!json.json().is_object()) json.fail("must be an object");
  TrainingState state{weights_or_none(json, "weights"), weights_or_none(json, "optimizer"), {}};
  if (json.has("epochs"))
    for (const JsonField& epoch : json.at("epochs").items())
      state.epochs.push_back(read_epoch(epoch));
  return state;
}

Json training_task_json(const TrainingTask& task) {
  return {{"model", model_json(task.model)},
          {"setup", setup_json(task.setup)},
          {"data", task.data},
          {"epochs", task.epochs},
          {"learning_rate", task.learning_rate},
          {"seed", task.seed},
          {"stop_at_j", task.stop_at ? Json(task.stop_at->value) : Json(nullptr)},
          {"from", training_state_json(task.from)}};
}

TrainingTask read_training_task(const JsonField& json) {
  TrainingTask task;
  task.model = read_model(json.at("model"));
  task.setup = read_setup(json.at("setup"));
  task.data = json.at("data").text();
  task.epochs = read_count(json.at("epochs"), 0);
  task.learning_rate = json.number_or("learning_rate", task.learning_rate);
  const std::int64_t seed = json.integer_or("seed", 0);
  if (seed < 0 || seed > std::numeric_limits<unsigned>::max())
    json.at("seed").fail("must be a whole number of 32 bits");
  task.seed = static_cast<unsigned>(seed);
  if (json.has("stop_at_j")) task.stop_at = Joules{read_at_least_zero(json.at("stop_at_j"))};
  if (json.has("from")) task.from = read_training_state(json.at("from"));
  return task;
}

Json training_progress_json(const TrainingProgress& progress) {
  return {{"epoch", progress.epoch},           {"epochs", progress.epochs},
          {"share", progress.share},           {"loss", progress.loss},
          {"test", score_json(progress.test)}, {"energy_j", progress.energy.value}};
}

TrainingProgress read_training_progress(const JsonField& json) {
  TrainingProgress progress;
  progress.epoch = read_count(json.at("epoch"), 0);
  progress.epochs = read_count(json.at("epochs"), 0);
  progress.share = read_at_least_zero(json.at("share"));
  progress.loss = json.at("loss").number();
  progress.test = score_or_none(json, "test");
  progress.energy = {read_at_least_zero(json.at("energy_j"))};
  return progress;
}

Json training_result_json(const TrainingResult& result) {
  return {{"source", to_string(result.source)},
          {"test", score_json(result.test)},
          {"stopped", result.stopped.empty() ? Json(nullptr) : Json(result.stopped)},
          {"energy_j", result.energy.value},
          {"state", training_state_json(result.state)}};
}

TrainingResult read_training_result(const JsonField& json) {
  TrainingResult result;
  result.source = read_word(json.at("source"), parse_source);
  result.test = score_or_none(json, "test");
  result.stopped = json.text_or("stopped", "");
  result.energy = {read_at_least_zero(json.at("energy_j"))};
  result.state = read_training_state(json.at("state"));
  return result;
}

}  // namespace ampere
