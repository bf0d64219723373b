#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "ampere/rig.h"
#include "base/text.h"
#include "rig/sim_law.h"

namespace ampere {
namespace {

constexpr double kGibibyte = 1024.0 * 1024 * 1024;

SimLaw oppo() {
  SimLaw law;
  law.name = "oppo", law.title = "simulated OPPO phone";
  law.hardware = "8-core phone CPU, 2 GiB";
  law.description = "phone: slow, channels in fours and eights, throttles soon when warm";
  law.peak_flops = 22e9, law.bandwidth = 9e9, law.roofline = 6;
  law.kernel_s = 4e-6, law.launch_s = 9e-6, law.iteration_s = 4e-4, law.overlap = 0;
  law.in_tile = 4, law.out_tile = 8, law.odd_penalty = 0.12, law.wave = 512;
  law.idle_w = 0.9, law.static_w = 1.6;
  law.j_per_flop = 90e-12, law.j_per_byte = 110e-12, law.j_per_kernel = 4e-6;
  law.fuses = true;
  law.memory_bytes = 2 * kGibibyte, law.clock_mhz = 2850;
  law.meter = {0.25, true};
  law.thermal = {27, 38, 7, 35, 40, 10, 0.6};
  law.noise = {0.03, 0.02, 0.02, 0.02};
  return law;
}

SimLaw iphone() {
  SimLaw law;
  law.name = "iphone", law.title = "simulated iPhone";
  law.hardware = "6-core phone CPU, 1.5 GiB";
  law.description = "phone: faster and leaner, channels in eights, throttles later";
  law.peak_flops = 48e9, law.bandwidth = 18e9, law.roofline = 6;
  law.kernel_s = 2e-6, law.launch_s = 6e-6, law.iteration_s = 3e-4, law.overlap = 0.2;
  law.in_tile = 4, law.out_tile = 8, law.odd_penalty = 0.08, law.wave = 1024;
  law.idle_w = 0.7, law.static_w = 1.3;
  law.j_per_flop = 52e-12, law.j_per_byte = 80e-12, law.j_per_kernel = 3e-6;
  law.fuses = true;
  law.memory_bytes = 1.5 * kGibibyte, law.clock_mhz = 3230;
  law.meter = {0.25, true};
  law.thermal = {27, 37, 6, 45, 41, 8, 0.7};
  law.noise = {0.025, 0.015, 0.015, 0.015};
  return law;
}

SimLaw xavier() {
  SimLaw law;
  law.name = "xavier", law.title = "simulated Jetson Xavier";
  law.hardware = "512 cores, 16 GiB";
  law.description = "fixed clocks, nearly synchronous, channels in fours";
  law.peak_flops = 180e9, law.bandwidth = 60e9, law.roofline = 4;
  law.kernel_s = 6e-6, law.launch_s = 18e-6, law.iteration_s = 5e-4, law.overlap = 0.15;
  law.in_tile = 1, law.out_tile = 4, law.odd_penalty = 0.02, law.wave = 1024;
  law.idle_w = 4.5, law.static_w = 7.5;
  law.j_per_flop = 45e-12, law.j_per_byte = 70e-12, law.j_per_kernel = 25e-6;
  law.memory_bytes = 16 * kGibibyte, law.clock_mhz = 1377;
  law.meter = {0.005, true};
  law.thermal = {25, 42, 1.2, 60, 1000, 10, 1};
  law.noise = {0.01, 0.005, 0.004, 0.004};
  return law;
}

SimLaw tx2() {
  SimLaw law;
  law.name = "tx2", law.title = "simulated Jetson TX2";
  law.hardware = "256 cores, 8 GiB";
  law.description = "as xavier, with half the speed and a slower host";
  law.peak_flops = 85e9, law.bandwidth = 30e9, law.roofline = 4;
  law.kernel_s = 9e-6, law.launch_s = 30e-6, law.iteration_s = 9e-4, law.overlap = 0.1;
  law.in_tile = 1, law.out_tile = 4, law.odd_penalty = 0.03, law.wave = 512;
  law.idle_w = 2.8, law.static_w = 4.6;
  law.j_per_flop = 60e-12, law.j_per_byte = 85e-12, law.j_per_kernel = 30e-6;
  law.memory_bytes = 8 * kGibibyte, law.clock_mhz = 1300;
  law.meter = {0.005, true};
  law.thermal = {25, 44, 2, 60, 1000, 10, 1};
  law.noise = {0.012, 0.008, 0.006, 0.006};
  return law;
}

SimLaw server() {
  SimLaw law;
  law.name = "server", law.title = "simulated GPU server";
  law.hardware = "large GPU, 80 GiB";
  law.description = "asynchronous and host bound: small networks cost launches, odd channels more";
  law.peak_flops = 9e12, law.bandwidth = 1.2e12, law.roofline = 8;
  law.kernel_s = 2.5e-6, law.launch_s = 8e-6, law.iteration_s = 2.5e-4, law.overlap = 1;
  law.in_tile = 8, law.out_tile = 32, law.odd_penalty = 0.35, law.wave = 16384;
  law.idle_w = 80, law.static_w = 125;
  law.j_per_flop = 16e-12, law.j_per_byte = 60e-12, law.j_per_kernel = 60e-6;
  law.memory_bytes = 80 * kGibibyte, law.clock_mhz = 1980;
  law.meter = {0.1, false};
  law.thermal = {24, 45, 0.08, 40, 1000, 10, 1};
  law.noise = {0.01, 0.06, 0.015, 0.01};
  return law;
}

SimLaw ideal() {
  SimLaw law;
  law.name = "ideal", law.title = "simulated ideal device";
  law.hardware = "none, 8 GiB";
  law.description = "exactly additive over layers and smooth in channels, with 1 % noise";
  law.peak_flops = 100e9, law.bandwidth = 40e9, law.roofline = 1;
  law.kernel_s = 5e-6, law.launch_s = 15e-6, law.iteration_s = 0, law.overlap = 0;
  law.idle_w = 3, law.static_w = 5;
  law.j_per_flop = 50e-12, law.j_per_byte = 70e-12, law.j_per_kernel = 20e-6;
  law.memory_bytes = 8 * kGibibyte, law.clock_mhz = 1000;
  law.thermal = {25, 40, 1, 60, 1000, 10, 1};
  law.noise = {0.01, 0.002, 0, 0};
  return law;
}

}  // namespace

const std::vector<SimLaw>& sim_laws() {
  static const std::vector<SimLaw> laws{oppo(), iphone(), xavier(), tx2(), server(), ideal()};
  return laws;
}

const SimLaw& find_sim_law(const std::string& name) {
  const auto found = std::ranges::find_if(
      sim_laws(), [&](const SimLaw& law) { return equal_ignoring_case(law.name, name); });
  if (found != sim_laws().end()) return *found;
  std::vector<std::string> names;
  for (const SimLaw& law : sim_laws()) names.push_back(law.name);
  throw Error(ErrorCode::unknown, fmt::format("no simulated device '{}'{}; there are {}", name,
                                              suggestion(name, names), fmt::join(names, ", ")));
}

const std::vector<SimDevice>& sim_devices() {
  static const std::vector<SimDevice> devices = [] {
    std::vector<SimDevice> list;
    for (const SimLaw& law : sim_laws()) list.push_back({law.name, law.description});
    return list;
  }();
  return devices;
}

}  // namespace ampere
