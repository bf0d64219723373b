#include <fmt/format.h>

#include "ampere/error.h"
#include "base/json_text.h"
#include "estimate_options.h"
#include "front_door.h"
#include "print.h"
#include "profile_command.h"
#include "reports.h"

namespace ampere {
namespace {

struct EstimateReportArguments {
  ReportOutput output;
  std::string model, profile, rig, method, store;
  ModelSource source;
  SetupOptions setup;
  bool batch_given = false;
  WorkloadOptions work;
  ConversionOptions terms;
};

void require_covered(const Estimate& estimate) {
  if (estimate.uncovered.empty()) return;
  throw Error(ErrorCode::unknown,
              fmt::format("not covered: {}: {}; profile it first", estimate.uncovered.front().layer,
                          estimate.uncovered.front().reason),
              Remedy::profile);
}

// What the page recomputes the estimate from, by the same method.
std::string what_if(const Session& session, const ProfileRow& row, const std::string& method,
                    const Model& model) try {
  return session.estimator(row, method, &model)->what_if(model);
} catch (const Error& error) {
  return json_text(Json{{"reason", error.what()}});
}

// The page compares widths, of which only one may have been run: there the laws alone answer for
// each.
Answer by_laws_alone(const Session& session, Answer leaning, const Model& model,
                     const Workload& workload) {
  if (leaning.estimate.earlier_runs == 0) return leaning;
  Answer answer = std::move(leaning);
  const double leaned_j = answer.estimate.energy_j->mean;
  Estimate by_laws =
      session.estimator(answer.profile.row, answer.method, &model)->estimate(model, workload);
  by_laws.source = answer.estimate.source;
  by_laws.warnings.push_back(
      fmt::format("this network was run before, and `ampere estimate` leans on that: it says {}; "
                  "this page compares widths, so it asks the laws alone",
                  with_unit(leaned_j, "J")));
  answer.estimate = std::move(by_laws);
  return answer;
}

struct Answers {
  std::vector<ReportItem> estimates;
  std::vector<std::string> what_ifs;
};

void answer(const EstimateReportArguments& options, const Session& session, const Model& model,
            const ChosenProfile& chosen, Answers& answers) {
  const Workload workload = options.work.workload(chosen.row.setup.batch);
  const Answer found = by_laws_alone(
      session, session.estimate(model, chosen, options.method, workload), model, workload);
  require_covered(found.estimate);
  const EstimateReport report{
      options.model, found.method, chosen.row.setup, workload, &chosen.row, found.estimate, {}};
  answers.estimates.push_back({options.model, std::to_string(chosen.row.id),
                               json_text(estimate_json(report, options.terms.conversions()))});
  answers.what_ifs.push_back(what_if(session, chosen.row, report.method, model));
}

void report_known(const EstimateReportArguments& options) {
  check_method(options.method);
  const Setup setup = options.setup.setup();
  options.work.workload(setup.batch);
  options.terms.conversions();
  const Model model = options.source.open(options.model);
  check_output(options.output);
  const Session session = open_session(options.store, Access::read);
  const std::vector<ChosenProfile> chosen =
      session.choose_batches({.setup = setup,
                              .any_batch = !options.batch_given,
                              .profile = options.profile,
                              .rig = options.rig});
  Answers answers;
  for (const ChosenProfile& profile : chosen) try {
      answer(options, session, model, profile, answers);
    } catch (const Error& error) {
      // Another batch than the asked one may know less.
      if (answers.estimates.empty() || error.code() != ErrorCode::unknown) throw;
    }
  const ReportHead head = head_of(options.output, fmt::format("Training {} on {}", options.model,
                                                              chosen.front().row.device.name));
  publish(options.output, head, estimate_payload(head, answers.estimates, answers.what_ifs), true);
}

void report_estimate(const EstimateReportArguments& options) try {
  report_known(options);
} catch (const Error& error) {
  if (error.remedy() != Remedy::profile) throw;
  const std::string rig = options.rig.empty()
                              ? rig_of(open_preview_session(options.store).store().profiles())
                              : options.rig;
  throw with_profile_command(error, {options.model, options.setup.setup(), rig});
}

}  // namespace

void add_estimate_report(CLI::App& report, const Settings& settings, const std::string& words) {
  auto options = std::make_shared<EstimateReportArguments>();
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
