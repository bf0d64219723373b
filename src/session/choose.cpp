#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ampere/error.h"
#include "ampere/rig.h"
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
                        : row.setup == setup;
  return same && (query.profile.empty() || names(row, query.profile));
}

// Whether it was taken on the machine of this store: profiles of others come through a command, a
// recording or a file.
bool is_of_this_machine(const ProfileRow& row) {
  return row.rig == "local" || row.rig == "cpu" || row.rig.starts_with("cpu:") ||
         row.rig.starts_with("cuda:");
}

std::string place_text(const ProfileRow& row) {
  return fmt::format("profile {} ({}, {})", row.id, row.device.name, to_string(row.device.source));
}

std::vector<ChosenProfile> with_alternatives(const std::vector<ProfileRow>& rows) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<ChosenProfile> chosen;
  for (const ProfileRow& row : rows) {
    chosen.push_back({row, {}});
    std::vector<std::string> others;
    for (const ProfileRow& other : rows)
      if (other.id != row.id) others.push_back(place_text(other));
    if (others.empty()) continue;
    const std::size_t more = others.size() - std::min(others.size(), kMostNamed);
    others.resize(others.size() - more);
    chosen.back().warnings.push_back(fmt::format(
        "{} answers; {}{} could, too: name a profile or a rig to choose", place_text(row),
        fmt::join(others, ", "), more > 0 ? fmt::format(" and {} more", more) : ""));
  }
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
  const std::vector<ProfileRow> all = store_->profiles();
  const RigFilter of_rig(query, all);
  std::vector<ProfileRow> fitting, able;
  std::ranges::copy_if(all, std::back_inserter(fitting),
                       [&](const ProfileRow& row) { return fits(row, query) && of_rig(row); });
  if (fitting.empty())
    query.setup.phase == Phase::inference ? throw_no_inference(all, query)
                                          : throw_no_training(all, query);
  std::ranges::copy_if(fitting, std::back_inserter(able), [&](const ProfileRow& row) {
    return query.method.empty() ? !ampere::methods_of(*store_, row).empty()
                                : find_method(query.method, row.setup.phase).answers(*store_, row);
  });
  if (able.empty()) return {{fitting.front(), {}}};
  std::ranges::stable_sort(able, {}, [](const ProfileRow& row) {
    return std::pair(!is_of_this_machine(row), row.device.source);
  });
  return with_alternatives(able);
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
  if (query.any_batch && std::ranges::none_of(all, has_batch(query.setup.batch)))
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
