#include "rig/operation_child.h"

#include <fmt/format.h>

#include <istream>
#include <optional>
#include <ostream>
#include <utility>

#include "ampere/error.h"
#include "base/json.h"
#include "program/tensor_table.h"
#include "record/operations_json.h"
#include "rig/child.h"
#include "rig/lowered_trace.h"
#include "rig/peer.h"

namespace ampere {
namespace {

constexpr const char* kHello = "ampere_operations";
constexpr const char* kTimerRole = "the process that timed it";

class ChildTracer final : public Tracer {
 public:
  ChildTracer(OperationCommand command, Dialect dialect)
      : command_(std::move(command)), dialect_(std::move(dialect)) {}

  Trace trace(const TraceRequest& request) override {
    return lowered_trace(request, dialect_, "LibTorch", "nothing traces in LibTorch");
  }

  OperationTimes time(const OperationTimesRequest& request) override {
    OperationTimes times;
    for (const Operation& operation : request.operations) {
      if (!child_) start();
      times.each.push_back(time_one(operation, request.tensors));
    }
    return times;
  }

 private:
  using Answer = std::variant<StepTimes, std::string>;

  void start() try {
    child_.emplace(command_.argv, false, StopToken{}, kTimerRole);
    wait_for_hello(*child_, kHello, command_.start_timeout);
  } catch (const Error& error) {
    child_.reset();
    throw Error(ErrorCode::failed,
                fmt::format("no process that times operations can be started: {}", error.what()));
  }

  Answer time_one(const Operation& operation, std::span<const TensorType> tensors) try {
    TensorTable table;
    OperationTimesRequest one;
    one.operations.push_back(table.add(operation, tensors));
    one.tensors = table.types();
    child_->send(operations_request_json(one).dump(), command_.operation_timeout);
    const Json answer = Json::parse(child_->receive(command_.operation_timeout));
    if (answer.value("ends", false)) child_.reset();
    return read_operation_times(JsonField(answer, "its answer: ").at("times")).each.at(0);
  } catch (const std::exception& error) {
    child_.reset();
    return error.what();
  }

  OperationCommand command_;
  Dialect dialect_;
  std::optional<Child> child_;
};

}  // namespace

std::unique_ptr<Tracer> make_child_tracer(OperationCommand command, Dialect dialect) {
  return std::make_unique<ChildTracer>(std::move(command), std::move(dialect));
}

void serve_operations(std::istream& in, std::ostream& out, const TimeOperation& time,
                      const std::function<bool()>& is_usable) {
  out << Json{{kHello, 1}}.dump() << std::endl;
  for (std::string line; is_usable() && std::getline(in, line);) {
    OperationTimes times;
    try {
      const Json json = Json::parse(line);
      const OperationTimesRequest request = read_operations_request(JsonField(json, "request: "));
      times.each.emplace_back(time(request.operations.at(0), request.tensors));
    } catch (const std::exception& error) {
      times.each.emplace_back(error.what());
    }
    Json answer{{"times", operation_times_json(times)}};
    if (!is_usable()) answer["ends"] = true;
    out << answer.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
  }
}

}  // namespace ampere
