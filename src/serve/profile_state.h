// What a list of profiles shows of each.
#pragma once

#include <vector>

#include "serve/kept_session.h"

namespace ampere {

// Those that people choose from: of the store, then those that came with the program. Profiles of a
// single pass, which others rest on, are not among them.
std::vector<ProfileRow> listed_profiles(const Session& session);

// As `ampere profiles --json` has it, with age, drift and error.
Json known_profile_json(KeptSession& session, const ProfileRow& row);

}  // namespace ampere
