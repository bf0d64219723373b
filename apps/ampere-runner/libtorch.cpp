#include <algorithm>
#include <filesystem>

#include "framework.h"
#include "rig/operation_child.h"
#include "train/operation/timing.h"
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

// The place of the device, whose threads are as asked. On a GPU the threads of the CPU have nothing
// to do, and idle threads spin: they would use cores beside the thread that submits work.
std::string choose_place(const std::string& asked, int threads) {
  const std::string place = resolve(asked);
  if (threads > 0 || place != "cpu") set_threads(std::max(threads, 1));
  return place;
}

// This program again, for operations alone.
OperationCommand operation_command(const std::string& place, int threads) {
  OperationCommand command{.argv = {std::filesystem::read_symlink("/proc/self/exe").string(),
                                    "--time-operations", "--device", place}};
  if (threads > 0) command.argv.insert(command.argv.end(), {"--threads", std::to_string(threads)});
  return command;
}

}  // namespace

Framework open_libtorch(const std::string& asked, int threads) {
  const std::string place = choose_place(asked, threads);
  auto trainer = open_torch_trainer(place);
  auto tracer = make_child_tracer(operation_command(place, threads),
                                  place == "cpu" ? cpu_dialect() : Dialect{});
  return {place, describe(place), std::move(trainer), open_torch_learner(place), std::move(tracer)};
}

void time_operations_with_libtorch(const std::string& device, int threads, std::istream& in,
                                   std::ostream& out) {
  const auto timer = open_operation_timer(choose_place(device, threads));
  serve_operations(
      in, out,
      [&](const Operation& operation, std::span<const TensorType> tensors) {
        return timer->time(operation, tensors);
      },
      [&] { return timer->is_usable(); });
}

std::vector<PlacedDevice> libtorch_devices() {
  std::vector<PlacedDevice> devices;
  for (const std::string& place : torch_devices()) devices.push_back({place, describe(place)});
  return devices;
}

}  // namespace ampere
