// What a piece of code uses: between two readings, and in named windows.
#include <ampere/energy_log.h>
#include <ampere/error.h>

#include <cmath>
#include <cstdio>

// Stands for yours.
static double work(int rounds) {
  double sum = 0;
  for (int i = 1; i < rounds * 1000000; ++i) sum += std::sqrt(i);
  return sum;
}

static void measure_once(const char* spec) {
  const auto meter = ampere::open_meter(spec);
  const ampere::Reading before = meter->read();
  const double result = work(20);
  const ampere::Usage usage = ampere::used(meter->info(), before, meter->read());
  std::printf("%s, %s: %.3g J in %.3g s, %.3g W (result %g)\n", meter->info().name.c_str(),
              to_string(meter->info().source), usage.total.value, usage.time.count(),
              usage.mean_power().value, result);
}

static void measure_parts(const char* spec) {
  ampere::EnergyLog log(ampere::open_meter(spec));
  {
    const auto training = log.open("training");
    for (int i = 0; i < 3; ++i) {
      const auto epoch = training.open("epoch");
      work(10);
    }
  }
  for (const ampere::PathUsage& path : log.results()) {
    std::printf("%s, %ld times: ", path.path.c_str(), static_cast<long>(path.windows));
    if (path.usage)
      std::printf("%.3g J in %.3g s\n", path.usage->total.value, path.usage->time.count());
    else
      std::printf("unknown: %s\n", path.reason.c_str());
  }
}

int main(int argc, char** argv) {
  try {
    const char* spec = argc > 1 ? argv[1] : "modelled";
    measure_once(spec);
    measure_parts(spec);
  } catch (const ampere::Error& error) {
    std::fprintf(stderr, "quick_start: %s\n", error.what());
    return ampere::exit_status(error.code());
  }
}
