#include "record/operations_json.h"

#include "base/plain_text.h"
#include "base/read_number.h"
#include "model/model_json.h"
#include "program/generation_step.h"
#include "program/program_json.h"
#include "record/request_json.h"
#include "setup/setup_json.h"

namespace ampere {

TraceWay read_trace_way(const JsonField& json) {
  const std::string word = json.text();
  for (const TraceWay way : {TraceWay::fake, TraceWay::run})
    if (word == to_string(way)) return way;
  json.fail("is neither fake nor run");
}

void add_language_model_call(const std::optional<GenerationStep>& call,
                             const std::string& number_format, Json& json) {
  if (call) json["generation"] = generation_step_json(*call);
  if (!number_format.empty()) json["number_format"] = number_format;
}

void read_language_model_call(const JsonField& json, std::optional<GenerationStep>& call,
                              std::string& number_format) {
  if (json.has("generation")) call = read_generation_step(json.at("generation"));
  number_format = json.text_or("number_format", "");
}

Json trace_request_json(const TraceRequest& request, ModelWriter write_model) {
  Json json;
  if (const auto* network = std::get_if<TraceRequest::Network>(&request.step))
    json = {{"model", write_model(network->model)}, {"setup", setup_json(network->setup)}};
  else
    json = {{"script", script_json(std::get<Script>(request.step))}};
  if (request.way) json["way"] = to_string(*request.way);
  add_language_model_call(request.generation, request.number_format, json);
  return json;
}

TraceRequest read_trace_request(const JsonField& json) {
  TraceRequest request;
  if (json.has("script"))
    request.step = read_script(json.at("script"));
  else
    request.step =
        TraceRequest::Network{read_model(json.at("model")), read_setup(json.at("setup"))};
  if (json.has("way")) request.way = read_trace_way(json.at("way"));
  read_language_model_call(json, request.generation, request.number_format);
  return request;
}

Json trace_json(const Trace& trace) {
  return {{"program", program_json(trace.program)}, {"notes", trace.notes}};
}

Trace read_trace(const JsonField& json) {
  Trace trace{read_program(json.at("program")), {}};
  if (json.has("notes"))
    for (const JsonField& note : json.at("notes").items())
      trace.notes.push_back(plain_text(note.text()));
  return trace;
}

Json operations_request_json(const OperationTimesRequest& request) {
  return {{"tensors", tensors_json(request.tensors)},
          {"operations", operations_json(request.operations)}};
}

OperationTimesRequest read_operations_request(const JsonField& json) {
  const JsonField tensors = json.at("tensors"), operations = json.at("operations");
  OperationTimesRequest request;
  request.tensors = read_tensors(tensors.json(), Place(tensors));
  request.operations = read_operations(operations.json(), Place(operations), request.tensors);
  return request;
}

Json operation_request_json(const OperationRequest& request) {
  Json json{{"tensors", tensors_json(request.tensors)},
            {"operation", operations_json({&request.operation, 1}).front()}};
  if (request.rounded) json["rounded"] = true;
  return json;
}

OperationRequest read_operation_request(const JsonField& json) {
  const JsonField tensors = json.at("tensors"), operation = json.at("operation");
  OperationRequest request;
  request.tensors = read_tensors(tensors.json(), Place(tensors));
  request.operation =
      read_operations(Json::array({operation.json()}), Place(operation), request.tensors).front();
  request.rounded = json.boolean_or("rounded", false);
  return request;
}

Json operation_times_json(const OperationTimes& times) {
  Json json = Json::array();
  for (const auto& one : times.each)
    if (const auto* time = std::get_if<StepTimes>(&one))
      json.push_back({{"device_s", time->device.count()}, {"host_s", time->host.count()}});
    else
      json.push_back({{"error", std::get<std::string>(one)}});
  return json;
}

OperationTimes read_operation_times(const JsonField& json) {
  OperationTimes times;
  for (const JsonField& one : json.items())
    if (one.has("error"))
      times.each.emplace_back(plain_lines(one.at("error").text()));
    else
      times.each.emplace_back(StepTimes{Seconds(read_at_least_zero(one.at("device_s"))),
                                        Seconds(read_at_least_zero(one.at("host_s")))});
  return times;
}

}  // namespace ampere
