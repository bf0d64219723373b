#include "record/recorded_line.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/plain_text.h"
#include "base/text.h"
#include "model/model_json.h"
#include "program/operation_key.h"
#include "record/operations_json.h"
#include "record/record_json.h"
#include "record/request_json.h"
#include "record/request_kind.h"

namespace ampere {
namespace {

template <class Asked>
bool is(const RequestKind& kind) {
  return &kind == &request_kind(Asked{});
}

bool keeps_answers(const RequestKind& kind) { return kind.ability != Ability::train; }

// Null when the request is not about a script.
const Script* script_of(const Request& request) {
  if (const auto* measure = std::get_if<ScriptRequest>(&request)) return &measure->script;
  const auto* trace = std::get_if<TraceRequest>(&request);
  return trace != nullptr ? std::get_if<Script>(&trace->step) : nullptr;
}

std::string file_name(const Script& script) {
  return std::filesystem::path(script.path).filename().string();
}

// A script, and the call of its language model where one was asked for.
struct AskedScript {
  const Script& script;
  std::optional<GenerationStep> call = {};
  std::string number_format = {};
};

// Null when the request is not about a script.
std::optional<AskedScript> asked_script(const Request& request) {
  const Script* script = script_of(request);
  if (script == nullptr) return std::nullopt;
  if (const auto* measure = std::get_if<ScriptRequest>(&request))
    return AskedScript{*script, measure->generation, measure->number_format};
  const auto& trace = std::get<TraceRequest>(request);
  return AskedScript{*script, trace.generation, trace.number_format};
}

// Equal for equal scripts and calls, wherever the file is and in whatever order the arguments were
// given.
std::string key_of(const AskedScript& asked) {
  const auto sorted = nlohmann::json::parse(script_json(asked.script).at("arguments").dump());
  std::string key = fmt::format("{}:{} {}{}", file_name(asked.script), asked.script.function,
                                sorted.dump(), asked.script.data ? " with its data" : "");
  if (asked.call)
    key += fmt::format(" ({}{}{})", to_string(*asked.call), asked.number_format.empty() ? "" : ", ",
                       asked.number_format);
  return key;
}

// The same in every request, whatever other tensors there are.
std::string key_of(const OperationRequest& request) {
  return fmt::format("{} {:016x}", request.operation.name,
                     operation_key(request.operation, request.tensors));
}

std::string detail_of(const Request& request) {
  if (const auto* pace = std::get_if<PaceRequest>(&request)) return model_hash(pace->reference);
  if (const auto* work = std::get_if<WorkRequest>(&request))
    return std::to_string(work->iterations);
  const auto* trace = std::get_if<TraceRequest>(&request);
  return trace != nullptr && trace->way ? to_string(*trace->way) : "";
}

Json script_line(const Request& request, const AskedScript& asked) {
  Json line{{"do", request_kind(request).verb}, {"script", script_json(asked.script)}};
  line["script"]["path"] = file_name(asked.script);
  add_language_model_call(asked.call, asked.number_format, line);
  return line;
}

Json network_line(const Request& request, const RecordedKey& key) {
  if (const auto* measure = std::get_if<MeasureRequest>(&request))
    return {{"model_hash", key.step},
            {"model", model_json(measure->model)},
            {"setup", setup_json(measure->setup)}};
  return {{"do", key.verb},
          {"model_hash", key.step},
          {"model", {{"name", model_of(request)->name()}}},
          {"setup", setup_json(*setup_of(request))}};
}

Json request_line(const Request& request) {
  if (std::holds_alternative<OperationTimesRequest>(request) ||
      std::holds_alternative<OperationRequest>(request))
    return request_json(request);
  const auto script = asked_script(request);
  const RecordedKey key = recorded_key(request);
  Json line = script ? script_line(request, *script) : network_line(request, key);
  if (const auto* measure = std::get_if<MeasureRequest>(&request))
    line["precision"] = precision_json(measure->precision);
  else if (const auto* measured = std::get_if<ScriptRequest>(&request))
    line["precision"] = precision_json(measured->precision);
  else if (const auto* work = std::get_if<WorkRequest>(&request))
    line["iterations"] = work->iterations;
  else if (!key.detail.empty())
    line[std::holds_alternative<PaceRequest>(request) ? "reference_hash" : "way"] = key.detail;
  return line;
}

// In every text of a document.
void remove_text(Json& json, const std::string& removed) {
  if (json.is_structured()) {
    for (Json& inside : json) remove_text(inside, removed);
  } else if (json.is_string()) {
    auto& text = json.get_ref<std::string&>();
    text = replaced(std::move(text), removed, "");
  }
}

void remove_folder(Json& outcome, const Script& script) {
  const std::string folder =
      std::filesystem::absolute(script.path).lexically_normal().parent_path().string();
  if (folder.size() > 1) remove_text(outcome, folder + "/");
}

// Reads `answer_key` with `read`, or why there is none.
template <class Answer, class Read>
std::variant<Answer, std::string> read_outcome(const JsonField& line, const char* answer_key,
                                               const Read& read) {
  if (line.has(answer_key) == line.has("failure"))
    line.fail(fmt::format("must have either \"{}\" or \"failure\"", answer_key));
  if (line.has("failure")) return line.at("failure").text();
  return read(line.at(answer_key));
}

RecordedTimes read_recorded_times(const JsonField& line, const RequestKind& kind) {
  RecordedTimes result{read_operations_request(line),
                       read_outcome<OperationTimes>(line, kind.answer_key, read_operation_times)};
  const auto* times = std::get_if<OperationTimes>(&result.answer);
  if (times != nullptr && times->each.size() != result.asked.operations.size())
    line.at(kind.answer_key)
        .fail(fmt::format("has {} for {}", counted(std::ssize(times->each), "time"),
                          counted(std::ssize(result.asked.operations), "operation")));
  return result;
}

// What the line says about its network, script or operation.
void read_step(const JsonField& line, RecordedAnswer& result) {
  if (result.ability == Ability::scripts || line.has("script")) {
    const Script script = read_script(line.at("script"));
    AskedScript asked{script};
    read_language_model_call(line, asked.call, asked.number_format);
    result.key.step = key_of(asked);
    result.name = plain_text(result.key.step);
    return;
  }
  if (result.ability == Ability::operation_energy) {
    const OperationRequest asked = read_operation_request(line);
    result.key.step = key_of(asked);
    result.name = plain_text(asked.operation.name);
    return;
  }
  result.key.step = line.at("model_hash").text();
  result.key.setup = to_string(read_setup(line.at("setup")));
  result.name = result.key.step;
  if (line.has("model")) result.name = line.at("model").text_or("name", result.name);
}

}  // namespace

bool is_recorded(const Request& request) { return keeps_answers(request_kind(request)); }

RecordedKey recorded_key(const Request& request) {
  const char* verb = request_kind(request).verb;
  if (const auto script = asked_script(request))
    return {verb, detail_of(request), key_of(*script), ""};
  if (const auto* operation = std::get_if<OperationRequest>(&request))
    return {verb, "", key_of(*operation), ""};
  return {verb, detail_of(request), model_hash(*model_of(request)), to_string(*setup_of(request))};
}

Json recorded_line(const Request& request, const Json& outcome) {
  Json line = request_line(request), kept = outcome;
  if (const Script* script = script_of(request)) remove_folder(kept, *script);
  line.update(kept);
  return line;
}

std::variant<RecordedAnswer, RecordedTimes> read_recorded_line(const JsonField& line) {
  const RequestKind& kind = find_request_kind(line, line.text_or("do", "measure"), keeps_answers);
  if (is<OperationTimesRequest>(kind)) return read_recorded_times(line, kind);
  RecordedAnswer result{{kind.verb, "", "", ""}, kind.ability, "", {}};
  if (is<PaceRequest>(kind)) result.key.detail = line.at("reference_hash").text();
  if (is<WorkRequest>(kind)) result.key.detail = std::to_string(line.at("iterations").integer());
  if (is<TraceRequest>(kind) && line.has("way"))
    result.key.detail = to_string(read_trace_way(line.at("way")));
  read_step(line, result);
  result.answer = read_outcome<RigAnswer>(line, kind.answer_key, kind.read_answer);
  return result;
}

}  // namespace ampere
