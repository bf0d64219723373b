#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "ampere/error.h"
#include "ampere/rig.h"
#include "ampere/session.h"
#include "base/text.h"
#include "method/operations/operations_method.h"
#include "method/registry.h"
#include "session/profile_text.h"
#include "session/shipped_store.h"
#include "setup/general_setup.h"

namespace ampere {
namespace {

bool names_device(const ProfileRow& row, const std::string& device) {
  return contains_ignoring_case(row.device.name, device) ||
         (!row.shipped.empty() && equal_ignoring_case(row.shipped, device));
}

bool names(const ProfileRow& row, const std::string& text) {
  return std::to_string(row.id) == text || row.device.fingerprint == text ||
         row.device.name.find(text) != std::string::npos ||
         (!row.shipped.empty() && row.shipped == text);
}

std::string listing(const std::vector<ProfileRow>& rows) {
  if (rows.empty()) return "the store is empty";
  std::string text = "the store has";
  for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 5); ++i)
    text += fmt::format("{} profile {} ({}, {})", i == 0 ? "" : ",", rows[i].id,
                        rows[i].device.name, to_string(rows[i].setup));
  return text;
}

// Of the devices behind a rig's spec: a profile that was taken with the very spec, or else of the
// device that the spec opens now, so that `cpu` finds what was profiled as `local`.
class RigFilter {
 public:
  RigFilter(const ProfileQuery& query, const std::vector<ProfileRow>& all) : spec_(query.rig) {
    if (spec_.empty() || std::ranges::find(all, spec_, &ProfileRow::rig) != all.end()) return;
    try {
      fingerprint_ = open_rig(spec_, query.rig_options)->device().fingerprint;
    } catch (const Error& error) {
      throw error.saying(
          fmt::format("no profile was taken with the rig {}, and which device it is "
                      "cannot be seen: {}",
                      spec_, error.what()));
    }
  }

  bool operator()(const ProfileRow& row) const {
    return fingerprint_.empty() ? spec_.empty() || row.rig == spec_
                                : row.device.fingerprint == fingerprint_;
  }

 private:
  std::string spec_, fingerprint_;
};

bool fits(const ProfileRow& row, const ProfileQuery& query) {
  Setup setup = query.setup;
  if (query.any_batch) setup.batch = row.setup.batch;
  const bool same = query.setup.phase == Phase::inference
                        ? row.setup.phase == Phase::inference && row.setup.batch == setup.batch
                        : is_general(row.setup) || row.setup == setup;
  return same && (query.profile.empty() || names(row, query.profile));
}

// Of the device, where one is named; then those that came with the program are among them, as where
// one of them is asked for by its name.
std::vector<ProfileRow> known_rows(const Store& store, const ProfileQuery& query) {
  const std::string& device = query.device;
  std::vector<ProfileRow> rows = store.profiles();
  const bool asks_for_shipped =
      !query.profile.empty() && std::ranges::find(shipped_rows(), query.profile,
                                                  &ProfileRow::shipped) != shipped_rows().end();
  if (!device.empty() || asks_for_shipped)
    std::ranges::copy(shipped_rows(), std::back_inserter(rows));
  if (device.empty()) return rows;
  std::vector<std::string> there;
  for (const ProfileRow& row : rows) {
    const std::string name = row.shipped.empty()
                                 ? row.device.name
                                 : fmt::format("{} ({})", row.device.name, row.shipped);
    if (std::ranges::find(there, name) == there.end()) there.push_back(name);
  }
  std::erase_if(rows, [&](const ProfileRow& row) { return !names_device(row, device); });
  if (rows.empty())
    throw Error(ErrorCode::unknown,
                fmt::format("no profile is of a device called '{}'; {}", device,
                            there.empty() ? "there is none of any device"
                                          : fmt::format("there are: {}", fmt::join(there, ", "))),
                Remedy::general_profile);
  return rows;
}

ChosenProfile asked_for(const ProfileRow& row, const Setup& setup) {
  ChosenProfile chosen{row, {}, is_general(row.setup)};
  if (chosen.general) chosen.row.setup = setup;
  return chosen;
}

// Whether it was taken on the machine of this store: profiles of others come through a command, a
// recording or a file.
bool is_of_this_machine(const ProfileRow& row) {
  return row.rig == "local" || row.rig == "cpu" || row.rig.starts_with("cpu:") ||
         row.rig.starts_with("cuda:");
}

std::string place_text(const ProfileRow& row) {
  return fmt::format("{} ({}, {})", profile_text(row), row.device.name,
                     to_string(row.device.source));
}

// A general profile and one of the setup are compared for every network (StoredAnswerer), and the
// answer says how. One that came with the program is for those who have none of their own.
bool is_worth_naming(const ChosenProfile& other, const ChosenProfile& one) {
  if (!is_same_device(one.row, other.row)) return true;
  return one.general == other.general && (other.row.shipped.empty() || !one.row.shipped.empty());
}

