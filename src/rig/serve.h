// The runner's side of the protocol in docs/runner-protocol.md: requests come in as lines of JSON,
// answers go out the same way.
#pragma once

#include <iosfwd>
#include <string>

#include "ampere/error.h"
#include "ampere/rig.h"
#include "base/json.h"

namespace ampere {

inline constexpr int kRunnerProtocol = 1;

// Said by a runner that measures one phase of an iteration alone when `setup.phase` asks for it.
inline constexpr const char* kPhasesAbility = "phases";
// Knows the phase "inference".
inline constexpr const char* kInferenceAbility = "inference";
// Times steps, and knows the phase "block".
inline constexpr const char* kTimingAbility = "timing";
// Measures the device at rest after load.
inline constexpr const char* kIdleAbility = "idle";
inline constexpr const char* kPaceAbility = "pace";
// Trains on data sets.
inline constexpr const char* kTrainAbility = "train";

class RunnerServer {
 public:
  RunnerServer(std::istream& in, std::ostream& out) : in_(in), out_(out) {}

  // Says hello and answers requests until "quit", the end of the input or of the reader of the
  // output. A bad request, or one that fails, is answered with an error; only Error(interrupted)
  // and our own mistakes are thrown.
  void serve(Rig& rig);

  // The hello of a runner that cannot measure, with the reason.
  void refuse(const Error& error);

  // A window of the measurement that is being answered; ignored at other times.
  void report(const Window& window);

 private:
  bool answer(Rig& rig, const std::string& line);
  Json train(Rig& rig, const JsonField& request);
  void pass_on(const char* key, Json value);
  void hello(const Rig& rig);

  std::istream& in_;
  std::ostream& out_;
  std::string current_;  // the id of the request, as JSON; empty between requests
};

}  // namespace ampere
