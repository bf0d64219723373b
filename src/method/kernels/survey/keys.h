// What a survey's observations and documents are called in the store.
#pragma once

#include <optional>
#include <string>

namespace ampere {

inline constexpr const char* kFusionKind = "fusion";      // neighbours together and apart
inline constexpr const char* kOverheadKind = "overhead";  // an inference of nothing
inline constexpr const char* kFusionDocument = "fusion";
inline constexpr const char* kCompositionDocument = "composition";
inline constexpr const char* kIndexDocument = "predictors";
inline constexpr const char* kTableDocument = "table ";  // and the hash of its text

std::string kernel_kind(const std::string& type);  // "kernel conv+bn"
std::optional<std::string> type_of_kind(const std::string& kind);

}  // namespace ampere
