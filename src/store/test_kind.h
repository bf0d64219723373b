// How a profile marks what was measured for testing a kind's fit, among what was measured for it.
#pragma once

#include <string>

namespace ampere {

// Begins the kind of an observation that nothing is fitted to. No key of a kind begins so.
inline constexpr const char* kTestMark = "test of ";

inline std::string test_kind(const std::string& key) { return kTestMark + key; }
inline bool is_test_kind(const std::string& kind) { return kind.starts_with(kTestMark); }

}  // namespace ampere
