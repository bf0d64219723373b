#include "delegates.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"

namespace ampere {
namespace {

constexpr const char* kOnlyDelegate = "device";

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

Delegate machine_delegate(const std::string& name) {
  const std::string number = name.size() > 3 ? name.substr(3) : "";
  const bool plain = name.size() == 3;
  if (name.starts_with("CPU") && plain) return {name, "cpu"};
  if (name.starts_with("CPU") && is_number(number)) return {name, "cpu:" + number};
  if (name.starts_with("GPU") && plain) return {name, "cuda:0"};
  if (name.starts_with("GPU") && is_number(number)) return {name, "cuda:" + number};
  throw Error(ErrorCode::usage,
              fmt::format("--delegates: '{}' is unknown; there are CPU (all threads), CPU1 (one "
                          "thread), GPU (the first), GPU1 (the second)",
                          name));
}

bool is_machine(const std::string& rig) {
  return rig == "local" || rig == "cpu" || rig.starts_with("cpu:") || rig.starts_with("cuda");
}

std::string name_of(const std::string& rig) {
  if (rig == "cpu") return "CPU";
  if (rig == "cuda" || rig == "cuda:0") return "GPU";
  if (rig.starts_with("cpu:")) return "CPU" + rig.substr(4);
  if (rig.starts_with("cuda:")) return "GPU" + rig.substr(5);
  return kOnlyDelegate;
}

std::vector<Delegate> one_delegate(const RigSelection& rig, const std::vector<std::string>& names) {
  if (names.size() > 1)
    throw Error(ErrorCode::usage,
                fmt::format("--delegates: the rig {} has one delegate, but {} names are given",
                            rig.rig, names.size()));
  return {{names.empty() ? name_of(rig.rig) : names.front(), rig.rig}};
}

std::vector<Delegate> all_here(const RigSelection& rig) {
  std::vector<Delegate> delegates{machine_delegate("CPU1"), machine_delegate("CPU")};
  const Delegate gpu = machine_delegate("GPU");
  try {
    open_rig(gpu.rig, {rig.meter, rig.runner, rig.seed});
    delegates.push_back(gpu);
  } catch (const Error& error) {
    fmt::print(stderr, "ampere: note: without a GPU: {}\n", error.what());
  }
  return delegates;
}

}  // namespace

std::vector<Delegate> delegates_of(const RigSelection& rig, const std::vector<std::string>& names) {
  if (rig.rig != "local") return one_delegate(rig, names);
  if (names.empty()) return all_here(rig);
  std::vector<Delegate> delegates;
  for (const std::string& name : names) delegates.push_back(machine_delegate(name));
  return delegates;
}

std::string machine_name(const RigSelection& rig, const Delegate& delegate,
                         const DeviceInfo& device, const Session& session) {
  if (const auto known = session.scored_as(device)) return *known;
  if (!is_machine(rig.rig) || !delegate.rig.starts_with("cuda")) return device.name;
  return open_rig("cpu", {"", rig.runner, rig.seed})->device().name;
}

}  // namespace ampere
