// The ways to estimate, by name. This is the only file that knows them all.
#pragma once

#include <string>
#include <vector>

#include "method/method.h"

namespace ampere {

// Those that serve training (Phase::iteration) or inference, the best first, baselines last. They
// live as long as the program.
std::vector<const Method*> methods_for(Phase phase);

// Throws Error(usage) with the nearest name.
const Method& find_method(const std::string& name, Phase phase);

// The methods that the profile can answer by, the best first; baselines are not among them.
std::vector<const Method*> methods_of(const Store& store, const ProfileRow& profile);

}  // namespace ampere
