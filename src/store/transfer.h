// The document that carries a profile from one store to another.
#pragma once

#include <cstdint>

namespace ampere {

constexpr const char* kTransferFormat = "ampere-profile";
constexpr std::int64_t kTransferVersion = 1;

}  // namespace ampere
