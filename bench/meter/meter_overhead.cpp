// What a running meter costs, as a share of one core: the process's CPU time over wall time while
// nothing else happens in it. Once for the meter alone, once with an EnergyLog that watches it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <thread>

#include "ampere/energy_log.h"
#include "ampere/error.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

Seconds process_cpu_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

double cpu_share_of_waiting(Seconds time) {
  const Seconds cpu = process_cpu_time(), wall = steady_now();
  std::this_thread::sleep_for(time);
  return (process_cpu_time() - cpu) / (steady_now() - wall);
}

void measure(const std::string& spec, Seconds time) {
  const std::shared_ptr<Meter> meter = open_meter(spec);
  const double alone = cpu_share_of_waiting(time);
  const EnergyLog log(meter, {.on_reading = [](const Reading&) {}});
  const double logged = cpu_share_of_waiting(time);
  fmt::print("{},{},{:.4g},{:g},{:.6f},{:.6f}\n", meter->info().name,
             to_string(meter->info().sensing), meter->info().update_period.count(), time.count(),
             alone, logged);
}

int run(int argc, char** argv) {
  CLI::App app("Overhead of running meters, as a share of one core");
  std::vector<std::string> meters{"modelled"};
  double seconds = 10;
  app.add_option("METER", meters, "Meters, e.g. nvml:0")->capture_default_str();
  app.add_option("--seconds", seconds, "How long to watch each")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  fmt::print("meter,sensing,update_period_s,seconds,core_share,core_share_with_log\n");
  for (const std::string& meter : meters) measure(meter, Seconds{seconds});
  return 0;
}

}  // namespace
}  // namespace ampere

int main(int argc, char** argv) {
  try {
    return ampere::run(argc, argv);
  } catch (const ampere::Error& error) {
    fmt::print(stderr, "meter_overhead: {}\n", error.what());
    return ampere::exit_status(error.code());
  }
}
