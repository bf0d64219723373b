#include "knowledge.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/block.h"
#include "ampere/error.h"
#include "method/ampere/profile.h"
#include "method/dual/dual.h"
#include "method/dual/dual_profile.h"
#include "method/kernels/survey.h"

namespace ampere {
namespace {

bool names(const ProfileRow& row, const std::string& request) {
  return std::to_string(row.id) == request || row.device.fingerprint == request ||
         row.device.name.find(request) != std::string::npos;
}

std::string listing(const std::vector<ProfileRow>& rows) {
  if (rows.empty()) return "the store is empty";
  std::string text = "the store has";
  for (std::size_t i = 0; i < std::min<std::size_t>(rows.size(), 5); ++i)
    text += fmt::format("{} profile {} ({}, {})", i == 0 ? "" : ",", rows[i].id,
                        rows[i].device.name, to_string(rows[i].setup));
  return text;
}

ChosenProfile latest_of(const std::vector<ProfileRow>& fitting) {
  ChosenProfile chosen{fitting.front(), {}};
  if (fitting.size() > 1)
    chosen.warnings.push_back(
        fmt::format("{} profiles fit; this is the latest, {} on {}; choose with --profile or --rig",
                    fitting.size(), chosen.row.id, chosen.row.device.name));
  return chosen;
}

// A profile of training may have been meant.
[[noreturn]] void throw_no_inference(const std::vector<ProfileRow>& all,
                                     const InferenceRequest& request) {
  for (const ProfileRow& row : all)
    if (!request.profile.empty() && names(row, request.profile) &&
        row.setup.phase != Phase::inference)
      throw Error(ErrorCode::unknown,
                  fmt::format("profile {} is of training ({}), not of inference; run "
                              "`ampere kernels measure` on {} first",
                              row.id, to_string(row.setup), row.device.name));
  throw Error(ErrorCode::unknown,
              fmt::format("no profile of inference{}{}{}: {}; run `ampere kernels measure` first",
                          request.batch ? fmt::format(" at batch {}", *request.batch) : "",
                          request.profile.empty() ? "" : ", profile " + request.profile,
                          request.rig.empty() ? "" : ", rig " + request.rig, listing(all)));
}

bool fits(const ProfileRow& row, const InferenceRequest& request) {
  return row.setup.phase == Phase::inference &&
         (!request.batch || row.setup.batch == *request.batch) &&
         (request.profile.empty() || names(row, request.profile)) &&
         (request.rig.empty() || row.rig == request.rig);
}

}  // namespace

ChosenProfile choose_profile(const Store& store, const InferenceRequest& request) {
  const std::vector<ProfileRow> all = store.profiles();
  std::vector<ProfileRow> fitting, ready;
  std::ranges::copy_if(all, std::back_inserter(fitting),
                       [&](const ProfileRow& row) { return fits(row, request); });
  if (fitting.empty()) throw_no_inference(all, request);
  std::ranges::copy_if(fitting, std::back_inserter(ready), [&](const ProfileRow& row) {
    return !stored_predictors(store, row.id).empty();
  });
  return latest_of(ready.empty() ? fitting : ready);
}

std::unique_ptr<Store> open_surveyed(const std::string& url) {
  try {
    return open_store(url, Access::read);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unknown) throw;
    throw Error(error.code(),
                fmt::format("{}: there is no store yet; run `ampere kernels measure` first", url));
  }
}

std::unique_ptr<Store> open_for_preview(const std::string& url) {
  try {
    return open_store(url, Access::read);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unknown) throw;
    return open_store("memory:");
  }
}

std::optional<std::int64_t> known_profile(const Store& store, const DeviceInfo& device,
                                          const Setup& setup) {
  std::optional<std::int64_t> profile;
  for (const ProfileRow& row : store.profiles())
    if (row.device.fingerprint == device.fingerprint && row.setup == setup) profile = row.id;
  return profile;
}

bool fits(const ProfileRow& row, const ProfileRequest& request) {
  return row.setup == request.setup && (request.profile.empty() || names(row, request.profile)) &&
         (request.rig.empty() || row.rig == request.rig);
}

ChosenProfile choose_profile(const Store& store, const ProfileRequest& request) {
  const std::vector<ProfileRow> all = store.profiles();
  std::vector<ProfileRow> fitting;
  std::ranges::copy_if(all, std::back_inserter(fitting),
                       [&](const ProfileRow& row) { return fits(row, request); });
  if (fitting.empty())
    throw Error(
        ErrorCode::unknown,
        fmt::format(
            "no profile for {}{}{}: {}; run `ampere profile MODEL` with the same options first",
            to_string(request.setup), request.profile.empty() ? "" : ", profile " + request.profile,
            request.rig.empty() ? "" : ", rig " + request.rig, listing(all)));
  return latest_of(fitting);
}

ProfileRow find_profile(const Store& store, const std::string& id) {
  const std::vector<ProfileRow> all = store.profiles();
  const auto found = std::ranges::find_if(
      all, [&](const ProfileRow& row) { return std::to_string(row.id) == id; });
  if (found == all.end())
    throw Error(ErrorCode::unknown, fmt::format("no profile '{}': {}", id, listing(all)));
  return *found;
}

ProfileRow find_any_profile(const Store& store, const std::string& request) {
  const std::vector<ProfileRow> all = store.profiles();
  const auto found = std::ranges::find_if(all, [&](const ProfileRow& row) {
    return request.empty() ? row.setup.phase == Phase::iteration : names(row, request);
  });
  if (found == all.end())
    throw Error(ErrorCode::unknown,
                fmt::format("no profile{}: {}; run `ampere profile MODEL` first",
                            request.empty() ? "" : " '" + request + "'", listing(all)));
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
    std::vector<Observation> found = store.find({.profile = row.id, .purpose = Purpose::network});
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
      known.networks = store.find({.profile = profile.id, .purpose = Purpose::network});
      break;
    case Evidence::layers:
      known.layers = load_layers(store, profile);
      break;
    case Evidence::kernels:
      break;
  }
  return known;
}

std::vector<std::string> supported_methods(const Store& store, const ProfileRow& profile) {
  std::vector<std::string> methods;
  if (profile.setup.phase == Phase::inference) {
    for (const PredictorKind kind : stored_predictors(store, profile.id))
      methods.emplace_back(inference_method(kind));
    return methods;
  }
  if (has_dual(store, profile.id)) methods.emplace_back("dual");
  if (profile.kinds > 0) methods.emplace_back("ampere");
  return methods;
}

Answerer::Answerer(const Store& store, const ProfileRow& profile, const std::string& method,
                   const Model* network) {
  std::vector<std::string> names{method};
  if (method.empty()) names = supported_methods(store, profile);
  const Phase phase = profile.setup.phase;
  if (names.empty())  // says what is not covered, or known
    names.emplace_back(phase == Phase::inference ? inference_method(PredictorKind::gp) : "ampere");
  for (const std::string& name : names) {
    const auto make = [&store, profile, name, network, phase] {
      if (find_method(name, phase).evidence == Evidence::kernels)
        return make_kernel_estimator(store, profile.id, parse_inference_method(name), network);
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
