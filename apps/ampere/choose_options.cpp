#include "choose_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ampere/error.h"
#include "base/amounts.h"
#include "base/json.h"
#include "base/text.h"
#include "ranges.h"
#include "script_argument.h"

namespace ampere {
namespace {

constexpr const char* kGridOptions[] = {"--batch", "--precision", "--optimizer", "--accumulate",
                                        "--fused", "--compile",   "--compiled",  "--channels-last"};

std::vector<std::string> words_of(const std::string& list, const char* option) {
  std::vector<std::string> words;
  for (const std::string& word : split(list, ',')) words.emplace_back(trim(word));
  if (words.size() == 1 && words[0].empty())
    throw Error(ErrorCode::usage,
                fmt::format("{}: the list is empty; name what to choose from", option));
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].empty())
      throw Error(ErrorCode::usage, fmt::format("{}: '{}' has an empty entry", option, list));
    if (std::find(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(i), words[i]) !=
        words.begin() + static_cast<std::ptrdiff_t>(i))
      throw Error(ErrorCode::usage, fmt::format("{}: {} occurs twice", option, words[i]));
  }
  if (words.size() > kMostCandidates)
    throw Error(ErrorCode::usage, fmt::format("{}: {} entries are more than {}", option,
                                              words.size(), kMostCandidates));
  return words;
}

std::vector<std::int64_t> whole_numbers(const std::string& list, const char* option) {
  std::vector<std::int64_t> numbers;
  for (const std::string& word : words_of(list, option)) {
    if (const std::string fault = whole_from_to(1, kLargestBatch)(word); !fault.empty())
      throw Error(ErrorCode::usage, fmt::format("{}: {}", option, fault));
    numbers.push_back(parse_integer(word, option));
  }
  return numbers;
}

std::vector<bool> truths(const std::string& list, const char* option) {
  std::vector<bool> values;
  for (const std::string& word : words_of(list, option)) {
    if (word != "no" && word != "yes")
      throw Error(ErrorCode::usage, fmt::format("{}: '{}' is neither no nor yes", option, word));
    values.push_back(word == "yes");
  }
  return values;
}

// With the name of the option before what is wrong.
template <class Parse>
auto parsed(const std::string& list, const char* option, Parse parse) {
  std::vector<std::decay_t<decltype(parse(list))>> values;
  for (const std::string& word : words_of(list, option)) try {
      values.push_back(parse(word));
    } catch (const Error& error) {
      throw error.saying(fmt::format("{}: {}", option, error.what()));
    }
  return values;
}

SetupGrid grid_of(const ChooseOptions& options) {
  SetupGrid grid;
  grid.batches = whole_numbers(options.batches, "--batch");
  grid.precisions = parsed(options.precisions, "--precision", parse_number_format);
  grid.optimizers = parsed(options.optimizers, "--optimizer", parse_optimizer);
  grid.accumulations = whole_numbers(options.accumulations, "--accumulate");
  grid.fused = truths(options.fused, "--fused");
  grid.compiled = truths(options.compiled, "--compile");
  grid.channels_last = truths(options.channels_last, "--channels-last");
  grid.samples_per_update = options.effective_batch;
  if (options.effective_batch &&
      std::ranges::find(options.given, "--accumulate") != options.given.end())
    throw Error(ErrorCode::usage,
                "--effective-batch and --accumulate both say how often a batch is accumulated; "
                "give only one");
  grid.common.weight_decay = options.weight_decay;
  grid.common.plain_attention = options.attention == "plain";
  return grid;
}

// The values of a setup under the names that scripts give to their arguments.
Json argument_of(const Setup& setup, const std::string& option) {
  if (option == "--batch") return setup.batch;
  if (option == "--precision") return setup.precision;
  if (option == "--optimizer") return to_string(setup.optimizer);
  if (option == "--accumulate") return setup.options.accumulation;
  if (option == "--fused") return setup.options.fused;
  if (option == "--compile" || option == "--compiled") return setup.options.compiled;
  return setup.options.channels_last;
}

std::string argument_name(const std::string& option) {
  std::string name = option.substr(2);
  std::ranges::replace(name, '-', '_');
  return name;
}

