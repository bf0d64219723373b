// A row of the list of profiles as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ampere/session.h"
#include "base/json.h"

namespace ampere {

// `methods` are those it can answer by, and `general` what a general one rests on.
Json profile_json(const ProfileRow& row, const std::vector<std::string>& methods,
                  const std::optional<GeneralCounts>& general = std::nullopt);

}  // namespace ampere
