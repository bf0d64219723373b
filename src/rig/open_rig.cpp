#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ampere/error.h"
#include "base/text.h"
#include "rig/recorded.h"
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

std::unique_ptr<Rig> open_own_runner(const std::string& spec, const RigOptions& options) {
  const auto threads = threads_of(spec);
  std::vector<std::string> argv;
  if (options.pin_threads)  // read when OpenMP is loaded, before the runner could set them
    argv = {"env", "OMP_PROC_BIND=true", "OMP_PLACES=cores"};
  for (const std::string& word :
       {find_runner(options.runner), std::string("--device"), threads ? std::string("cpu") : spec})
    argv.push_back(word);
  if (threads) {
    argv.push_back("--threads");
    argv.push_back(*threads);
  }
  if (!options.meter.empty()) {
    argv.push_back("--meter");
    argv.push_back(options.meter);
  }
  return open_runner_rig(
      {.argv = std::move(argv), .verbose = options.verbose, .stop = options.stop});
}

std::unique_ptr<Rig> open_command(const std::string& command, const RigOptions& options) {
  if (!options.meter.empty())
    throw Error(ErrorCode::usage,
                fmt::format("rig 'cmd:{}': the meter '{}' must be chosen in the command itself, "
                            "because it is read where the runner runs",
                            command, options.meter));
  return open_runner_rig(
      {.argv = {"/bin/sh", "-c", command}, .verbose = options.verbose, .stop = options.stop});
}

std::string suggested_form(const std::string& spec) {
  static const std::vector<std::string> kForms{
      "local", "cpu", "cuda:0", "cpu:", "sim:", "recorded:", "cmd:"};
  const std::size_t colon = spec.find(':');
  return suggestion(colon == std::string::npos ? spec : spec.substr(0, colon + 1), kForms);
}

// "CPU" is "cpu", and "Sim:xavier" is "sim:xavier"; what follows the colon stays as it is.
std::string with_known_kind(const std::string& spec) {
  const std::size_t end = std::min(spec.find(':'), spec.size());
  for (const char* kind : {"local", "cpu", "cuda", "sim", "recorded", "cmd"})
    if (equal_ignoring_case(spec.substr(0, end), kind)) return kind + spec.substr(end);
  return spec;
}

}  // namespace

std::unique_ptr<Rig> open_rig(const std::string& given, const RigOptions& options) {
  const std::string spec = with_known_kind(given);
  if (const auto command = rest_of(spec, "cmd:")) return open_command(*command, options);
  if (const auto name = rest_of(spec, "sim:")) return open_sim_rig(*name, options.seed);
  if (const auto path = rest_of(spec, "recorded:")) return open_recorded_rig(*path);
  if (names_own_device(spec)) return open_own_runner(spec, options);
  throw Error(
      ErrorCode::usage,
      fmt::format("'{}' is not a rig{} (local, cpu, cpu:N, cuda:N, sim:<device>, recorded:<file>, "
                  "cmd:<command line>)",
                  spec, suggested_form(spec)));
}

}  // namespace ampere
