// The runner's side of the protocol in docs/runner-protocol.md: reads requests and writes answers
// as lines of JSON.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "ampere/error.h"
#include "ampere/rig.h"
#include "base/json.h"
#include "base/read_line.h"

namespace ampere {

inline constexpr int kRunnerProtocol = 1;

class RunnerServer {
 public:
  RunnerServer(std::istream& in, std::ostream& out, std::uint64_t longest_line = kLongestState)
      : in_(in), out_(out), longest_line_(longest_line) {}

  // Writes the hello and answers requests until "quit", until the input ends, or until the output
  // can no longer be written, or until a request is longer than `longest_line`. A bad or failed
  // request is answered with an error. Throws only Error(interrupted).
  void serve(Rig& rig);

  // Writes the hello of a runner that cannot measure, with the reason.
  void refuse(const Error& error);

 private:
  bool answer(Rig& rig, const std::string& line);
  bool next_line(std::string& line);

  std::istream& in_;
  std::ostream& out_;
  std::uint64_t longest_line_;
};

}  // namespace ampere
