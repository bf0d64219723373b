// The same windows of a steady load, three ways: naively, by the difference of two reads over the
// time between the calls; from step to step of the counter; and interpolated at the window's ends.
// The load is the caller's business.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "ampere/energy_log.h"
#include "ampere/error.h"
#include "base/stats.h"
#include "base/steady_now.h"

namespace ampere {
namespace {

struct Powers {
  std::vector<double> naive, aligned, interpolated;
};

// Windows of whole seconds would all begin at about the same place between two steps. The golden
// ratio spreads them evenly.
Seconds pause_before(int window, Seconds period) {
  double whole = 0;
  return std::modf(window * 0.6180339887498949, &whole) * period;
}

void take_window(Meter& meter, EnergyLog& log, Seconds length, Powers& powers) {
  auto window = log.open("window");
  const Seconds begin = steady_now();
  const Reading first = meter.read();
  std::this_thread::sleep_for(length);
  const Seconds end = steady_now();
  const Reading last = meter.read();
  window.close();
  const Joules counted = total(meter.info(), last) - total(meter.info(), first);
  powers.naive.push_back(counted.value / (end - begin).count());
  powers.aligned.push_back(used(meter.info(), first, last).mean_power().value);
  powers.interpolated.push_back(window.usage().mean_power().value);
}

void print_spread(const char* name, const std::vector<double>& values) {
  const double center = mean(values), deviation = standard_deviation(values).value();
  const auto [low, high] = std::ranges::minmax(values);
  fmt::print("# {}: mean {:.5g} W, standard deviation {:.3g} W ({:.3f} %), range {:.3f} %\n", name,
             center, deviation, deviation / center * 100, (high - low) / center * 100);
}

int run(int argc, char** argv) {
  CLI::App app("Spread of repeated windows under a steady load: naive and aligned to the steps");
  std::string spec = "nvml:0";
  int windows = 30;
  double seconds = 1;
  app.add_option("--meter", spec, "The meter")->capture_default_str();
  app.add_option("--windows", windows, "How many")
      ->capture_default_str()
      ->check(CLI::Range(2, 100000));
  app.add_option("--seconds", seconds, "How long each")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  const std::shared_ptr<Meter> meter = open_meter(spec);
  EnergyLog log(meter);
  Powers powers;
  fmt::print("# {} ({}, {}), period {:.4g} s\nwindow,naive_w,aligned_w,interpolated_w\n",
             meter->info().name, meter->info().method, to_string(meter->info().source),
             meter->info().update_period.count());
  for (int i = 0; i < windows; ++i) {
    std::this_thread::sleep_for(pause_before(i, meter->info().update_period));
    take_window(*meter, log, Seconds{seconds}, powers);
    fmt::print("{},{:.6g},{:.6g},{:.6g}\n", i + 1, powers.naive.back(), powers.aligned.back(),
               powers.interpolated.back());
  }
  print_spread("naive", powers.naive);
  print_spread("aligned", powers.aligned);
  print_spread("interpolated", powers.interpolated);
  return 0;
}

}  // namespace
}  // namespace ampere

int main(int argc, char** argv) {
  try {
    return ampere::run(argc, argv);
  } catch (const ampere::Error& error) {
    fmt::print(stderr, "meter_windows: {}\n", error.what());
    return ampere::exit_status(error.code());
  }
}
