#include "rig/runner_rig.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>

#include "ampere/error.h"
#include "model/model_json.h"
#include "record/record_json.h"
#include "record/training_json.h"
#include "rig/child.h"
#include "rig/serve.h"

namespace ampere {
namespace {

constexpr Seconds kSendTimeout{60};
constexpr int kGreetingLines = 100;
constexpr std::uint64_t kLongestState = std::uint64_t{4} << 30;  // of a network's weights

bool is_hello(const std::string& line) {
  if (!line.starts_with('{')) return false;
  const Json json = Json::parse(line, nullptr, false);
  return json.is_object() && json.contains("ampere_runner");
}

// Login banners come before the hello and are passed over; they may explain why none came.
std::string wait_for_hello(Child& child, Seconds timeout) {
  for (int lines = 0; lines < kGreetingLines; ++lines) {
    const std::string line = child.receive(timeout);
    if (is_hello(line)) return line;
    child.remember(line);
  }
  throw Error(ErrorCode::failed,
              fmt::format("no hello in {} lines{}", kGreetingLines, child.last_words()));
}

// A runner that was interrupted is no reason for us to stop: this network failed.
Error read_error(const JsonField& json) {
  const ErrorCode code = parse_error_code(json.at("code").text());
  return {code == ErrorCode::interrupted ? ErrorCode::failed : code, json.at("message").text()};
}

struct Abilities {
  bool phases = false, inference = false, timing = false, pace = false, idle = false, train = false;
};

struct Hello {
  DeviceInfo device;
  Abilities abilities;
};

bool names_ability(const JsonField& hello, const char* ability) {
  if (!hello.has("abilities")) return false;
  const std::vector<JsonField> abilities = hello.at("abilities").items();
  return std::ranges::any_of(abilities,
                             [&](const JsonField& item) { return item.json() == ability; });
}

std::variant<Hello, Error> read_hello(const std::string& line) try {
  const Json json = parse_json(line, "hello");
  const JsonField hello(json, "hello: ");
  const std::int64_t version = hello.at("ampere_runner").integer();
  if (version != kRunnerProtocol)
    throw Error(ErrorCode::failed,
                fmt::format("it speaks version {} of the runner protocol and this program version "
                            "{}; install the same version of ampere on both sides",
                            version, kRunnerProtocol));
  if (hello.has("error")) return read_error(hello.at("error"));
  return Hello{read_device(hello.at("device")),
               {.phases = names_ability(hello, kPhasesAbility),
                .inference = names_ability(hello, kInferenceAbility),
                .timing = names_ability(hello, kTimingAbility),
                .pace = names_ability(hello, kPaceAbility),
                .idle = names_ability(hello, kIdleAbility),
                .train = names_ability(hello, kTrainAbility)}};
} catch (const Error& error) {
  if (error.code() != ErrorCode::usage) throw;
  throw Error(ErrorCode::failed, error.what());
}

Json request_json(const char* verb, const Model& model, const Setup& setup) {
  return {{"do", verb}, {"model", model_json(model)}, {"setup", setup_json(setup)}};
}

Json parse_answer(const std::string& line, int id) {
  Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded())
    throw Error(
        ErrorCode::failed,
        fmt::format("the runner answered with something that is not JSON: {}", printable(line)));
  if (!json.is_object() || !json.contains("id") || json.at("id") != id)
    throw Error(
        ErrorCode::failed,
        fmt::format("the runner answered something that was not asked: {}", printable(line)));
  return json;
}

// The lines that are sent for a request.
struct Lines {
  // Takes those on the way to the answer; false for the answer.
  std::function<bool(const JsonField&)> on_the_way = [](const JsonField& line) {
    return line.has("window");
  };
  std::uint64_t longest = kLongestLine;
};

// Under `key` of the first line that is not on the way there. Every line starts the wait anew.
template <class Value>
std::variant<Value, Error> receive_answer(Child& child, int id, Seconds timeout, const char* key,
                                          Value (*read)(const JsonField&), const Lines& lines) try {
  for (;;) {
    const Json json = parse_answer(child.receive(timeout, lines.longest), id);
    const JsonField answer(json, "the runner's answer: ");
    if (lines.on_the_way(answer)) continue;
    if (answer.has("error")) return read_error(answer.at("error"));
    return read(answer.at(key));
  }
} catch (const Error& error) {
  if (error.code() != ErrorCode::usage) throw;
  throw Error(ErrorCode::failed, error.what());
}

class RunnerRig final : public Rig {
 public:
  explicit RunnerRig(RunnerCommand command) : command_(std::move(command)) { device_ = start(); }

  const DeviceInfo& device() const override { return device_; }

  Measurement measure(const Model& model, const Setup& setup, const Precision& precision) override {
    revive();
    check_phase(setup);
    Json request = request_json("measure", model, setup);
    request["precision"] = precision_json(precision);
    return ask(std::move(request), precision.time_limit, "measurement", read_measurement);
  }

  bool can_time() const override { return abilities_.timing; }

