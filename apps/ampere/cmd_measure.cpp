#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/whole_file.h"
#include "commands.h"
#include "export_options.h"
#include "interrupt.h"
#include "measure/measure.h"
#include "measure_output.h"
#include "meter/best_meter.h"
#include "options.h"
#include "ranges.h"
#include "remedies.h"
#include "terminal.h"

namespace ampere {
namespace {

struct MeasureArguments {
  MeasureOptions measure;
  std::string meter, output;
  double idle_s = 0, interval_s = MeasureOptions{}.interval.count();
  bool json = false;
  ExportOptions exports;
  double carbon = 0;
};

// Prints a message of ours. The terminal may be gone, which must not lose the exit status.
void print_message(const std::string& text) { std::fputs(text.c_str(), stderr); }

std::unique_ptr<Meter> open_chosen_meter(const std::string& asked) {
  if (!asked.empty()) return open_meter(asked);
  const std::vector<MeterProbe> probes = probe_meters();
  if (const std::string best = best_machine_meter(probes); !best.empty()) {
    print_message(fmt::format("ampere: measuring with {} (choose another with --meter)\n", best));
    return open_meter(best);
  }
  print_warning(fmt::format(
      "no meter measures energy here (`ampere doctor` says why): joules are modelled by {}",
      kMachineModel));
  return open_meter(kMachineModel);
}

void print_result(const std::string& json) {
  if (std::fputs(json.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    throw Error(ErrorCode::failed, fmt::format("standard output: {}", std::strerror(errno)));
}

int measure(MeasureArguments& options) {
  options.measure.interval = Seconds{options.interval_s};
  options.measure.idle = Seconds{options.idle_s};
  options.measure.stop = stop_token();
  check_measure_options(options.measure);
  options.exports.check(options.carbon);
  const bool kept = !options.output.empty();
  if (kept) check_whole_file(options.output);
  try {
    const CommandUsage result = measure_command(open_chosen_meter(options.meter), options.measure);
    // A command line may hold any bytes, JSON only UTF-8.
    const std::string json = json_text(measure_json(result, options.measure.command)) + "\n";
    if (kept) write_whole_file(options.output, json);
    if (options.json)
      print_result(json);
    else
      print_message(measure_text(result));
    if (options.exports.any()) {
      if (const auto footprint = footprint_of(result, options.measure.command))
        options.exports.write(*footprint, options.carbon);
      else
        print_message("ampere: nothing is exported, since the energy is unknown\n");
    }
    return result.exit_status();
  } catch (const CannotRun& error) {
    print_message(fmt::format("ampere: {}\n", with_remedy(error)));
    return error.status();
  }
}

}  // namespace

void add_measure(CLI::App& app, const Settings& settings, const std::vector<std::string>& command,
                 int& status) {
  auto options = std::make_shared<MeasureArguments>();
  options->meter = settings.meter;
  CLI::App* verb = app.add_subcommand(
      "measure", "Runs the command after -- and prints the energy it used, by domain");
  verb->add_option("--meter", options->meter,
                   "Energy meter, such as rapl+nvml:0 (default: the best one on this machine)");
  verb->add_option("--repeat", options->measure.repeat,
                   "Number of runs; several give a mean and a standard deviation")
      ->check(whole_from_to(1, 1'000'000))
      ->capture_default_str();
  verb->add_option(
          "--idle", options->idle_s,
          "Seconds to measure before the first run, to tell what the command adds to idling")
      ->check(number_above_to(0, 86400 * 30.0));
  verb->add_option("--interval", options->interval_s, "Seconds between rows of the trace")
      ->check(number_from_to(0.001, 86400 * 30.0))
      ->capture_default_str();
  verb->add_option("--trace", options->measure.trace, "CSV file to write power over time to");
  verb->add_option("-o,--output", options->output, "File to write the result to, as JSON");
  options->exports.add_to(*verb);
  add_carbon_option(*verb, options->carbon, settings);
  verb->add_flag(
      "--json", options->json,
      "Print the result as JSON on standard output, after what the command printed there");
  add_example(*verb, "ampere measure --idle 5 --repeat 3 -- python train.py --epochs 1");
  verb->prefix_command();
  verb->callback([options, verb, command, &status] {
    // Without "--" the command begins at the first word that is not an option of ours.
    std::vector<std::string>& words = options->measure.command;
    words = verb->remaining();
    if (!words.empty() && !command.empty()) words.push_back("--");
    words.insert(words.end(), command.begin(), command.end());
    if (verb->count("--idle") > 0 && options->idle_s == 0)
      throw Error(ErrorCode::usage, "--idle: 0 is not positive");
    status = measure(*options);
  });
}

}  // namespace ampere
