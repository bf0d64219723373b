#include "rig/runner_rig.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <variant>

#include "ampere/error.h"
#include "record/record_json.h"
#include "record/request_json.h"
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

struct Hello {
  DeviceInfo device;
  Abilities abilities;
};

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
  Hello result{read_device(hello.at("device")), {}};
  if (hello.has("abilities")) result.abilities = read_abilities(hello.at("abilities"));
  result.abilities.insert(Ability::measure);  // every runner can, announced or not
  return result;
} catch (const Error& error) {
  if (error.code() != ErrorCode::usage) throw;
  throw Error(ErrorCode::failed, error.what());
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

Seconds expected_time(const Request& request) {
  const auto* measure = std::get_if<MeasureRequest>(&request);
  return measure != nullptr ? measure->precision.time_limit : Seconds{0};
}

std::uint64_t longest_line(const Request& request) {
  return std::holds_alternative<TrainRequest>(request) ? kLongestState : kLongestLine;
}

class RunnerRig final : public Rig {
 public:
  explicit RunnerRig(RunnerCommand command) : command_(std::move(command)) { device_ = start(); }

  const DeviceInfo& device() const override { return device_; }

  Abilities abilities() const override { return abilities_; }

 private:
  RigAnswer answer(const Request& request, const RunListener& listener) override {
    if (child_ == nullptr || child_->has_ended()) restart();
    require_abilities(request);  // it may have come back with others
    auto answer = exchange(request, listener);
    if (const Error* error = std::get_if<Error>(&answer)) throw Error(*error);
    return std::get<RigAnswer>(std::move(answer));
  }

  DeviceInfo start() try {
    child_ = std::make_unique<Child>(command_.argv, command_.verbose, command_.stop);
    auto hello = read_hello(wait_for_hello(*child_, command_.hello_timeout));
    if (const Error* error = std::get_if<Error>(&hello)) throw Error(*error);
    abilities_ = std::get<Hello>(hello).abilities;
    return std::get<Hello>(std::move(hello)).device;
  } catch (const Error& error) {
    child_.reset();
    throw Error(error.code(),
                fmt::format("runner '{}': {}", fmt::join(command_.argv, " "), error.what()));
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

  // An answer, be it an error, keeps the runner; everything else leaves it in an unknown state.
  std::variant<RigAnswer, Error> exchange(const Request& request, const RunListener& listener) try {
    const int id = ++last_id_;
    Json json = request_json(request);
    json["id"] = id;
    child_->send(json.dump(), kSendTimeout);
    return receive(request, listener, id);
  } catch (...) {
    child_.reset();
    throw;
  }

  // Every line starts the wait anew.
  std::variant<RigAnswer, Error> receive(const Request& request, const RunListener& listener,
                                         int id) try {
    const Seconds timeout = expected_time(request) + command_.margin;
    for (;;) {
      const Json json = parse_answer(child_->receive(timeout, longest_line(request)), id);
      const JsonField line(json, "the runner's answer: ");
      if (hear(listener, line)) continue;
      if (line.has("error")) return read_error(line.at("error"));
      return read_answer(request, line);
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::usage) throw;
    throw Error(ErrorCode::failed, error.what());
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