  Timing time(const Model& model, const Setup& setup) override {
    revive();
    if (!abilities_.timing) return Rig::time(model, setup);
    check_phase(setup);
    return ask(request_json("time", model, setup), Seconds{0}, "timing", read_timing);
  }

  bool can_pace() const override { return abilities_.pace; }

  Pace pace(const Model& model, const Model& reference, const Setup& setup) override {
    revive();
    if (!abilities_.pace) return Rig::pace(model, reference, setup);
    check_phase(setup);
    Json request = request_json("pace", model, setup);
    request["reference"] = model_json(reference);
    return ask(std::move(request), Seconds{0}, "pace", read_pace);
  }

  bool can_idle() const override { return abilities_.idle; }

  Window idle_after(const Model& load, const Setup& setup) override {
    revive();
    if (!abilities_.idle) return Rig::idle_after(load, setup);
    check_phase(setup);
    return ask(request_json("idle", load, setup), Seconds{0}, "idle", read_window);
  }

  bool can_train() const override { return abilities_.train; }

  DataInfo describe_data(const std::string& data) override {
    revive();
    if (!abilities_.train) return Rig::describe_data(data);
    return ask({{"do", "data"}, {"data", data}}, Seconds{0}, "data", read_data_info);
  }

  TrainingResult train(const TrainingTask& task, const TrainingListener& listener) override {
    revive();
    if (!abilities_.train) return Rig::train(task, listener);
    check_phase(task.setup);
    Json request = training_task_json(task);
    request["do"] = "train";
    const Lines lines{[&](const JsonField& line) { return tell(listener, line); }, kLongestState};
    return ask(std::move(request), Seconds{0}, "trained", read_training_result, lines);
  }

 private:
  static bool tell(const TrainingListener& listener, const JsonField& line) {
    if (line.has("progress")) {
      const TrainingProgress progress = read_training_progress(line.at("progress"));
      if (listener.progress) listener.progress(progress);
      return true;
    }
    if (!line.has("checkpoint")) return false;
    if (listener.epoch) listener.epoch(read_training_state(line.at("checkpoint")));
    return true;
  }

  DeviceInfo start() try {
    child_ = std::make_unique<Child>(command_.argv, command_.verbose);
    auto hello = read_hello(wait_for_hello(*child_, command_.hello_timeout));
    if (const Error* error = std::get_if<Error>(&hello)) throw Error(*error);
    abilities_ = std::get<Hello>(hello).abilities;
    return std::get<Hello>(std::move(hello)).device;
  } catch (const Error& error) {
    child_.reset();
    throw Error(error.code(),
                fmt::format("runner '{}': {}", fmt::join(command_.argv, " "), error.what()));
  }

  void revive() {
    if (child_ == nullptr || child_->has_ended()) restart();
  }

  // A runner that does not know phases would pass over the key, and answer with whole iterations.
  void check_phase(const Setup& setup) const {
    if (knows(setup.phase)) return;
    throw Error(ErrorCode::usage,
                fmt::format("the runner of {} cannot run the {} phase alone; update it",
                            device_.name, to_string(setup.phase)));
  }

  bool knows(Phase phase) const {
    switch (phase) {
      case Phase::iteration:
        return true;
      case Phase::block:
        return abilities_.timing;
      case Phase::inference:
        return abilities_.inference;
      default:
        return abilities_.phases;
    }
  }

  // Other codes than failed tell the caller that the device is gone for good.
  void restart() {
    DeviceInfo again;
    try {
      again = start();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::failed) throw;
      throw Error(ErrorCode::unknown,
                  fmt::format("it ended and did not start again: {}", error.what()));
    }
    if (again.fingerprint == device_.fingerprint) return;
    child_.reset();
    throw Error(ErrorCode::unknown,
                fmt::format("the runner came back as another device: {} ({}) instead of {} ({}); "
                            "start again to measure that one",
                            again.name, again.fingerprint, device_.name, device_.fingerprint));
  }

  template <class Value>
  Value ask(Json request, Seconds expected, const char* key, Value (*read)(const JsonField&),
            const Lines& lines = {}) {
    auto answer = exchange(std::move(request), expected + command_.margin, key, read, lines);
    if (const Error* error = std::get_if<Error>(&answer)) throw Error(*error);
    return std::get<Value>(std::move(answer));
  }

  // An answer, be it an error, keeps the runner; everything else leaves it in an unknown state.
  template <class Value>
  std::variant<Value, Error> exchange(Json request, Seconds timeout, const char* key,
                                      Value (*read)(const JsonField&), const Lines& lines) try {
    const int id = ++last_id_;
    request["id"] = id;
    child_->send(request.dump(), kSendTimeout);
    return receive_answer(*child_, id, timeout, key, read, lines);
  } catch (...) {
    child_.reset();
    throw;
  }

  RunnerCommand command_;
  DeviceInfo device_;
  Abilities abilities_;
  std::unique_ptr<Child> child_;  // null after it died
  int last_id_ = 0;
};

}  // namespace

std::unique_ptr<Rig> open_runner_rig(RunnerCommand command) {
  return std::make_unique<RunnerRig>(std::move(command));
}

}  // namespace ampere
