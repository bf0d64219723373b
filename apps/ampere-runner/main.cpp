// Trains and measures on the device it runs on, as requested by lines of JSON
// (docs/runner-protocol.md).
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "ampere/error.h"
#include "device.h"
#include "fd_stream.h"
#include "rig/bench_rig.h"
#include "rig/real_clock.h"
#include "rig/serve.h"
#include "train/torch_learner.h"
#include "train/torch_trainer.h"

namespace {

using namespace ampere;

struct Options {
  std::string device = "local", meter;
  int threads = 0;
  bool list = false;
};

void add_options(CLI::App& app, Options& options) {
  app.add_option("--device", options.device, "local, cpu or cuda:N");
  app.add_option(
      "--meter", options.meter,
      "nvml:N, modelled, modelled:static=W,core=W; default: the best meter of the device");
  app.add_option("--threads", options.threads, "number of threads that compute on the CPU")
      ->check(CLI::PositiveNumber);
  app.add_flag("--list", options.list, "print the devices this runner can train on, as JSON");
  app.set_version_flag("--version", AMPERE_VERSION);
}

// Stdout belongs to the protocol, so what libraries print goes to stderr.
int take_stdout() {
  const int protocol = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return protocol;
}

std::unique_ptr<Rig> open_rig_here(const Options& options) {
  const std::string device = resolve_device(options.device);
  // On a GPU the threads of the CPU have nothing to do, and idle threads spin: they would use cores
  // beside the thread that submits work.
  if (options.threads > 0 || device != "cpu") set_threads(std::max(options.threads, 1));
  auto trainer = open_torch_trainer(device);
  auto meter = open_device_meter(device, options.meter);
  DeviceInfo info = describe_device(device, meter->info());
  return make_bench_rig(std::move(info), std::move(trainer), std::move(meter), make_real_clock(),
                        open_torch_learner(device));
}

int run(const Options& options, std::ostream& out) {
  RunnerServer server(std::cin, out);
  std::unique_ptr<Rig> rig;
  try {
    if (options.list) {
      out << list_devices() << std::endl;
      return 0;
    }
    rig = open_rig_here(options);
  } catch (const Error& error) {
    if (!options.list) server.refuse(error);
    fmt::print(stderr, "ampere-runner: {}\n", error.what());
    return exit_status(error.code());
  }
  server.serve(*rig);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Trains and measures networks on this device for ampere");
  add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_status(ErrorCode::usage);
  }
  FdBuffer buffer(take_stdout());
  std::ostream out(&buffer);
  try {
    return run(options, out);
  } catch (const std::exception& error) {
    fmt::print(stderr, "ampere-runner: {}\n", error.what());
    return exit_status(ErrorCode::failed);
  }
}
