#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "choosing.h"
#include "reports.h"

namespace ampere {
namespace {

struct ChooseReportArguments {
  ReportOutput output;
  ChooseOptions choose;
  std::vector<std::string> files;
};

std::vector<ReportItem> weighed(const ChooseReportArguments& options) {
  Chosen chosen;
  choose_by(options.choose, {}, chosen);
  if (!chosen.choices.least_energy) require_best(chosen);  // there would be no picture
  return {{chosen.subject.name, "", json_text(choice_json(chosen.report()))}};
}

void report_choice(const ChooseReportArguments& options) {
  if (!options.files.empty() && !options.choose.models.empty())
    throw Error(ErrorCode::usage,
                fmt::format("--from and MODEL exclude each other: leave {} out, or --from",
                            options.choose.models.front()));
  check_output(options.output);
  std::vector<ReportItem> items;
  for (const std::string& file : options.files)
    std::ranges::move(read_results(read_text_file(file), file), std::back_inserter(items));
  if (!options.choose.models.empty())
    std::ranges::move(weighed(options), std::back_inserter(items));
  if (items.empty())
    throw Error(ErrorCode::usage,
                "name a MODEL to choose for, or a file of `ampere choose --json` with --from");
  const Json first = parse_json(items.front().json, items.front().name);
  const std::string model = JsonField(first, items.front().name + ": ").at("model").text();
  const ReportHead head = head_of(options.output, fmt::format("Ways to train {}", model));
  publish(options.output, head, choose_payload(head, items));
}

}  // namespace

void add_choose_report(CLI::App& report, const Settings& settings, const std::string& words) {
  auto options = std::make_shared<ChooseReportArguments>();
  CLI::App* command = report.add_subcommand(
      "choose", "Shows ways to train a network: time against energy, what no other beats, memory");
  add_choose_options(*command, options->choose, settings, OutputIsFile::yes);
  command->get_option("MODEL")->required(false);
  command
      ->add_option("--from", options->files,
                   "File with the output of `ampere choose --json`, instead of a MODEL; may be "
                   "repeated")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  add_output_options(*command, options->output, "choose", words);
  add_example(*command, "ampere report choose resnet50:size=224 --device h200 --memory 24GB");
  command->callback([command, options] {
    note_given(*command, options->choose);
    report_choice(*options);
  });
}

}  // namespace ampere
