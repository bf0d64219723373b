// Trains and measures on the device it runs on, as requested by lines of JSON
// (docs/runner-protocol.md).
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "ampere/error.h"
#include "base/json.h"
#include "device.h"
#include "fd_stream.h"
#include "framework.h"
#include "manual_page.h"
#include "rig/bench_rig.h"
#include "rig/real_clock.h"
#include "rig/serve.h"

namespace {

using namespace ampere;

struct Options {
  std::string device = "local", meter, worker;
  int threads = 0;
  double step_timeout_s = 0;
  bool list = false;
  bool manual = false;
  bool time_operations = false;
};

void add_options(CLI::App& app, Options& options) {
  app.add_option("--device", options.device, "local, cpu or cuda:N");
  app.add_option(
      "--meter", options.meter,
      "nvml:N, modelled, modelled:static=W,core=W; default: the best meter of the device");
  app.add_option("--threads", options.threads, "number of threads that compute on the CPU")
      ->check(CLI::PositiveNumber);
  app.add_option("--worker", options.worker,
                 "command of a program that trains, such as \"python3 -m ampere.worker\"; "
                 "default: LibTorch inside this program");
  app.add_option("--step-timeout", options.step_timeout_s,
                 "seconds after which a worker that does not answer is given up; default: 300, and "
                 "900 while it builds and compiles")
      ->check(CLI::PositiveNumber);
  app.add_flag("--list", options.list, "print the devices this runner can train on, as JSON");
  app.add_flag("--manual", options.manual)->group("");  // for the build of the packages
  app.add_flag("--time-operations", options.time_operations)->group("");  // its own child
  app.set_version_flag("--version", AMPERE_VERSION);
}

// Stdout belongs to the protocol, so what libraries print goes to stderr.
int take_stdout() {
  const int protocol = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return protocol;
}

std::unique_ptr<Rig> open_rig_here(const Options& options) {
  Framework framework = options.worker.empty()
                            ? open_libtorch(options.device, options.threads)
                            : open_worker(options.worker, options.device, options.threads,
                                          Seconds(options.step_timeout_s));
  auto meter = open_device_meter(framework.place, options.meter);
  describe_meter(framework.device, framework.place, meter->info());
  return make_bench_rig(std::move(framework.device), std::move(framework.trainer), std::move(meter),
                        make_real_clock(), std::move(framework.learner),
                        std::move(framework.tracer));
}

std::string list_devices() {
  Json devices = Json::array();
  for (const auto& [place, device] : libtorch_devices())
    devices.push_back({{"device", place},
                       {"name", device.name},
                       {"hardware", device.hardware},
                       {"driver", device.driver},
                       {"framework", device.framework}});
  return Json{{"ampere_runner", kRunnerProtocol}, {"version", AMPERE_VERSION}, {"devices", devices}}
      .dump();
}

int run(const Options& options, std::ostream& out) {
  RunnerServer server(std::cin, out);
  std::unique_ptr<Rig> rig;
  try {
    if (options.list) {
      out << list_devices() << std::endl;
      return 0;
    }
    if (options.time_operations) {
      time_operations_with_libtorch(options.device, options.threads, std::cin, out);
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
  if (options.manual) {
    std::cout << manual_page(app, "ampere-runner", AMPERE_VERSION) << std::flush;
    return std::cout ? 0 : exit_status(ErrorCode::failed);
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
