// What a survey's documents are called in the store.
#pragma once

namespace ampere {

inline constexpr const char* kFusionDocument = "fusion";
inline constexpr const char* kCompositionDocument = "composition";
inline constexpr const char* kIndexDocument = "predictors";
inline constexpr const char* kTableDocument = "table ";  // and the hash of its text

}  // namespace ampere
