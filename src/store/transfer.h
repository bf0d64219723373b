// The document that carries a profile from one store to another.
#pragma once

#include <cstdint>

namespace ampere {

constexpr const char* kTransferFormat = "ampere-profile";
constexpr std::int64_t kTransferVersion = 2;
constexpr std::int64_t kFirstWithPurpose = 2;  // of observations

}  // namespace ampere