// Each setup becomes arguments of the script's function, as far as the user listed them.
std::vector<Candidate> script_candidates(const Script& script, const ChooseOptions& options) {
  std::vector<std::string> listed = options.given;
  if (options.effective_batch) listed.emplace_back("--accumulate");
  if (listed.empty())
    throw Error(ErrorCode::usage,
                "name what a script is to be chosen by, as in --batch 16,32,64: every value is "
                "passed as the argument of that name");
  std::vector<Candidate> candidates;
  const Json own = parse_json(script.arguments, "--arg");
  for (const std::string& option : listed)
    if (own.contains(argument_name(option)))
      throw Error(ErrorCode::usage, fmt::format("{} and --arg {} both say it; give only one",
                                                option, argument_name(option)));
  SetupGrid grid = grid_of(options);
  if (std::ranges::find(listed, "--batch") == listed.end()) grid.batches.resize(1);
  if (std::ranges::find(listed, "--precision") == listed.end()) grid.precisions.resize(1);
  if (std::ranges::find(listed, "--optimizer") == listed.end()) grid.optimizers.resize(1);
  for (Candidate& candidate : candidates_of(grid)) {
    const Setup setup = std::get<Setup>(candidate.how);
    Json arguments = own;
    std::vector<std::string> parts;
    for (const std::string& option : listed) {
      const Json value = argument_of(setup, option);
      arguments[argument_name(option)] = value;
      parts.push_back(fmt::format("{} {}", argument_name(option),
                                  value.is_string() ? value.get<std::string>() : value.dump()));
    }
    Script step = script;
    step.arguments = arguments.dump();
    candidates.push_back(
        {fmt::format("{}", fmt::join(parts, ", ")), std::move(step), candidate.refused});
  }
  return candidates;
}

std::int64_t bytes_of(const std::string& text) {
  return static_cast<std::int64_t>(parse_memory(text, "--memory"));
}

void add_list_options(CLI::App& command, ChooseOptions& options, const Settings& settings) {
  options.optimizers = settings.optimizer;
  command.add_option("--batch", options.batches, "Samples per batch to choose from")
      ->capture_default_str();
  command
      .add_option("--precision", options.precisions,
                  "Number formats to choose from: fp32, tf32, bf16, fp16")
      ->capture_default_str();
  command
      .add_option("--optimizer", options.optimizers,
                  "Optimizers to choose from: sgd (with momentum 0.9), plain-sgd, adam, adamw")
      ->capture_default_str();
  command
      .add_option("--accumulate", options.accumulations,
                  "Micro-batches per optimizer step to choose from; --batch is the size of each")
      ->capture_default_str();
  command
      .add_option("--effective-batch", options.effective_batch,
                  "Samples per optimizer step, instead of --accumulate: every batch is accumulated "
                  "as often as it takes")
      ->check(whole_from_to(1, kLargestBatch));
  command
      .add_option("--fused", options.fused,
                  "Fused implementation of the optimizer: no, yes, or no,yes to choose")
      ->capture_default_str();
  CLI::Option* compile = command
                             .add_option("--compile", options.compiled,
                                         "Compile the network: no, yes, or no,yes to choose")
                             ->capture_default_str();
  command
      .add_option("--compiled", options.compiled,
                  "The same; a script gets it as its argument `compiled`")
      ->excludes(compile);
  command
      .add_option("--channels-last", options.channels_last,
                  "Images in channels-last order: no, yes, or no,yes to choose")
      ->capture_default_str();
  command
      .add_option("--weight-decay", options.weight_decay,
                  "Weight decay of the optimizer (default: 0.01 for adamw, otherwise 0)")
      ->check(number_from_to(0, 1));
  command
      .add_option("--attention", options.attention, "fused (where the framework has it) or plain")
      ->check(CLI::IsMember({"fused", "plain"}))
      ->capture_default_str();
}

void add_goal_options(CLI::App& command, ChooseOptions& options, const Settings& settings) {
  options.confidence = settings.confidence;
  command
      .add_option("--samples", options.samples,
                  "Number of samples in the training set; all alternatives train on the same")
      ->check(whole_from_to(1, kMostIterations))
      ->capture_default_str();
  command.add_option("--epochs", options.epochs, "Number of epochs")
      ->check(whole_from_to(1, kMostEpochs))
      ->capture_default_str();
  command.add_option("--objective", options.objective, "What to minimise: energy or time")
      ->check(CLI::IsMember({"energy", "time"}))
      ->capture_default_str();
  command.add_option("--budget", options.budget, "Energy not to be exceeded, as in 5kWh");
  command.add_option("--deadline", options.deadline, "Time not to be exceeded, as in 12h");
  command.add_option("--memory", options.memory, "Memory of the device, as in 24GB or 80GiB");
  command.add_option("--confidence", options.confidence, "Probability that the intervals hold")
      ->check(share())
      ->capture_default_str();
}

}  // namespace

