#include "record/request_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/or_null.h"
#include "base/plain_text.h"
#include "base/read_number.h"
#include "model/model_json.h"
#include "record/operations_json.h"
#include "record/record_json.h"
#include "record/request_kind.h"
#include "record/training_json.h"

namespace ampere {
namespace {

constexpr std::array<std::pair<Ability, const char*>, 11> kAbilityNames{{
    {Ability::measure, "measure"},
    {Ability::phases, "phases"},
    {Ability::inference, "inference"},
    {Ability::time, "timing"},
    {Ability::pace, "pace"},
    {Ability::idle, "idle"},
    {Ability::train, "train"},
    {Ability::work, "work"},
    {Ability::scripts, "scripts"},
    {Ability::operations, "operations"},
    {Ability::operation_energy, "operation_energy"},
}};

Json script_measurement_json(const ScriptMeasurement& measured) {
  return {{"measurement", measurement_json(measured.measurement)},
          {"script", script_info_json(measured.script)}};
}

ScriptMeasurement read_script_measurement(const JsonField& json) {
  return {read_measurement(json.at("measurement")), read_script_info(json.at("script"))};
}

Json operation_measurement_json(const OperationMeasurement& measured) {
  return measurement_json(measured.measurement);
}

OperationMeasurement read_operation_measurement(const JsonField& json) {
  return {read_measurement(json)};
}

Json work_json(const WorkDone& work) {
  return {{"iterations", work.iterations},
          {"energy_j", work.energy.value},
          {"time_s", work.time.count()},
          {"source", to_string(work.source)}};
}

std::int64_t read_iterations(const JsonField& json, std::int64_t least) {
  const std::int64_t iterations = json.integer();
  if (iterations < least) json.fail(fmt::format("must be at least {}", least));
  return iterations;
}

WorkDone read_work(const JsonField& json) {
  return {read_iterations(json.at("iterations"), 0),
          {read_at_least_zero(json.at("energy_j"))},
          Seconds(read_at_least_zero(json.at("time_s"))),
          read_word(json.at("source"), parse_source)};
}

template <class Asked>
Json write(const Asked& request, const char* verb) {
  if constexpr (requires { request.step; }) {
    Json json = trace_request_json(request, model_json);
    json["do"] = verb;
    return json;
  } else if constexpr (requires { request.operations; }) {
    Json json = operations_request_json(request);
    json["do"] = verb;
    return json;
  } else if constexpr (requires { request.task; }) {
    Json json = training_task_json(request.task);
    json["do"] = verb;
    return json;
  } else {
    Json json{{"do", verb}};
    if constexpr (requires { request.operation; }) json.update(operation_request_json(request));
    if constexpr (requires { request.data; }) json["data"] = request.data;
    if constexpr (requires { request.script; }) {
      json["script"] = script_json(request.script);
      add_language_model_call(request.generation, request.number_format, json);
    }
    if constexpr (requires { request.model; }) {
      json["model"] = model_json(request.model);
      json["setup"] = setup_json(request.setup);
    }
    if constexpr (requires { request.precision; })
      json["precision"] = precision_json(request.precision);
    if constexpr (requires { request.reference; })
      json["reference"] = model_json(request.reference);
    if constexpr (requires { request.stop_at; }) {
      json["iterations"] = request.iterations;
      if (request.stop_at) json["stop_at_j"] = request.stop_at->value;
    }
    return json;
  }
}

template <class Asked>
Request read(const JsonField& json) {
  Asked request;
  if constexpr (requires { request.step; }) request = read_trace_request(json);
  if constexpr (requires { request.operations; }) request = read_operations_request(json);
  if constexpr (requires { request.operation; }) request = read_operation_request(json);
  if constexpr (requires { request.task; }) request.task = read_training_task(json);
  if constexpr (requires { request.data; }) request.data = json.at("data").text();
  if constexpr (requires { request.script; }) {
    request.script = read_script(json.at("script"));
    read_language_model_call(json, request.generation, request.number_format);
  }
  if constexpr (requires { request.model; }) {
    request.model = read_model(json.at("model"));
    request.setup = read_setup(json.at("setup"));
  }
  if constexpr (requires { request.precision; })
    if (json.has("precision")) request.precision = read_precision(json.at("precision"));
  if constexpr (requires { request.reference; })
    request.reference = read_model(json.at("reference"));
  if constexpr (requires { request.stop_at; }) {
    request.iterations = read_iterations(json.at("iterations"), 1);
    if (json.has("stop_at_j")) request.stop_at = Joules{read_at_least_zero(json.at("stop_at_j"))};
  }
  return request;
}

template <class Asked, Json (*write_answer)(const typename Asked::Result&),
          typename Asked::Result (*read_answer)(const JsonField&)>
constexpr RequestKind kind(const char* verb, const char* answer_key) {
  return {verb,
          answer_key,
          Asked::kAbility,
          read<Asked>,
          [](const RigAnswer& answer) {
            return write_answer(std::get<typename Asked::Result>(answer));
          },
          [](const JsonField& json) -> RigAnswer { return read_answer(json); }};
}

// In the order of the alternatives of Request and RigAnswer.
constexpr std::array<RequestKind, std::variant_size_v<Request>> kKinds{
    kind<MeasureRequest, measurement_json, read_measurement>("measure", "measurement"),
    kind<TimeRequest, timing_json, read_timing>("time", "timing"),
    kind<PaceRequest, pace_json, read_pace>("pace", "pace"),
    kind<IdleRequest, window_json, read_window>("idle", "idle"),
    kind<DataRequest, data_info_json, read_data_info>("data", "data"),
    kind<TrainRequest, training_result_json, read_training_result>("train", "trained"),
    kind<WorkRequest, work_json, read_work>("work", "worked"),
    kind<ScriptRequest, script_measurement_json, read_script_measurement>("script", "measured"),
    kind<TraceRequest, trace_json, read_trace>("trace", "trace"),
    kind<OperationTimesRequest, operation_times_json, read_operation_times>("time_operations",
                                                                            "times"),
    kind<OperationRequest, operation_measurement_json, read_operation_measurement>(
        "measure_operation", "measurement")};

}  // namespace

const RequestKind& request_kind(const Request& request) { return kKinds.at(request.index()); }

const RequestKind& find_request_kind(const JsonField& json, const std::string& verb,
                                     const std::function<bool(const RequestKind&)>& allowed) {
  std::vector<std::string> verbs;
  for (const RequestKind& kind : kKinds) {
    if (!allowed(kind)) continue;
    if (verb == kind.verb) return kind;
    verbs.emplace_back(kind.verb);
  }
  json.at("do").fail(fmt::format("'{}' is none of {}", verb, fmt::join(verbs, ", ")));
}

Script read_script(const JsonField& json) {
  Script script{json.at("path").text(), json.at("function").text(), "{}",
                json.boolean_or("data", false)};
  if (json.has("arguments")) {
    if (!json.at("arguments").json().is_object()) json.at("arguments").fail("must be an object");
    script.arguments = json.at("arguments").json().dump();
  }
  return script;
}

Json abilities_json(const Abilities& abilities) {
  Json json = Json::array();
  for (const auto& [ability, name] : kAbilityNames)
    if (abilities.contains(ability)) json.push_back(name);
  return json;
}

Abilities read_abilities(const JsonField& json) {
  Abilities abilities;
  for (const JsonField& item : json.items())
    for (const auto& [ability, name] : kAbilityNames)
      if (item.json() == name) abilities.insert(ability);
  return abilities;
}

Json setup_range_json(const SetupRange& range) {
  return {
      {"precision", range.precisions}, {"optimizer", range.optimizers}, {"options", range.options}};
}

SetupRange read_setup_range(const JsonField& json) {
  const auto words_of = [&](const char* key) {
    std::vector<std::string> words;
    if (json.has(key))
      for (const JsonField& word : json.at(key).items()) words.push_back(plain_text(word.text()));
    return words;
  };
  return {words_of("precision"), words_of("optimizer"), words_of("options")};
}

Json script_json(const Script& script) {
  return {{"path", script.path},
          {"function", script.function},
          {"arguments", parse_json(script.arguments, "the arguments of " + script.path)},
          {"data", script.data}};
}

Json script_info_json(const ScriptInfo& info) {
  return {{"name", info.name},
          {"batch", or_null(info.batch)},
          {"parameters", or_null(info.parameters)},
          {"data", info.has_data},
          {"notes", info.notes}};
}

ScriptInfo read_script_info(const JsonField& json) {
  ScriptInfo info;
  info.name = plain_text(json.text_or("name", "script"));
  if (json.has("batch")) info.batch = json.at("batch").integer();
  if (json.has("parameters")) info.parameters = json.at("parameters").integer();
  info.has_data = json.boolean_or("data", false);
  if (json.has("notes"))
    for (const JsonField& note : json.at("notes").items())
      info.notes.push_back(plain_text(note.text()));
  return info;
}

Json request_json(const Request& request) {
  return std::visit([&](const auto& each) { return write(each, request_kind(request).verb); },
                    request);
}

Request read_request(const JsonField& json) {
  const auto any = [](const RequestKind&) { return true; };
  return find_request_kind(json, json.at("do").text(), any).read(json);
}

Json answer_json(const RigAnswer& answer) {
  const RequestKind& kind = kKinds.at(answer.index());
  return {{kind.answer_key, kind.write_answer(answer)}};
}

RigAnswer read_answer(const Request& request, const JsonField& json) {
  const RequestKind& kind = request_kind(request);
  return kind.read_answer(json.at(kind.answer_key));
}

RunListener sending_listener(const std::function<void(const Json&)>& send) {
  RunListener listener;
  listener.window = [send](const Window& window) { send({{"window", window_json(window)}}); };
  listener.training.progress = [send](const TrainingProgress& progress) {
    send({{"progress", training_progress_json(progress)}});
  };
  listener.training.epoch = [send](const TrainingState& state) {
    send({{"checkpoint", training_state_json(state)}});
  };
  listener.work = [send](const WorkDone& work) { send({{"working", work_json(work)}}); };
  return listener;
}

bool hear(const RunListener& listener, const JsonField& line) {
  if (line.has("window")) {
    if (listener.window) listener.window(read_window(line.at("window")));
  } else if (line.has("progress")) {
    const TrainingProgress progress = read_training_progress(line.at("progress"));
    if (listener.training.progress) listener.training.progress(progress);
  } else if (line.has("checkpoint")) {
    if (listener.training.epoch)
      listener.training.epoch(read_training_state(line.at("checkpoint")));
  } else if (line.has("working")) {
    const WorkDone work = read_work(line.at("working"));
    if (listener.work) listener.work(work);
  } else {
    return false;
  }
  return true;
}

}  // namespace ampere
