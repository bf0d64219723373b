#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ampere/error.h"
#include "ampere/session.h"
#include "method/registry.h"

namespace ampere {
namespace {

bool names(const ProfileRow& row, const std::string& text) {
  return std::to_string(row.id) == text || row.device.fingerprint == text ||
         row.device.name.find(text) != std::string::npos;
}

std::string listing(const std::vector<ProfileRow>& rows) {
  if (rows.empty()) return "the store is empty";
  std::string text = "the store has";
  for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 5); ++i)
    text += fmt::format("{} profile {} ({}, {})", i == 0 ? "" : ",", rows[i].id,
                        rows[i].device.name, to_string(rows[i].setup));
  return text;
}

bool fits(const ProfileRow& row, const ProfileQuery& query) {
  Setup setup = query.setup;
  if (query.any_batch) setup.batch = row.setup.batch;
  const bool same = query.setup.phase == Phase::inference
                        ? row.setup.phase == Phase::inference && row.setup.batch == setup.batch
                        : row.setup == setup;
  return same && (query.profile.empty() || names(row, query.profile)) &&
         (query.rig.empty() || row.rig == query.rig);
}

ChosenProfile latest_of(const std::vector<ProfileRow>& fitting) {
  ChosenProfile chosen{fitting.front(), {}};
  if (fitting.size() > 1)
    chosen.warnings.push_back(fmt::format(
        "{} profiles fit; this is the latest, {} on {}; name a profile or a rig to choose another",
        fitting.size(), chosen.row.id, chosen.row.device.name));
  return chosen;
}

std::string details(const ProfileQuery& query) {
  return fmt::format("{}{}", query.profile.empty() ? "" : ", profile " + query.profile,
                     query.rig.empty() ? "" : ", rig " + query.rig);
}

// One of training may have been meant.
[[noreturn]] void throw_no_inference(const std::vector<ProfileRow>& all,
                                     const ProfileQuery& query) {
  for (const ProfileRow& row : all)
    if (!query.profile.empty() && names(row, query.profile) &&
        row.setup.phase != Phase::inference)
      throw Error(
          ErrorCode::unknown,
          fmt::format("profile {} is of training ({}), which says nothing of inference: measure "
                      "kernels on {} first",
                      row.id, to_string(row.setup), row.device.name),
          Remedy::survey);
  throw Error(ErrorCode::unknown,
              fmt::format("no profile of inference{}{}: {}; measure kernels first",
                          query.any_batch ? "" : fmt::format(" at batch {}", query.setup.batch),
                          details(query), listing(all)),
              Remedy::survey);
}

[[noreturn]] void throw_no_training(const std::vector<ProfileRow>& all, const ProfileQuery& query) {
  throw Error(ErrorCode::unknown,
              fmt::format("no profile for {}{}: {}; profile a network with this setup first",
                          to_string(query.setup), details(query), listing(all)),
              Remedy::profile);
}

}  // namespace

ChosenProfile Session::choose(const ProfileQuery& query) const {
  const std::vector<ProfileRow> all = store_->profiles();
  std::vector<ProfileRow> fitting, ready;
  std::ranges::copy_if(all, std::back_inserter(fitting),
                       [&](const ProfileRow& row) { return fits(row, query); });
  const bool inference = query.setup.phase == Phase::inference;
  if (fitting.empty())
    inference ? throw_no_inference(all, query) : throw_no_training(all, query);
  if (!inference) return latest_of(fitting);
  std::ranges::copy_if(fitting, std::back_inserter(ready), [&](const ProfileRow& row) {
    return !ampere::methods_of(*store_, row).empty();
  });
  return latest_of(ready.empty() ? fitting : ready);
}

std::vector<ChosenProfile> Session::choose_batches(const ProfileQuery& query) const {
  const std::vector<ProfileRow> all = store_->profiles();
  ProfileQuery at_any = query, asked = query;
  at_any.any_batch = true;
  asked.any_batch = false;
  const auto fitting = [](const ProfileQuery& wanted) {
    return [&wanted](const ProfileRow& row) { return fits(row, wanted); };
  };
  if (query.any_batch && std::ranges::none_of(all, fitting(asked)))
    if (const auto latest = std::ranges::find_if(all, fitting(at_any)); latest != all.end())
      asked.setup.batch = latest->setup.batch;
  std::vector<ChosenProfile> chosen{choose(asked)};
  at_any.profile = chosen.front().row.device.fingerprint;
  for (const ProfileRow& row : all)
    if (fits(row, at_any) && std::ranges::none_of(chosen, [&](const ChosenProfile& known) {
          return known.row.setup.batch == row.setup.batch;
        }))
      chosen.push_back({row, {}});
  return chosen;
}

ProfileRow Session::find_profile(const std::string& id) const {
  const std::vector<ProfileRow> all = store_->profiles();
  const auto found = std::ranges::find_if(
      all, [&](const ProfileRow& row) { return std::to_string(row.id) == id; });
  if (found == all.end())
    throw Error(ErrorCode::unknown, fmt::format("no profile '{}': {}", id, listing(all)));
  return *found;
}

ProfileRow Session::find_any_profile(const std::string& text) const {
  const std::vector<ProfileRow> all = store_->profiles();
  const auto found = std::ranges::find_if(all, [&](const ProfileRow& row) {
    return text.empty() ? row.setup.phase == Phase::iteration : names(row, text);
  });
  if (found == all.end())
    throw Error(ErrorCode::unknown,
                fmt::format("no profile{}: {}; profile a network first",
                            text.empty() ? "" : " '" + text + "'", listing(all)),
                Remedy::profile);
  return *found;
}

std::optional<std::int64_t> Session::profile_of(const DeviceInfo& device,
                                                const Setup& setup) const {
  for (const ProfileRow& row : store_->profiles())
    if (row.device.fingerprint == device.fingerprint && row.setup == setup) return row.id;
  return std::nullopt;
}

std::vector<std::string> Session::methods_of(const ProfileRow& profile) const {
  std::vector<std::string> names;
  for (const Method* method : ampere::methods_of(*store_, profile)) names.push_back(method->name());
  return names;
}

}  // namespace ampere
