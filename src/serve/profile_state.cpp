#include "serve/profile_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>

#include "ampere/error.h"
#include "base/utc.h"
#include "fleet/drift.h"
#include "report/estimate_json.h"
#include "report/profile_json.h"
#include "setup/general_setup.h"

namespace ampere {
namespace {

Json age_json(const std::string& updated_at) {
  const auto moment = parse_utc(updated_at);
  if (!moment) return nullptr;
  const auto age =
      std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now() - *moment);
  return std::max<std::int64_t>(age.count(), 0);
}

// By the networks that were measured to check the profile; none of them is in its fits.
Json drift_json(const Session& session, const ProfileRow& row) {
  if (!row.shipped.empty() || is_general(row.setup) || row.tests == 0) return nullptr;
  EnergyDrift drift;
  add_checks(drift, session, row);
  const std::optional<double> energy = drift.energy();
  if (!energy) return nullptr;
  return {{"ratio", 1 + *energy}, {"checks", drift.checks}};
}

Json error_json(const std::optional<CrossValidation>& check) {
  if (!check) return nullptr;
  return {
      {"energy", check->energy_mape}, {"time", check->time_mape}, {"networks", check->networks}};
}

Json lasting_json(const Session& session, const ProfileRow& row) {
  Json json = profile_json(row, session.methods_of(row), session.general_counts(row));
  json["shipped"] = !row.shipped.empty();
  json["source"] = to_string(row.device.source);
  json["drift"] = drift_json(session, row);
  json["error"] = error_json(session.cross_validation(row));
  return json;
}

}  // namespace

std::vector<ProfileRow> listed_profiles(const Session& session) {
  std::vector<ProfileRow> rows = session.store().profiles();
  std::erase_if(rows, [](const ProfileRow& row) {
    return row.setup.phase != Phase::iteration && row.setup.phase != Phase::inference;
  });
  std::ranges::copy(session.shipped_profiles(), std::back_inserter(rows));
  return rows;
}

Json known_profile_json(KeptSession& session, const ProfileRow& row) {
  Json json = session.remembered("profile " + profile_name(row),
                                 [&] { return lasting_json(session.session(), row); });
  json["age_s"] = age_json(row.updated_at);
  return json;
}

}  // namespace ampere
