// Traces and operations alone as JSON, for the runner protocol, the worker protocol and
// recordings. Reading throws Error(usage) that names the field.
#pragma once

#include "ampere/rig.h"
#include "base/json.h"

namespace ampere {

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

}  // namespace ampere
