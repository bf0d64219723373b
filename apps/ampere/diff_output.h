// What `ampere diff` prints: for people, and for a pull request.
#pragma once

#include "report/diff_json.h"

namespace ampere {

enum class DiffRows { parts, operations };

void print_diff(const DiffReport& report, DiffRows rows, bool all);
// GitHub's Markdown: one table of what changed as a whole, one of the parts.
std::string diff_markdown(const DiffReport& report, DiffRows rows, bool all);

}  // namespace ampere
