// The one exception ampere throws. What one plans for (a failed measurement, a missing meter in a
// probe) is a value instead.
#pragma once

#include <stdexcept>
#include <string>

namespace ampere {

enum class ErrorCode {
  failed,       // something broke while running
  usage,        // wrong usage or unreadable input
  unknown,      // nothing known: no profile, no such device, no such model
  permission,   // the system refuses
  no_meter,     // no energy source
  interrupted,  // the user stopped it; everything measured so far is kept
};

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

// The one table from codes to exit statuses: 1, 2, 3, 4, 5, 130.
int exit_status(ErrorCode code);

// "failed", "usage", … : the code as it travels in JSON; the inverse throws Error(usage).
const char* to_string(ErrorCode code);
ErrorCode parse_error_code(const std::string& text);

}  // namespace ampere
