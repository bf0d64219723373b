#include <algorithm>

#include "framework.h"
#include "train/torch_learner.h"
#include "train/torch_trainer.h"

namespace ampere {
namespace {

std::string resolve(const std::string& asked) {
  if (asked == "cuda") return "cuda:0";
  if (asked != "local") return asked;
  const auto places = torch_devices();
  return std::ranges::find(places, "cuda:0") != places.end() ? "cuda:0" : "cpu";
}

DeviceInfo describe(const std::string& place) {
  const TorchInfo torch = torch_info(place);
  DeviceInfo device;
  device.name = torch.name;
  device.hardware = torch.hardware;
  device.driver = torch.driver;
  device.framework = torch.framework;
  return device;
}

}  // namespace

Framework open_libtorch(const std::string& asked, int threads) {
  const std::string place = resolve(asked);
  // On a GPU the threads of the CPU have nothing to do, and idle threads spin: they would use cores
  // beside the thread that submits work.
  if (threads > 0 || place != "cpu") set_threads(std::max(threads, 1));
  auto trainer = open_torch_trainer(place);
  return {place, describe(place), std::move(trainer), open_torch_learner(place)};
}

std::vector<PlacedDevice> libtorch_devices() {
  std::vector<PlacedDevice> devices;
  for (const std::string& place : torch_devices()) devices.push_back({place, describe(place)});
  return devices;
}

}  // namespace ampere
