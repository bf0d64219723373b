// A runner whose device is simulated, so that a runner can be killed and its numbers be compared.
#include <iostream>
#include <string>

#include "rig/serve.h"
#include "rig/sim.h"

int main(int argc, char** argv) {
  const auto rig = ampere::open_sim_rig(argc > 1 ? argv[1] : "xavier", 0);
  ampere::RunnerServer(std::cin, std::cout).serve(*rig);
  return 0;
}
