#include <fmt/format.h>

#include "ampere/decide.h"

namespace ampere {

const char* to_string(Wish wish) { return wish == Wish::energy ? "energy" : "time"; }

Wish parse_wish(const std::string& text) {
  if (text == "energy") return Wish::energy;
  if (text == "time") return Wish::time;
  throw Error(ErrorCode::usage, fmt::format("'{}' is neither energy nor time", text));
}

const char* to_string(Standing standing) {
  switch (standing) {
    case Standing::none:
      return "no limit";
    case Standing::inside:
      return "inside";
    case Standing::uncertain:
      return "uncertain";
    case Standing::outside:
      return "outside";
    case Standing::unknown:
      return "unknown";
  }
  return "";
}

const char* to_string(Basis basis) { return basis == Basis::estimated ? "estimated" : "assumed"; }

}  // namespace ampere
