// Profiles a simulated device for a network, then says what training a narrower one will cost on
// it.
#include <ampere/ampere.h>

#include <cstdio>

int main() try {
  ampere::Session session(ampere::open_store("memory:"));
  const auto rig = ampere::open_rig("sim:xavier");
  session.profile({.models = {ampere::open_model("lenet5")}}, {*rig, "sim:xavier"});

  const ampere::Model network = ampere::open_model("lenet5:4,8,60,42");
  const ampere::Answer answer = session.estimate(network, {}, {.iterations = 1000});
  const ampere::Interval energy = answer.estimate.energy_j.value();
  const ampere::Interval time = answer.estimate.time_s.value();
  std::printf("%s on %s (%s), 1000 iterations:\n", network.name().c_str(),
              rig->device().name.c_str(), ampere::to_string(answer.estimate.source));
  std::printf("energy %.1f J, between %.1f and %.1f J with %.0f %% confidence\n", energy.mean,
              energy.low, energy.high, 100 * energy.confidence);
  std::printf("time %.2f s, between %.2f and %.2f s\n", time.mean, time.low, time.high);
  return 0;
} catch (const ampere::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return ampere::exit_status(error.code());
}
