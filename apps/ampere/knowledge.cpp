#include "knowledge.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/block.h"
#include "ampere/dual_profile.h"
#include "ampere/error.h"
#include "ampere/profile.h"

namespace ampere {
namespace {

bool names(const ProfileRow& row, const std::string& wish) {
  return std::to_string(row.id) == wish || row.device.fingerprint == wish ||
         row.device.name.find(wish) != std::string::npos;
}

std::string listing(const std::vector<ProfileRow>& rows) {
  if (rows.empty()) return "the store is empty";
  std::string text = "the store has";
  for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 5); ++i)
    text += fmt::format("{} profile {} ({}, {})", i == 0 ? "" : ",", rows[i].id,
                        rows[i].device.name, to_string(rows[i].setup));
  return text;
}

}  // namespace

ChosenProfile choose_profile(const Store& store, const ProfileWish& wish) {
  const std::vector<ProfileRow> all = store.profiles();
  std::vector<ProfileRow> fitting;
  std::ranges::copy_if(all, std::back_inserter(fitting), [&](const ProfileRow& row) {
    return row.setup == wish.setup && (wish.profile.empty() || names(row, wish.profile)) &&
           (wish.rig.empty() || row.rig == wish.rig);
  });
  if (fitting.empty())
    throw Error(
        ErrorCode::unknown,
        fmt::format(
            "no profile for {}{}{}: {}; run `ampere profile MODEL` with the same options first",
            to_string(wish.setup), wish.profile.empty() ? "" : ", profile " + wish.profile,
            wish.rig.empty() ? "" : ", rig " + wish.rig, listing(all)));
  ChosenProfile chosen{fitting.front(), {}};
  if (fitting.size() > 1)
    chosen.warnings.push_back(
        fmt::format("{} profiles fit; this is the latest, {} on {}; choose with --profile or --rig",
                    fitting.size(), chosen.row.id, chosen.row.device.name));
  return chosen;
}

ProfileRow find_profile(const Store& store, const std::string& id) {
  const std::vector<ProfileRow> all = store.profiles();
  const auto found = std::ranges::find_if(
      all, [&](const ProfileRow& row) { return std::to_string(row.id) == id; });
  if (found == all.end())
    throw Error(ErrorCode::unknown, fmt::format("no profile '{}': {}", id, listing(all)));
  return *found;
}

namespace {

std::vector<std::string> kinds_of(const Model& model) {
  std::vector<std::string> kinds;
  for (const Block& block : parse_blocks(model)) kinds.push_back(block.kind->key);
  std::ranges::sort(kinds);
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  return kinds;
}

// Single layers are measured in phases, each of which is a profile of its own.
std::vector<Observation> load_layers(const Store& store, const ProfileRow& profile) {
  std::vector<Observation> layers;
  for (const ProfileRow& row : store.profiles()) {
    Setup whole = row.setup;
    whole.phase = Phase::iteration;
    if (row.setup.phase == Phase::iteration || whole != profile.setup ||
        row.device.fingerprint != profile.device.fingerprint)
      continue;
    std::vector<Observation> found = store.find({row.id, "", {}});
    std::ranges::move(found, std::back_inserter(layers));
  }
  return layers;
}

}  // namespace

Knowledge load_knowledge(const Store& store, const ProfileRow& profile, const std::string& method,
                         const Model* network) {
  Knowledge known;
  switch (find_method(method).evidence) {
    case Evidence::blocks:
      known.blocks = read_fits(network != nullptr ? store.fits(profile.id, kinds_of(*network))
                                                  : store.fits(profile.id));
      break;
    case Evidence::timings:
      known.dual = load_dual(store, profile.id,
                             network != nullptr ? kinds_of(*network) : std::vector<std::string>{});
      break;
    case Evidence::networks:
      known.networks = store.find({profile.id, "", {}});
      break;
    case Evidence::layers:
      known.layers = load_layers(store, profile);
      break;
  }
  return known;
}

std::vector<std::string> supported_methods(const Store& store, const ProfileRow& profile) {
  std::vector<std::string> methods;
  if (has_dual(store, profile.id)) methods.emplace_back("dual");
  if (profile.kinds > 0) methods.emplace_back("ampere");
  return methods;
}

Answerer::Answerer(const Store& store, const ProfileRow& profile, const std::string& method,
                   const Model* network) {
  std::vector<std::string> names{method};
  if (method.empty()) names = supported_methods(store, profile);
  if (names.empty()) names.emplace_back("ampere");  // says what is not covered
  for (const std::string& name : names) {
    const auto make = [&store, profile, name, network] {
      return make_estimator(name, load_knowledge(store, profile, name, network));
    };
    candidates_.push_back({name, make, candidates_.empty() ? make() : nullptr});
  }
}

Answerer::Answerer(SharedDualModel model) {
  candidates_.push_back({"dual", {}, make_dual_estimator(std::move(model))});
}

Answer Answerer::operator()(const Model& model, const Workload& workload) const {
  Answer answer;
  for (const Candidate& candidate : candidates_) {
    if (!candidate.made) candidate.made = candidate.make();
    answer = {candidate.method, candidate.made->estimate(model, workload)};
    if (answer.estimate.uncovered.empty()) break;
  }
  return answer;
}

}  // namespace ampere
