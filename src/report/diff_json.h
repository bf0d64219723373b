// What a change of a network costs, as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ampere/session.h"
#include "base/json.h"

namespace ampere {

// A quantity of a diff that may have a limit.
enum class DiffQuantity { energy, time, memory, parameters };
const char* to_string(DiffQuantity quantity);
DiffQuantity parse_diff_quantity(const std::string& text);  // throws Error(usage)

// After over before, less 1. Absent where one of both is not known, or before is 0.
std::optional<double> relative_change(const Diff& diff, DiffQuantity quantity);

// How much more a change may cost: "+5%", "5%", "time=+10%", "memory=0%". The energy when nothing
// else is named.
struct DiffLimit {
  DiffQuantity quantity = DiffQuantity::energy;
  double share = 0;
  std::string text;  // as it was written
};
DiffLimit parse_diff_limit(const std::string& text);  // throws Error(usage) naming the text

// A limit beside what the diff says of its quantity.
struct JudgedLimit {
  DiffLimit limit;
  double change = 0;
  bool exceeded = false;  // by the mean
  bool certain = true;    // the whole interval is on the same side of the limit
};
// Throws Error(unknown) naming the quantity when the diff does not know it.
std::vector<JudgedLimit> judge_limits(const Diff& diff, const std::vector<DiffLimit>& limits);

struct DiffReport {
  std::string before, after;  // as the user named them
  Diff diff;
  std::vector<JudgedLimit> limits;
  std::optional<DiffCheck> checked = {};
};
Json diff_json(const DiffReport& report);

}  // namespace ampere
