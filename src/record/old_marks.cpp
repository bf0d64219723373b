#include "record/old_marks.h"

#include <optional>

namespace ampere {
namespace {

std::optional<std::string> after(const std::string& prefix, const std::string& text) {
  if (!text.starts_with(prefix) || text.size() == prefix.size()) return std::nullopt;
  return text.substr(prefix.size());
}

}  // namespace

OldKind read_old_kind(const std::string& kind) {
  if (kind.empty()) return {Purpose::network, ""};
  if (kind == "not learnt from") return {Purpose::check, ""};
  if (kind == "fusion") return {Purpose::fusion, ""};
  if (kind == "overhead") return {Purpose::overhead, ""};
  if (const auto tested = after("test of ", kind)) return {Purpose::test, *tested};
  if (const auto type = after("kernel ", kind)) return {Purpose::kernel, *type};
  return {Purpose::variant, kind};
}

bool take_old_round_widths(std::vector<std::string>& notes) {
  return std::erase(notes, kOldRoundWidthsNote) > 0;
}

}  // namespace ampere
