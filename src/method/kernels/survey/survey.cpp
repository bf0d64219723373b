#include "method/kernels/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ampere/error.h"
#include "method/kernels/survey/fusion_test.h"
#include "method/kernels/survey/rounds.h"
#include "model/draw.h"

namespace ampere {
namespace {

constexpr int kEnoughWhole = 4;
constexpr unsigned kNarrowerSeed = 4;

void check(const Setup& setup, const SurveyOptions& options) {
  if (setup.phase != Phase::inference)
    throw Error(ErrorCode::usage,
                fmt::format("kernels are measured at inference, not at {}", to_string(setup)));
  if (options.configurations < 1)
    throw Error(ErrorCode::usage, "a survey measures one configuration at least");
}

void note_open_tests(const FusionFindings& findings, std::vector<std::string>& warnings) {
  for (const FusionTest& test : findings.tests)
    if (!test.decided)
      warnings.push_back(fmt::format("whether {}+{} is fused stays open, {}: taken as {}",
                                     test.pair.first, test.pair.second, test.note,
                                     test.fused ? "fused, as usual" : "apart, as usual"));
  if (!findings.overhead)
    warnings.push_back("an inference of nothing could not be measured: no overhead is taken off");
}

KernelFitting fit_and_keep(Store& store, std::int64_t profile, const EnergyTable& table,
                           PredictorKind kind) {
  KernelFitting fitting = fit_kernels(table, {.kind = kind});
  put_kernel_fits(store, profile, fitting.fits);
  return fitting;
}

// What a network costs against the sum of its kernels is known only from networks: the given ones,
// and narrower versions of them where they are too few to tell.
std::vector<Model> measured_whole(std::span<const Model> networks) {
  std::vector<Model> whole(networks.begin(), networks.end());
  const auto missing = std::max(0, kEnoughWhole - static_cast<int>(whole.size()));
  std::ranges::move(draw_narrower(networks, missing, kNarrowerSeed), std::back_inserter(whole));
  return whole;
}

void measure_whole(const std::vector<Model>& networks, Measurer& measurer,
                   const Precision& precision,
                   const std::function<void(const SurveyProgress&)>& progress) {
  int done = 0;
  for (const Model& network : networks) {
    measurer.get({.model = network, .purpose = Purpose::network}, precision);
    progress({"networks", network.name(), ++done, static_cast<int>(networks.size()),
              measurer.tally.failed, Seconds{0}});
  }
}

ProfileRow row_of_profile(const Store& store, std::int64_t profile) {
  for (ProfileRow& row : store.profiles())
    if (row.id == profile) return row;
  throw Error(ErrorCode::failed, fmt::format("profile {} is gone from the store", profile));
}

}  // namespace

SurveySummary run_survey(std::span<const Model> networks, Rig& rig, const std::string& rig_name,
                         Store& store, const Setup& setup, const SurveyOptions& options,
                         const std::function<void(const SurveyProgress&)>& progress) {
  check(setup, options);
  SurveySummary summary;
  summary.profile = store.open_profile(rig.device(), setup, rig_name);
  Measurer measurer(rig, store, summary.profile, setup, options.time_limit);
  summary.fusion = test_fusion(networks, measurer, options.precision,
                               [&](const OperatorPair& pair, int done, int of) {
                                 progress({"fusion", pair.first + "+" + pair.second, done, of,
                                           measurer.tally.failed, Seconds{0}});
                               });
  note_open_tests(summary.fusion, summary.warnings);
  measure_whole(measured_whole(networks), measurer, options.precision, progress);

  std::vector<TypePool> pools = make_pools(networks, summary.fusion.rules, options);
  if (pools.empty()) throw Error(ErrorCode::usage, "these networks have nothing to be measured");
  measurer.tally = {};
  const RoundsResult rounds = measure_in_rounds(std::move(pools), measurer, options, progress);
  summary.rounds = rounds.rounds;
  summary.warnings.insert(summary.warnings.end(), rounds.warnings.begin(), rounds.warnings.end());
  summary.measured = measurer.tally.measured;
  summary.known = measurer.tally.known;
  summary.failed = measurer.tally.failed;
  summary.stopped_by_time_limit = measurer.stopped;

  const EnergyTable table = kernel_table(store, row_of_profile(store, summary.profile));
  summary.gp = fit_and_keep(store, summary.profile, table, PredictorKind::gp);
  summary.forest = fit_and_keep(store, summary.profile, table, PredictorKind::forest);
  summary.composition = keep_composition(store, summary.profile);
  for (const auto& [type, reason] : summary.gp.left_out)
    summary.warnings.push_back(fmt::format("no predictor: {}", reason));
  summary.measuring = measurer.measuring;
  summary.elapsed = measurer.elapsed();
  return summary;
}

}  // namespace ampere
