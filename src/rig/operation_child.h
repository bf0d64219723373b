// Operations that are timed by a process of their own, because one with arguments that do not fit
// together can bring its process down.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ampere/rig.h"

namespace ampere {

struct OperationCommand {
  std::vector<std::string> argv;  // of a program that calls serve_operations()
  Seconds start_timeout{120};     // loading a GPU's driver can take its time
  Seconds operation_timeout{10};
};

// Started on first use. One that dies or does not answer costs the operation it was timing, and is
// started again for the next. Programs of networks are derived by rules in this dialect. Throws
// Error(failed) when the process cannot be started.
std::unique_ptr<Tracer> make_child_tracer(OperationCommand command, Dialect dialect);

// The other side: answers one operation after the other until the input ends, or until the process
// is no longer usable. Errors that are thrown for an operation are its answer.
using TimeOperation = std::function<StepTimes(const Operation&, std::span<const TensorType>)>;
void serve_operations(std::istream& in, std::ostream& out, const TimeOperation& time,
                      const std::function<bool()>& is_usable);

}  // namespace ampere
