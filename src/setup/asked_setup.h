// Setups and lengths of a training as people write them into files and requests: what is left out
// has a default. All functions throw Error(usage) that names the field.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "ampere/train.h"
#include "base/json.h"

namespace ampere {

inline constexpr std::int64_t kMostIterations = 1'000'000'000'000;
inline constexpr std::int64_t kLargestBatch = 1 << 20;

// From 1 on.
std::int64_t read_whole_up_to(const JsonField& json, std::int64_t most);

std::span<const std::string> setup_keys();  // that read_asked_setup() looks at
Setup read_asked_setup(const JsonField& json, const Setup& otherwise = {});

// From `iterations`, or from `epochs` and `samples`; nothing where none of them is there.
std::optional<std::int64_t> read_asked_iterations(const JsonField& json, std::int64_t batch);

}  // namespace ampere
