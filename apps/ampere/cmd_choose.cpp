#include <fmt/format.h>

#include "base/json_text.h"
#include "choose_output.h"
#include "choosing.h"
#include "commands.h"
#include "profile_options.h"
#include "ranges.h"

namespace ampere {
namespace {

struct ChooseArguments {
  ChooseOptions choose;
  MeasuringOptions measuring;
  int check = 0;
  bool no_learning = false, json = false;
};

void choose(const ChooseArguments& options) {
  const ChoiceChecks checks{options.check, options.measuring.precision(),
                            options.no_learning ? Learning::no : Learning::yes};
  Chosen chosen;
  choose_by(options.choose, checks, chosen);
  if (options.json)
    fmt::print("{}\n", json_text(choice_json(chosen.report())));
  else
    print_choice(chosen);
  require_best(chosen);
}

}  // namespace

void add_choose(CLI::App& app, const Settings& settings) {
  auto options = std::make_shared<ChooseArguments>();
  CLI::App* command = app.add_subcommand(
      "choose",
      "Compares batch sizes, number formats, optimizers and devices for the same samples: least "
      "energy, least time, what lies between, and what fits into memory");
  add_choose_options(*command, options->choose, settings, OutputIsFile::no);
  command
      ->add_option("--check", options->check,
                   "Measure so many of the most promising ones, and say whether their order held")
      ->check(whole_from_to(1, static_cast<std::int64_t>(kMostCandidates)));
  command->add_flag("--no-learning", options->no_learning,
                    "Do not use what --check measures for later estimates");
  add_measuring_options(*command, options->measuring);
  add_steady_option(*command, options->measuring, options->choose.rig);
  add_json_flag(*command, options->json);
  add_wide_flag(*command);
  add_example(*command,
              "ampere choose resnet50:size=224 --batch 16,32,64,128 --memory 24GB --device h200");
  command->callback([command, options] {
    note_given(*command, options->choose);
    choose(*options);
  });
}

}  // namespace ampere
