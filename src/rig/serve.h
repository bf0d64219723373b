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

class RunnerServer {
 public:
  RunnerServer(std::istream& in, std::ostream& out) : in_(in), out_(out) {}

  // Says hello and answers requests until "quit", the end of the input or of the reader of the
  // output. A bad request, or one that fails, is answered with an error; only Error(interrupted)
  // and our own mistakes are thrown.
  void serve(Rig& rig);

  // The hello of a runner that cannot measure, with the reason.
  void refuse(const Error& error);

 private:
  bool answer(Rig& rig, const std::string& line);

  std::istream& in_;
  std::ostream& out_;
};

}  // namespace ampere
