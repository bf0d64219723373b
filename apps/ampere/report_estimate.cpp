#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "ampere/what_if.h"
#include "estimate_options.h"
#include "knowledge.h"
#include "reports.h"

namespace ampere {
namespace {

struct Options {
  ReportOutput output;
  std::string model, profile, rig, method, store;
  ModelSource source;
  SetupOptions setup;
  bool batch_given = false;
  WorkloadOptions work;
  ConversionOptions terms;
};

// The profile that `ampere estimate` would choose, then those of the same device at other batches.
// Where no batch was given, that of the latest profile is used.
std::vector<ChosenProfile> choose_batches(const Store& store, ProfileRequest request,
                                          bool batch_given) {
  const std::vector<ProfileRow> all = store.profiles();
  const auto at_batch = [&](std::int64_t batch) {
    ProfileRequest other = request;
    other.setup.batch = batch;
    return other;
  };
  const auto fitting = [&](const ProfileRow& row) { return fits(row, at_batch(row.setup.batch)); };
  if (!batch_given &&
      std::ranges::none_of(all, [&](const auto& row) { return fits(row, request); }))
    if (const auto latest = std::ranges::find_if(all, fitting); latest != all.end())
      request.setup.batch = latest->setup.batch;
  std::vector<ChosenProfile> chosen{choose_profile(store, request)};
  request.profile = chosen.front().row.device.fingerprint;
  for (const ProfileRow& row : all)
    if (fitting(row) && std::ranges::none_of(chosen, [&](const ChosenProfile& known) {
          return known.row.setup.batch == row.setup.batch;
        }))
      chosen.push_back({row, {}});
  return chosen;
}

void require_covered(const Estimate& estimate) {
  if (estimate.uncovered.empty()) return;
  throw Error(ErrorCode::unknown,
              fmt::format("not covered: {}: {}; run `ampere profile MODEL` first",
                          estimate.uncovered.front().layer, estimate.uncovered.front().reason));
}

// What the page recomputes the estimate from, by the same method.
std::string what_if(const Store& store, const ProfileRow& row, const std::string& method,
                    const Model& model) try {
  const Knowledge known = load_knowledge(store, row, method, &model);
  if (method == "dual") return what_if_json(model, known.dual);
  if (method == "ampere") return what_if_json(model, known.blocks, row.setup);
  throw Error(ErrorCode::usage, fmt::format("method {} is not recomputed in a page", method));
} catch (const Error& error) {
  return Json{{"reason", error.what()}}.dump();
}

struct Answers {
  std::vector<ReportItem> estimates;
  std::vector<std::string> what_ifs;
};

void answer(const Options& options, const Store& store, const Model& model,
            const ChosenProfile& chosen, Answers& answers) {
  const Workload workload = options.work.workload(chosen.row.setup.batch);
  Answer found = Answerer(store, chosen.row, options.method, &model)(model, workload);
  require_covered(found.estimate);
  EstimateReport report{options.model,
                        std::move(found.method),
                        chosen.row.setup,
                        workload,
                        &chosen.row,
                        std::move(found.estimate),
                        {}};
  std::vector<std::string>& warnings = report.estimate.warnings;
  warnings.insert(warnings.end(), chosen.warnings.begin(), chosen.warnings.end());
  report.estimate.source = std::max(report.estimate.source, chosen.row.device.source);
  answers.estimates.push_back({options.model, std::to_string(chosen.row.id),
                               estimate_json(report, options.terms.conversions()).dump()});
  answers.what_ifs.push_back(what_if(store, chosen.row, report.method, model));
}

void report_estimate(const Options& options) {
  check_method(options.method);
  const Setup setup = options.setup.setup();
  options.work.workload(setup.batch);
  options.terms.conversions();
  const Model model = options.source.open(options.model);
  check_output(options.output);
  const auto store = open_store(options.store, Access::read);
  const std::vector<ChosenProfile> chosen = choose_batches(
      *store, ProfileRequest{setup, options.profile, options.rig}, options.batch_given);
  Answers answers;
  for (const ChosenProfile& profile : chosen) try {
      answer(options, *store, model, profile, answers);
    } catch (const Error& error) {
      // Another batch than the asked one may know less.
      if (answers.estimates.empty() || error.code() != ErrorCode::unknown) throw;
    }
  const ReportHead head = head_of(options.output, fmt::format("Training {} on {}", options.model,
                                                              chosen.front().row.device.name));
  publish(options.output, head, estimate_payload(head, answers.estimates, answers.what_ifs));
}

}  // namespace

void add_estimate_report(CLI::App& report, const Settings& settings, const std::string& words) {
  auto options = std::make_shared<Options>();
  CLI::App* command = report.add_subcommand("estimate",
                                            "Shows what a network costs, in which parts, how "
                                            "certain that is, and what narrower versions cost");
  add_model_argument(*command, options->model);
  add_onnx_options(*command, options->source, OutputIsFile::yes);
  add_setup_options(*command, options->setup, settings);
  add_workload_options(*command, options->work, settings);
  add_method_option(*command, options->method);
  add_profile_option(*command, options->profile);
  command->add_option("--rig", options->rig, "Use only profiles that were taken with this rig");
  add_conversion_options(*command, options->terms, settings);
  add_store_option(*command, options->store, settings);
  add_output_options(*command, options->output, "estimate", words);
  add_example(*command, "ampere report estimate cnn5 --iterations 2000 --battery 50Wh");
  command->callback([command, options] {
    options->batch_given = command->get_option("--batch")->count() > 0;
    report_estimate(*options);
  });
}

}  // namespace ampere