void add_choose_options(CLI::App& command, ChooseOptions& options, const Settings& settings,
                        OutputIsFile output) {
  command
      .add_option("MODEL", options.models,
                  "Zoo name, path to a .onnx or .json model file, a training step of your own, "
                  "FILE.py:FUNCTION, with traced .program files of it behind, or several "
                  ".program files to choose from")
      ->required();
  add_onnx_options(command, options.source, output);
  add_script_arguments(command, options.arguments);
  add_list_options(command, options, settings);
  add_goal_options(command, options, settings);
  add_method_option(command, options.method);
  add_profile_option(command, options.profile);
  command
      .add_option("--profiles", options.profiles,
                  "all: compare every device of which there is a profile, those that came with the "
                  "program too")
      ->check(CLI::IsMember({"all"}));
  command.add_option("--device", options.device,
                     "Device to estimate for, by part of its name; also those that came with the "
                     "program, which need no store");
  add_rig_options(command, options.rig, settings);
  add_store_option(command, options.store, settings);
}

void note_given(const CLI::App& command, ChooseOptions& options) {
  for (const char* option : kGridOptions)
    if (command.count(option) > 0) options.given.emplace_back(option);
  options.rig_given = command.count("--rig") > 0;
}

Goal goal_of(const ChooseOptions& options) {
  Goal goal;
  goal.wish = parse_wish(options.objective);
  goal.samples = options.samples;
  goal.epochs = options.epochs;
  if (goal.samples > kMostIterations / goal.epochs)
    throw Error(ErrorCode::usage, fmt::format("--epochs: {} times {} samples are more than {}",
                                              goal.epochs, goal.samples, kMostIterations));
  goal.confidence = options.confidence;
  if (!options.budget.empty()) goal.most_energy = parse_energy(options.budget, "--budget");
  if (!options.deadline.empty()) goal.most_time = parse_time_span(options.deadline, "--deadline");
  if (!options.memory.empty()) goal.memory_bytes = bytes_of(options.memory);
  return goal;
}

ChoiceSubject open_choice(const ChooseOptions& options) {
  ChoiceSubject subject;
  subject.name = fmt::format("{}", fmt::join(options.models, ", "));
  std::vector<std::string> networks, programs;
  for (const std::string& text : options.models)
    (text.ends_with(".program") ? programs : networks).push_back(text);
  if (!networks.empty()) subject.name = networks.front();
  const auto add_programs = [&] {
    const Model* model = subject.model ? &*subject.model : nullptr;
    for (const std::string& path : programs)
      add_program(subject.candidates, path, load_program(path), model);
    return subject;
  };
  if (networks.empty()) {
    if (!options.given.empty() || options.effective_batch)
      throw Error(ErrorCode::usage,
                  fmt::format("{}: traced iterations have a setup that is fixed; leave it out, and "
                              "name one .program file per alternative",
                              options.given.empty() ? "--effective-batch" : options.given.front()));
    if (!options.arguments.empty())
      throw Error(ErrorCode::usage, "--arg: traced iterations take no arguments");
    return add_programs();
  }
  if (networks.size() > 1)
    throw Error(ErrorCode::usage,
                fmt::format("{}: choose is for one network; name traced .program files behind it",
                            networks[1]));
  if (const auto script = script_argument(networks.front(), options.arguments)) {
    subject.candidates = script_candidates(*script, options);
    subject.has_scripts = true;
    return add_programs();
  }
  subject.candidates = candidates_of(grid_of(options));
  subject.model = options.source.open(networks.front());
  return add_programs();
}

ProfileQuery query_of(const ChooseOptions& options) {
  const int ways = (options.device.empty() ? 0 : 1) + (options.profile.empty() ? 0 : 1) +
                   (options.profiles.empty() ? 0 : 1);
  if (ways > 1)
    throw Error(ErrorCode::usage,
                "--device, --profile and --profiles all choose profiles; give only one");
  check_method(options.method);
  ProfileQuery query;
  query.profile = options.profile;
  query.device = options.device;
  if (options.rig_given && options.device.empty() && options.profiles.empty())
    query.rig = options.rig.rig;
  query.rig_options = options.rig.options();
  query.method = options.method;
  return query;
}

}  // namespace ampere
