#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "ampere/error.h"
#include "ampere/store.h"
#include "base/text.h"

namespace ampere {
namespace {

constexpr std::array kPurposes = {Purpose::network, Purpose::variant, Purpose::test,
                                  Purpose::check,   Purpose::kernel,  Purpose::fusion,
                                  Purpose::overhead};

}  // namespace

const char* to_string(Purpose purpose) {
  switch (purpose) {
    case Purpose::network:
      return "network";
    case Purpose::variant:
      return "variant";
    case Purpose::test:
      return "test";
    case Purpose::check:
      return "check";
    case Purpose::kernel:
      return "kernel";
    case Purpose::fusion:
      return "fusion";
    case Purpose::overhead:
      return "overhead";
  }
  return "network";
}

Purpose parse_purpose(const std::string& text) {
  std::vector<std::string> names;
  for (const Purpose purpose : kPurposes) {
    if (text == to_string(purpose)) return purpose;
    names.emplace_back(to_string(purpose));
  }
  throw Error(ErrorCode::usage, fmt::format("unknown purpose '{}'{}; the known ones are {}", text,
                                            suggestion(text, names), fmt::join(names, ", ")));
}

bool has_kind(Purpose purpose) {
  return purpose == Purpose::variant || purpose == Purpose::test || purpose == Purpose::kernel;
}

bool enters_fits(Purpose purpose) { return purpose != Purpose::test && purpose != Purpose::check; }

}  // namespace ampere
