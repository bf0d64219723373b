#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "ampere/error.h"
#include "score/documents.h"
#include "score/score_store.h"

namespace ampere {
namespace {

ScoreCell cell_of(const ScoredDelegate& scored, const std::string& network,
                  const std::vector<Observation>& observations) {
  ScoreCell cell{scored.device, scored.delegate, network, {}, {}, {}};
  if (observations.empty()) {
    cell.reason = "not measured yet";
    return cell;
  }
  const Observation& latest = observations.back();
  cell.reason = latest.failure;
  if (!latest.measurement) return cell;
  const double energy_j = latest.measurement->energy_j.mean,
               time_s = latest.measurement->time_s.mean;
  cell.source = latest.measurement->source;
  if (time_s > 0) cell.latency_s = time_s;
  if (energy_j > 0) cell.energy_j = energy_j;
  if (energy_j > 0 && time_s > 0) cell.power_w = energy_j / time_s;
  if (!cell.energy_j) cell.reason = "the meter counted no energy";
  return cell;
}

// What one profile has of a device under one delegate.
struct Measured {
  std::string taken_at;  // the latest of them
  std::vector<ScoreCell> cells;
};

Measured measured_cells(const Store& store, const ProfileRow& profile,
                        const ScoredDelegate& scored) {
  Measured measured;
  for (const auto& [network, hash] : scored.networks) {
    const std::vector<Observation> observations =
        store.find({.profile = profile.id, .purpose = Purpose::network, .model_hash = hash});
    measured.cells.push_back(cell_of(scored, network, observations));
    if (!observations.empty())
      measured.taken_at = std::max(measured.taken_at, observations.back().taken_at);
  }
  return measured;
}

DeviceInfo imported_device(const std::string& name) {
  DeviceInfo device;
  device.name = name;
  device.hardware = device.driver = device.framework = device.power_mode = "unknown";
  device.meter = "of others";
  device.fingerprint = fingerprint_of(device);
  return device;
}

// Nobody says how they were run, and no estimate is made from them.
Setup imported_setup() {
  Setup setup;
  setup.batch = 1;
  setup.precision = "unknown";
  setup.phase = Phase::inference;
  return setup;
}

void refuse_measured(const Store& store, const std::string& device) {
  for (const ProfileRow& profile : store.profiles())
    for (const ScoredDelegate& scored : read_scored(store, profile.id))
      if (scored.device == device)
        throw Error(ErrorCode::usage,
                    fmt::format("the store has measured '{}' itself (profile {}); give the device "
                                "another name in the table",
                                device, profile.id));
}

}  // namespace

void keep_cells(Store& store, std::span<const ScoreCell> cells) {
  std::map<std::string, std::vector<ScoreCell>> by_device;
  std::vector<std::string> order;
  for (const ScoreCell& cell : cells) {
    if (!by_device.contains(cell.device)) order.push_back(cell.device);
    by_device[cell.device].push_back(cell);
  }
  for (const std::string& device : order) refuse_measured(store, device);
  store.atomically([&] {
    for (const std::string& device : order) {
      const std::int64_t id =
          store.open_profile(imported_device(device), imported_setup(), "imported");
      ProfileRow profile;
      profile.id = id;
      profile.device.name = device;
      std::vector<ScoreCell> kept = read_imported(store, profile);
      for (const ScoreCell& cell : by_device[device]) {
        std::erase_if(kept, [&](const ScoreCell& old) {
          return old.network == cell.network && old.delegate == cell.delegate;
        });
        kept.push_back(cell);
      }
      put_imported(store, id, kept);
    }
  });
}

std::vector<ScoreCell> stored_cells(const Store& store) {
  std::vector<std::string> devices;
  std::map<std::string, std::vector<ScoreCell>> imported;
  std::map<std::string, std::map<std::string, Measured>> measured;  // by device, then delegate
  const auto meet = [&](const std::string& device) {
    if (std::ranges::find(devices, device) == devices.end()) devices.push_back(device);
  };
  for (const ProfileRow& profile : oldest_first(store)) {
    for (const ScoredDelegate& scored : read_scored(store, profile.id)) {
      meet(scored.device);
      Measured now = measured_cells(store, profile, scored);
      Measured& latest = measured[scored.device][scored.delegate];
      if (latest.cells.empty() || now.taken_at >= latest.taken_at) latest = std::move(now);
    }
    std::vector<ScoreCell> others = read_imported(store, profile);
    if (others.empty()) continue;
    meet(profile.device.name);
    imported[profile.device.name] = std::move(others);
  }
  std::vector<ScoreCell> cells;
  for (const std::string& device : devices) {
    for (auto& [delegate, of] : measured[device])
      std::ranges::move(of.cells, std::back_inserter(cells));
    std::ranges::move(imported[device], std::back_inserter(cells));
  }
  return cells;
}

std::optional<std::string> scored_as(const Store& store, const DeviceInfo& device) {
  for (const ProfileRow& profile : store.profiles()) {
    if (profile.device.fingerprint != device.fingerprint) continue;
    const std::vector<ScoredDelegate> scored = read_scored(store, profile.id);
    if (!scored.empty()) return scored.back().device;
  }
  return std::nullopt;
}

}  // namespace ampere
