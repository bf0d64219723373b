// Uses the meter as if ampere had brought it along: alone and joined with another one.
#include <ampere/error.h>
#include <ampere/meter.h>

#include <cstdio>
#include <thread>

#include "nameplate_meter.h"

static void measure(const char* spec) {
  const auto meter = ampere::open_meter(spec);
  const ampere::Reading before = meter->read();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const ampere::Usage usage = ampere::used(meter->info(), before, meter->read());
  std::printf("%s (%s): %.3g W\n", spec, to_string(meter->info().source), usage.mean_power().value);
}

int main(int argc, char** argv) {
  try {
    ampere::add_meter_kind(nameplate_meter_kind());
    measure(argc > 1 ? argv[1] : "nameplate:25");
  } catch (const ampere::Error& error) {
    std::fprintf(stderr, "own_meter: %s\n", error.what());
    return ampere::exit_status(error.code());
  }
}
