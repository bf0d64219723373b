#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ampere/error.h"
#include "base/command_words.h"
#include "base/text.h"
#include "rig/find_python.h"
#include "rig/recorded.h"
#include "rig/rig_spec.h"
#include "rig/runner_rig.h"
#include "rig/sim.h"

namespace ampere {
namespace {

constexpr std::int64_t kMostThreads = 1024;  // more than any machine of today runs well

// The rest of a spec "kind:rest" of this kind.
std::optional<std::string> rest_of(const std::string& spec, std::string_view kind) {
  if (!spec.starts_with(kind)) return std::nullopt;
  const std::string rest = spec.substr(kind.size());
  if (trim(rest).empty())
    throw Error(ErrorCode::usage, fmt::format("rig '{}': nothing follows the colon", spec));
  return rest;
}

bool names_own_device(const std::string& spec) {
  if (spec == "local" || spec == "cpu" || spec == "cuda") return true;
  if (spec.starts_with("cpu:")) return true;
  if (!spec.starts_with("cuda:")) return false;
  const std::string index = spec.substr(5);
  if (parse_integer(index, fmt::format("rig '{}': the number of the GPU", spec)) < 0)
    throw Error(ErrorCode::usage, fmt::format("rig '{}': GPUs are counted from 0", spec));
  return true;
}

// The N of "cpu:N": the number of threads.
std::optional<std::string> threads_of(const std::string& spec) {
  const auto threads = rest_of(spec, "cpu:");
  if (!threads) return threads;
  const std::int64_t count =
      parse_integer(*threads, fmt::format("rig '{}': the number of threads", spec));
  if (count < 1 || count > kMostThreads)
    throw Error(ErrorCode::usage, fmt::format("rig '{}': the number of threads is not between 1 "
                                              "and {}",
                                              spec, kMostThreads));
  return threads;
}

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

// What a runner on this machine finds in its environment, and which device and meter it uses.
struct OwnRunner {
  Words environment, arguments;
};

OwnRunner own_runner(const std::string& device, const RigOptions& options) {
  OwnRunner runner;
  if (options.pin_threads)  // read when OpenMP is loaded, before the runner could set them
    runner.environment = {"OMP_PROC_BIND=true", "OMP_PLACES=cores"};
  const auto threads = threads_of(device);
  runner.arguments = {"--device", threads ? "cpu" : device};
  if (threads) append(runner.arguments, {"--threads", *threads});
  if (!options.meter.empty()) append(runner.arguments, {"--meter", options.meter});
  return runner;
}

RunnerCommand command_of(const OwnRunner& runner, const RigOptions& options) {
  RunnerCommand command{.argv = {}, .verbose = options.verbose, .stop = options.stop};
  if (!runner.environment.empty()) {
    command.argv.push_back("env");
    append(command.argv, runner.environment);
  }
  command.argv.push_back(find_runner(options.runner));
  append(command.argv, runner.arguments);
  return command;
}

std::unique_ptr<Rig> open_own_runner(const std::string& spec, const RigOptions& options) {
  return open_runner_rig(command_of(own_runner(spec, options), options));
}

// "torch" is "torch:local". The runner measures, and the interpreter trains.
std::unique_ptr<Rig> open_torch(const std::string& device, const RigOptions& options) {
  constexpr Seconds kCompiling{900};  // building a network may take so long without an answer
  OwnRunner runner = own_runner(device, options);
  if (const auto path = python_path()) runner.environment.push_back("PYTHONPATH=" + *path);
  append(runner.arguments, {"--worker", quoted(find_python(options.python)) + " -m ampere.worker"});
  if (options.step_timeout)
    append(runner.arguments, {"--step-timeout", fmt::format("{}", options.step_timeout->count())});
  RunnerCommand command = command_of(runner, options);
  command.margin += options.step_timeout.value_or(kCompiling);
  return open_runner_rig(std::move(command));
}

std::unique_ptr<Rig> open_command(const std::string& command, const RigOptions& options) {
  if (!options.meter.empty())
    throw Error(ErrorCode::usage,
                fmt::format("rig 'cmd:{}': the meter '{}' must be chosen in the command itself, "
                            "because it is read where the runner runs",
                            command, options.meter));
  return open_runner_rig({.argv = command_words(command, fmt::format("rig 'cmd:{}'", command)),
                          .verbose = options.verbose,
                          .stop = options.stop});
}

std::string suggested_form(const std::string& spec) {
  static const std::vector<std::string> kForms{"local",  "cpu",  "cuda:0",    "cpu:", "torch",
                                               "torch:", "sim:", "recorded:", "cmd:"};
  const std::size_t colon = spec.find(':');
  return suggestion(colon == std::string::npos ? spec : spec.substr(0, colon + 1), kForms);
}

// "CPU" is "cpu", and "Sim:xavier" is "sim:xavier"; what follows the colon stays as it is.
std::string with_known_kind(const std::string& spec) {
  const std::size_t end = std::min(spec.find(':'), spec.size());
  for (const char* kind : {"local", "cpu", "cuda", "torch", "sim", "recorded", "cmd"})
    if (equal_ignoring_case(spec.substr(0, end), kind)) return kind + spec.substr(end);
  return spec;
}

}  // namespace

std::string torch_rig_of(const std::string& spec) {
  const std::string device = with_known_kind(spec);
  return names_own_device(device) ? "torch:" + device : spec;
}

std::unique_ptr<Rig> open_rig(const std::string& given, const RigOptions& options) {
  const std::string spec = with_known_kind(given);
  if (const auto command = rest_of(spec, "cmd:")) return open_command(*command, options);
  if (const auto name = rest_of(spec, "sim:")) return open_sim_rig(*name, options.seed);
  if (const auto path = rest_of(spec, "recorded:")) return open_recorded_rig(*path);
  if (spec == "torch") return open_torch("local", options);
  if (const auto rest = rest_of(spec, "torch:"))
    if (const std::string device = with_known_kind(*rest); names_own_device(device))
      return open_torch(device, options);
  if (names_own_device(spec)) return open_own_runner(spec, options);
  throw Error(ErrorCode::usage,
              fmt::format("'{}' is not a rig{} (local, cpu, cpu:N, cuda:N, torch, torch:<device>, "
                          "sim:<device>, recorded:<file>, "
                          "cmd:<command line>)",
                          spec, suggested_form(spec)));
}

}  // namespace ampere
