// Traces and operations alone as JSON, for the runner protocol, the worker protocol and
// recordings. Reading throws Error(usage) that names the field.
#pragma once

#include "ampere/rig.h"
#include "base/json.h"

namespace ampere {

// What asks for one call of the language model that a script makes: the keys `generation` and
// `number_format`. Nothing is added where a training step is asked for.
void add_language_model_call(const std::optional<GenerationStep>& call,
                             const std::string& number_format, Json& json);
void read_language_model_call(const JsonField& json, std::optional<GenerationStep>& call,
                              std::string& number_format);

// The two protocols write networks differently.
using ModelWriter = Json (*)(const Model&);
Json trace_request_json(const TraceRequest& request, ModelWriter write_model);
TraceWay read_trace_way(const JsonField& json);  // that a request can ask for
TraceRequest read_trace_request(const JsonField& json);
Json trace_json(const Trace& trace);
Trace read_trace(const JsonField& json);

Json operations_request_json(const OperationTimesRequest& request);
OperationTimesRequest read_operations_request(const JsonField& json);
Json operation_times_json(const OperationTimes& times);
OperationTimes read_operation_times(const JsonField& json);

// What is measured, without the precision.
Json operation_request_json(const OperationRequest& request);
OperationRequest read_operation_request(const JsonField& json);

}  // namespace ampere