void name_alternatives(std::vector<ChosenProfile>& chosen) {
  constexpr std::size_t kMostNamed = 3;
  for (ChosenProfile& one : chosen) {
    std::vector<std::string> others;
    for (const ChosenProfile& other : chosen)
      if (&other != &one && is_worth_naming(other, one)) others.push_back(place_text(other.row));
    if (others.empty()) continue;
    const std::size_t more = others.size() - std::min(others.size(), kMostNamed);
    others.resize(others.size() - more);
    one.warnings.push_back(fmt::format(
        "{} answers; {}{} could, too: name a profile or a rig to choose", place_text(one.row),
        fmt::join(others, ", "), more > 0 ? fmt::format(" and {} more", more) : ""));
  }
}

std::string details(const ProfileQuery& query) {
  return fmt::format("{}{}{}", query.profile.empty() ? "" : ", profile " + query.profile,
                     query.device.empty() ? "" : ", device " + query.device,
                     query.rig.empty() ? "" : ", rig " + query.rig);
}

// One of training may have been meant.
[[noreturn]] void throw_no_inference(const std::vector<ProfileRow>& all,
                                     const ProfileQuery& query) {
  for (const ProfileRow& row : all)
    if (!query.profile.empty() && names(row, query.profile) && row.setup.phase != Phase::inference)
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

std::vector<ChosenProfile> Session::candidates(const ProfileQuery& query) const {
  const std::vector<ProfileRow> all = known_rows(*store_, query);
  const RigFilter of_rig(query, all);
  std::vector<ChosenProfile> fitting, able;
  for (const ProfileRow& row : all)
    if (fits(row, query) && of_rig(row)) fitting.push_back(asked_for(row, query.setup));
  if (fitting.empty())
    query.setup.phase == Phase::inference ? throw_no_inference(all, query)
                                          : throw_no_training(all, query);
  std::ranges::copy_if(fitting, std::back_inserter(able), [&](const ChosenProfile& profile) {
    const ProfileRow& row = profile.row;
    return query.method.empty()
               ? !ampere::methods_of(store_of(row), row).empty()
               : find_method(query.method, row.setup.phase).answers(store_of(row), row);
  });
  if (able.empty()) return {fitting.front()};
  std::ranges::stable_sort(able, {}, [](const ChosenProfile& profile) {
    const ProfileRow& row = profile.row;
    return std::tuple(profile.general, !is_of_this_machine(row), row.device.source);
  });
  name_alternatives(able);
  return able;
}

std::vector<ChosenProfile> Session::program_candidates(const ProfileQuery& query) const {
  if (!query.method.empty() && query.method != kOperationsMethod)
    throw Error(ErrorCode::usage, fmt::format("a program is estimated by the method {}, not by {}",
                                              kOperationsMethod, query.method));
  ProfileQuery by_operations = query;
  by_operations.method = kOperationsMethod;
  by_operations.setup = {};
  std::vector<ChosenProfile> general;
  try {
    general = candidates(by_operations);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unknown || error.remedy() != Remedy::profile) throw;
  }
  std::erase_if(general, [](const ChosenProfile& profile) { return !profile.general; });
  if (general.empty())
    throw Error(ErrorCode::unknown,
                fmt::format("no general profile{}, which programs need: {}; profile the device for "
                            "any network first",
                            details(query), listing(store_->profiles())),
                Remedy::general_profile);
  return general;
}

const Store& Session::store_of(const ProfileRow& profile) const {
  return profile.shipped.empty() ? *store_ : shipped_store();
}

ChosenProfile Session::choose(const ProfileQuery& query) const { return candidates(query).front(); }

std::vector<ChosenProfile> Session::choose_batches(const ProfileQuery& query) const {
  ProfileQuery at_any = query, asked = query;
  at_any.any_batch = true;
  asked.any_batch = false;
  const std::vector<ChosenProfile> all = candidates(at_any);
  const auto has_batch = [](std::int64_t batch) {
    return [batch](const ChosenProfile& known) { return known.row.setup.batch == batch; };
  };
  if (query.any_batch && !all.front().general &&
      std::ranges::none_of(all, has_batch(query.setup.batch)))
    asked.setup.batch = all.front().row.setup.batch;
  std::vector<ChosenProfile> chosen{choose(asked)};
  for (const ChosenProfile& other : all)
    if (other.row.device.fingerprint == chosen.front().row.device.fingerprint &&
        std::ranges::none_of(chosen, has_batch(other.row.setup.batch)))
      chosen.push_back({other.row, {}});
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
    return text.empty() ? row.setup.phase == Phase::iteration && !is_general(row.setup)
                        : names(row, text);
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

std::optional<CrossValidation> Session::cross_validation(const ProfileRow& profile) const {
  const Store& store = store_of(profile);
  const std::vector<const Method*> methods = ampere::methods_of(store, profile);
  if (methods.empty()) return std::nullopt;
  return methods.front()->cross_validation(store, profile);
}

std::vector<std::string> Session::methods_of(const ProfileRow& profile) const {
  std::vector<std::string> names;
  for (const Method* method : ampere::methods_of(store_of(profile), profile))
    names.push_back(method->name());
  return names;
}

}  // namespace ampere
