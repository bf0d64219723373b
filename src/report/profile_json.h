// A row of the list of profiles as JSON.
#pragma once

#include <string>
#include <vector>

#include "ampere/store.h"
#include "base/json.h"

namespace ampere {

// `methods` are those it can answer by.
Json profile_json(const ProfileRow& row, const std::vector<std::string>& methods);

}  // namespace ampere
