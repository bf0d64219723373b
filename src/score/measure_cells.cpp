#include <fmt/format.h>

#include "ampere/error.h"
#include "campaign/campaign.h"
#include "method/suggestion_list.h"
#include "score/documents.h"
#include "score/score_store.h"

namespace ampere {
namespace {

// A name must mean the same network on all devices.
void check_network(const ScoredDelegate& other, const std::string& name, const std::string& hash) {
  const auto known = other.networks.find(name);
  if (known != other.networks.end() && known->second != hash)
    throw Error(ErrorCode::usage,
                fmt::format("'{}' is another network than the one of that name that {} was scored "
                            "with; give it another name",
                            name, other.device));
}

// Another driver or framework is the same machine, other hardware is not.
void check_machine(const ProfileRow& profile, const ScoredDelegate& other, const ScoreTask& task,
                   const DeviceInfo& device) {
  if (other.device != task.device || other.delegate != task.delegate) return;
  if (profile.device.name == device.name && profile.device.hardware == device.hardware) return;
  throw Error(ErrorCode::usage,
              fmt::format("{} of '{}' is {} ({}) in the store, and this one is {} ({}): choose "
                          "another name for it",
                          task.delegate, task.device, profile.device.name, profile.device.hardware,
                          device.name, device.hardware),
              Remedy::device_name);
}

void check_against_store(const ScoreTask& task, const DeviceInfo& device, const Store& store) {
  for (const ProfileRow& profile : store.profiles()) {
    if (profile.device.name == task.device && !read_imported(store, profile).empty())
      throw Error(ErrorCode::usage,
                  fmt::format("the store has cells of '{}' from others: choose another name for "
                              "this machine",
                              task.device),
                  Remedy::device_name);
    for (const ScoredDelegate& other : read_scored(store, profile.id)) {
      check_machine(profile, other, task, device);
      if (profile.device.fingerprint == device.fingerprint && other.delegate == task.delegate)
        continue;
      for (const Model& network : task.networks)
        check_network(other, network.name(), model_hash(network));
    }
  }
}

// What is still to come is a cell without a value from now on.
void announce(const ScoreTask& task, Store& store, std::int64_t profile) {
  ScoredDelegate scored{task.device, task.delegate, {}};
  for (const ScoredDelegate& before : read_scored(store, profile))
    if (before.delegate == task.delegate) scored.networks = before.networks;
  for (const Model& network : task.networks) scored.networks[network.name()] = model_hash(network);
  put_scored(store, profile, scored);
}

}  // namespace

int measure_cells(const ScoreTask& task, Rig& rig, const std::string& rig_name, Store& store,
                  StopToken stop, Listener& listener) {
  check_against_store(task, rig.device(), store);
  Campaign campaign(rig, rig_name, store, inference_setup(), {}, stop, listener);
  announce(task, store, campaign.profile());
  std::vector<Suggestion> cells;
  for (const Model& network : task.networks) {
    Suggestion& cell = cells.emplace_back();
    cell.model = network;
    cell.setup = campaign.setup();
    cell.precision = task.precision;
    if (task.afresh) cell.visit.reset();
  }
  SuggestionList plan(task.delegate, std::move(cells));
  campaign.run(plan);
  return campaign.summary().measured + campaign.summary().failed;
}

}  // namespace ampere
