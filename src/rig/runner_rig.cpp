#include "rig/runner_rig.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <variant>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/plain_text.h"
#include "record/record_json.h"
#include "record/request_json.h"
#include "rig/child.h"
#include "rig/peer.h"
#include "rig/serve.h"

namespace ampere {
namespace {

constexpr Seconds kSendTimeout{60};

struct Hello {
  DeviceInfo device;
  Abilities abilities;
  SetupRange setups;
};

std::variant<Hello, Error> read_hello(const std::string& line) try {
  const Json json = parse_json(line, "hello");
  const JsonField hello(json, "hello: ");
  const std::int64_t version = hello.at("ampere_runner").integer();
  if (version != kRunnerProtocol)
    throw Error(ErrorCode::failed,
                fmt::format("it uses version {} of the runner protocol, and this program uses "
                            "version {}; install the same version of ampere on both sides",
                            version, kRunnerProtocol));
  if (hello.has("error")) return read_peer_error(hello.at("error"));
  Hello result{read_device(hello.at("device")), {}, {}};
  if (hello.has("setups")) result.setups = read_setup_range(hello.at("setups"));
  if (hello.has("abilities")) result.abilities = read_abilities(hello.at("abilities"));
  result.abilities.insert(Ability::measure);  // every runner can, announced or not
  return result;
} catch (const Error& error) {
  if (error.code() != ErrorCode::usage) throw;
  throw Error(ErrorCode::failed, error.what());
}

Seconds expected_time(const Request& request) {
  return std::visit(
      [](const auto& each) {
        if constexpr (requires { each.precision; })
          return each.precision.time_limit + each.precision.calm_within;
        else
          return Seconds{0};
      },
      request);
}

std::uint64_t longest_line(const Request& request) {
  return std::holds_alternative<TrainRequest>(request) ? kLongestState : kLongestLine;
}

class RunnerRig final : public Rig {
 public:
  explicit RunnerRig(RunnerCommand command) : command_(std::move(command)) { device_ = start(); }

  const DeviceInfo& device() const override { return device_; }

  Abilities abilities() const override { return abilities_; }
  SetupRange setups() const override { return setups_; }

 private:
  RigAnswer answer(const Request& request, const RunListener& listener) override {
    if (child_ == nullptr || child_->has_ended()) restart();
    require_abilities(request);  // a restarted runner may have fewer
    auto answer = exchange(request, listener);
    if (const Error* error = std::get_if<Error>(&answer)) throw Error(*error);
    return std::get<RigAnswer>(std::move(answer));
  }

  DeviceInfo start() try {
    child_ = std::make_unique<Child>(command_.argv, command_.verbose, command_.stop);
    auto hello = read_hello(wait_for_hello(*child_, "ampere_runner", command_.hello_timeout));
    if (const Error* error = std::get_if<Error>(&hello)) throw Error(*error);
    abilities_ = std::get<Hello>(hello).abilities;
    setups_ = std::get<Hello>(hello).setups;
    return std::get<Hello>(std::move(hello)).device;
  } catch (const Error& error) {
    child_.reset();
    throw error.saying(fmt::format("runner '{}': {}", fmt::join(command_.argv, " "), error.what()));
  }

  // Any code but failed tells the caller that the device is gone for good.
  void restart() {
    DeviceInfo again;
    try {
      again = start();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::failed) throw;
      throw Error(ErrorCode::unknown,
                  fmt::format("the runner ended and did not start again: {}", error.what()));
    }
    if (again.fingerprint == device_.fingerprint) return;
    child_.reset();
    throw Error(ErrorCode::unknown,
                fmt::format("the restarted runner is on another device: {} ({}) instead of {} "
                            "({}); open a new rig to measure on that one",
                            again.name, again.fingerprint, device_.name, device_.fingerprint));
  }

  // After an answer, even an error, the runner is kept. After anything else its state is unknown.
  std::variant<RigAnswer, Error> exchange(const Request& request, const RunListener& listener) try {
    const int id = ++last_id_;
    Json json = request_json(request);
    json["id"] = id;
    child_->send(json_text(json), kSendTimeout);
    return receive(request, listener, id);
  } catch (...) {
    child_.reset();
    throw;
  }

  // The timeout starts again with every line.
  std::variant<RigAnswer, Error> receive(const Request& request, const RunListener& listener,
                                         int id) try {
    const Seconds timeout = expected_time(request) + command_.margin;
    for (;;) {
      const Json json =
          parse_peer_answer(child_->receive(timeout, longest_line(request)), id, "the runner");
      const JsonField line(json, "the runner's answer: ");
      if (hear(listener, line)) continue;
      if (line.has("error")) return read_peer_error(line.at("error"));
      return read_answer(request, line);
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::usage) throw;
    throw Error(ErrorCode::failed, error.what());
  }

  RunnerCommand command_;
  DeviceInfo device_;
  Abilities abilities_;
  SetupRange setups_;
  std::unique_ptr<Child> child_;  // null after it ended
  int last_id_ = 0;
};

}  // namespace

std::unique_ptr<Rig> open_runner_rig(RunnerCommand command) {
  return std::make_unique<RunnerRig>(std::move(command));
}

}  // namespace ampere
