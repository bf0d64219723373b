// The document that carries a profile from one store to another.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ampere {

constexpr const char* kTransferFormat = "ampere-profile";
constexpr std::int64_t kTransferVersion = 2;
constexpr std::int64_t kFirstWithPurpose = 2;  // of observations

// Marks the rig of an imported profile, so that nobody takes another machine's `cpu` for this
// one's.
constexpr std::string_view kImported = "imported:";
inline std::string without_mark(const std::string& rig) {
  return rig.starts_with(kImported) ? rig.substr(kImported.size()) : rig;
}

}  // namespace ampere
