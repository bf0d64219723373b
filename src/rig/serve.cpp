#include "rig/serve.h"

#include <fmt/format.h>

#include <istream>
#include <ostream>

#include "model/model_json.h"
#include "record/record_json.h"
#include "record/training_json.h"

namespace ampere {
namespace {

// Foreign texts (a driver's message) need not be UTF-8: replace what is not, rather than fail.
void write_line(std::ostream& out, const Json& json) {
  out << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
}

Json error_json(ErrorCode code, const std::string& message) {
  return {{"code", to_string(code)}, {"message", message}};
}

// Null when the line has none, or nothing that can be sent back as one.
Json id_of(const Json& request) {
  if (!request.is_object() || !request.contains("id")) return nullptr;
  const Json& id = request["id"];
  return id.is_number_integer() || id.is_string() ? id : Json(nullptr);
}

// What is sent back beside the id: one key, and what was asked for.
Json fulfil(Rig& rig, const std::string& verb, const JsonField& request) {
  if (verb != "measure" && verb != "time" && verb != "pace" && verb != "idle")
    request.at("do").fail(fmt::format(
        "'{}' is not something this runner does: measure, time, pace, idle, data, train, quit",
        verb));
  const Model model = read_model(request.at("model"));
  const Setup setup = read_setup(request.at("setup"));
  if (verb == "time") return {{"timing", timing_json(rig.time(model, setup))}};
  if (verb == "pace")
    return {{"pace", pace_json(rig.pace(model, read_model(request.at("reference")), setup))}};
  if (verb == "idle") return {{"idle", window_json(rig.idle_after(model, setup))}};
  const Precision precision =
      request.has("precision") ? read_precision(request.at("precision")) : Precision{};
  return {{"measurement", measurement_json(rig.measure(model, setup, precision))}};
}

}  // namespace

void RunnerServer::refuse(const Error& error) {
  write_line(out_, {{"ampere_runner", kRunnerProtocol},
                    {"error", error_json(error.code(), error.what())}});
}

void RunnerServer::report(const Window& window) {
  if (!current_.empty()) pass_on("window", window_json(window));
}

void RunnerServer::pass_on(const char* key, Json value) {
  write_line(out_, {{"id", Json::parse(current_)}, {key, std::move(value)}});
}

// Nobody listens any more when a line cannot be written: hours of training would be for nothing.
Json RunnerServer::train(Rig& rig, const JsonField& request) {
  const auto send = [this](const char* key, Json value) {
    pass_on(key, std::move(value));
    if (!out_) throw Error(ErrorCode::failed, "whoever asked for the training is gone");
  };
  TrainingListener listener;
  listener.progress = [&](const TrainingProgress& progress) {
    send("progress", training_progress_json(progress));
  };
  listener.epoch = [&](const TrainingState& state) {
    send("checkpoint", training_state_json(state));
  };
  return training_result_json(rig.train(read_training_task(request), listener));
}

bool RunnerServer::answer(Rig& rig, const std::string& line) {
  Json id;
  try {
    const Json json = parse_json(line, "request");
    id = id_of(json);
    const JsonField request(json, "request: ");
    const std::string verb = request.at("do").text();
    if (verb == "quit") return false;
    current_ = id.dump();
    Json reply{{"id", id}};
    if (verb == "train")
      reply["trained"] = train(rig, request);
    else if (verb == "data")
      reply["data"] = data_info_json(rig.describe_data(request.at("data").text()));
    else
      reply.update(fulfil(rig, verb, request));
    write_line(out_, reply);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) throw;
    write_line(out_, {{"id", id}, {"error", error_json(error.code(), error.what())}});
  } catch (const std::exception& error) {
    write_line(out_, {{"id", id}, {"error", error_json(ErrorCode::failed, error.what())}});
  }
  current_.clear();
  return true;
}

void RunnerServer::hello(const Rig& rig) {
  Json abilities = Json::array({"measure", kPhasesAbility, kInferenceAbility});
  if (rig.can_time()) abilities.push_back(kTimingAbility);
  if (rig.can_pace()) abilities.push_back(kPaceAbility);
  if (rig.can_idle()) abilities.push_back(kIdleAbility);
  if (rig.can_train()) abilities.push_back(kTrainAbility);
  write_line(out_, {{"ampere_runner", kRunnerProtocol},
                    {"device", device_json(rig.device())},
                    {"abilities", std::move(abilities)}});
}

void RunnerServer::serve(Rig& rig) {
  hello(rig);
  std::string line;
  while (out_ && std::getline(in_, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (!answer(rig, line)) return;
  }
}

}  // namespace ampere
