#include "ampere/error.h"

#include <array>

namespace ampere {
namespace {

struct Row {
  ErrorCode code;
  const char* name;
  int status;
};
constexpr std::array kTable{
    Row{ErrorCode::failed, "failed", 1},     Row{ErrorCode::usage, "usage", 2},
    Row{ErrorCode::unknown, "unknown", 3},   Row{ErrorCode::permission, "permission", 4},
    Row{ErrorCode::no_meter, "no_meter", 5}, Row{ErrorCode::interrupted, "interrupted", 130},
};

const Row& row(ErrorCode code) { return kTable[static_cast<std::size_t>(code)]; }

}  // namespace

int exit_status(ErrorCode code) { return row(code).status; }

const char* to_string(ErrorCode code) { return row(code).name; }

ErrorCode parse_error_code(const std::string& text) {
  for (const Row& entry : kTable)
    if (text == entry.name) return entry.code;
  throw Error(ErrorCode::usage, "no error code is called '" + text + "'");
}

}  // namespace ampere
