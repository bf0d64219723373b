#include "kernels_output.h"

#include <fmt/format.h>

#include "base/text.h"
#include "print.h"
#include "profile_options.h"
#include "record/record_json.h"

namespace ampere {
namespace {

Json accuracy_json(const std::optional<Accuracy>& accuracy) {
  if (!accuracy) return nullptr;
  return {{"mape", accuracy->mape},           {"bias", accuracy->bias},
          {"rmspe", accuracy->rmspe},         {"within_5", accuracy->within_5},
          {"within_10", accuracy->within_10}, {"within_15", accuracy->within_15}};
}

void add_cells(std::vector<std::string>& row, const std::optional<Accuracy>& accuracy) {
  if (!accuracy) {
    row.insert(row.end(), 5, "-");
    return;
  }
  for (const double share : {accuracy->mape, accuracy->rmspe, accuracy->within_5,
                             accuracy->within_10, accuracy->within_15})
    row.push_back(percent(share));
}

void print_fusion(const FusionFindings& findings) {
  std::vector<std::vector<std::string>> rows{
      {"neighbours", "together", "first", "second", "times", "verdict", "usual"}};
  for (const FusionTest& test : findings.tests) {
    const auto cost = [&](const RunCost& run) {
      return test.rounds == 0 ? "-" : with_unit(run.energy_j.mean, "J");
    };
    rows.push_back(
        {test.pair.first + "+" + test.pair.second, cost(test.together), cost(test.apart_first),
         cost(test.apart_second), std::to_string(test.rounds),
         fmt::format("{}{}", test.fused ? "fused" : "apart", test.decided ? "" : ", not decided"),
         default_fusion_rules().fuses(test.pair.first, test.pair.second) ? "fused" : "apart"});
  }
  print_table(rows);
  if (findings.overhead)
    fmt::print("overhead per inference without kernels: {}, {}\n",
               with_unit(findings.overhead->energy_j.mean, "J"),
               with_unit(findings.overhead->time_s.mean, "s"));
}

}  // namespace

Json composition_json(const std::optional<KernelComposition>& composition) {
  if (!composition) return nullptr;
  return {{"networks", composition->networks},
          {"energy_scale", composition->energy.scale},
          {"energy_j_each", composition->energy.each},
          {"time_scale", composition->time.scale},
          {"time_s_each", composition->time.each}};
}

void print_composition(const std::optional<KernelComposition>& composition) {
  if (!composition) return;
  fmt::print(
      "{} whole networks measured: energy is {:.2f} times the sum of their kernels plus {} per "
      "network, time {:.2f} times plus {}\n",
      composition->networks, composition->energy.scale, with_unit(composition->energy.each, "J"),
      composition->time.scale, with_unit(composition->time.each, "s"));
}

Json fittings_json(const std::vector<FittedKernels>& fitted) {
  Json fits = Json::array(), left_out = Json::object();
  for (const FittedKernels& of_kind : fitted) {
    for (const auto& [type, fit] : of_kind.fits)
      fits.push_back({{"kernel", type},
                      {"predictor", to_string(fit.kind)},
                      {"rows", fit.rows},
                      {"energy", accuracy_json(fit.energy_accuracy)},
                      {"time", accuracy_json(fit.time_accuracy)}});
    for (const auto& [type, reason] : of_kind.left_out) left_out[type] = reason;
  }
  return {{"fits", std::move(fits)}, {"left_out", std::move(left_out)}};
}

void print_fittings(const std::vector<FittedKernels>& fitted) {
  std::vector<std::vector<std::string>> rows{{"kernel", "predictor", "rows", "energy MAPE", "RMSPE",
                                              "5 %", "10 %", "15 %", "time MAPE", "RMSPE", "5 %",
                                              "10 %", "15 %"}};
  for (const FittedKernels& of_kind : fitted)
    for (const auto& [type, fit] : of_kind.fits) {
      rows.push_back({type, to_string(fit.kind), std::to_string(fit.rows)});
      add_cells(rows.back(), fit.energy_accuracy);
      add_cells(rows.back(), fit.time_accuracy);
    }
  print_table(rows);
  if (fitted.empty()) return;
  for (const auto& [type, reason] : fitted.front().left_out)
    fmt::print("no predictor for {}: {}\n", type, reason);
}

Json survey_json(const SurveySummary& summary, const DeviceInfo& device) {
  Json json{{"profile", std::to_string(summary.profile)},
            {"device", device_brief_json(device)},
            {"source", to_string(device.source)},
            {"mode", "inference"},
            {"measured", summary.kernels.measured},
            {"known", summary.kernels.known},
            {"failed", summary.kernels.failed},
            {"rounds", summary.rounds},
            {"seconds", summary.elapsed.count()},
            {"measuring_s", summary.measuring.count()},
            {"stopped_by_time_limit", summary.stopped_by_time_limit},
            {"fusion", parse_json(to_json(summary.fusion), "fusion")},
            {"composition", composition_json(summary.composition)}};
  json.update(fittings_json({summary.gp, summary.forest}));
  json["warnings"] = summary.warnings;
  return json;
}

void print_survey(const SurveySummary& summary, const DeviceInfo& device) {
  print_fusion(summary.fusion);
  fmt::print("\n");
  print_fittings({summary.gp, summary.forest});
  print_composition(summary.composition);
  fmt::print("profile {} on {} ({}): {} measured, {} known, {} failed, in {:.1f} s{}\n",
             summary.profile, device.name, to_string(device.source),
             counted(summary.kernels.measured, "kernel"), summary.kernels.known,
             summary.kernels.failed, summary.elapsed.count(),
             limit_text(summary.stopped_by_time_limit));
}

Json plan_json(const SurveyPlan& plan, const DeviceInfo& device, double seconds_each) {
  Json types = Json::array();
  for (const SurveyPlan::Type& type : plan.types)
    types.push_back({{"kernel", type.type},
                     {"in_networks", type.in_networks},
                     {"first_round", type.first_round},
                     {"known", type.known}});
  return {{"device", device.name},
          {"fusion_pairs", plan.fusion_pairs},
          {"at_most", plan.at_most},
          {"about_s", seconds_each * (3 * plan.fusion_pairs + plan.at_most)},
          {"types", std::move(types)}};
}

void print_plan(const SurveyPlan& plan, const DeviceInfo& device, double seconds_each) {
  std::vector<std::vector<std::string>> rows{{"kernel", "in networks", "first round", "known"}};
  for (const SurveyPlan::Type& type : plan.types)
    rows.push_back({type.type, std::to_string(type.in_networks), std::to_string(type.first_round),
                    std::to_string(type.known)});
  print_table(rows);
  fmt::print("{}; {} of neighbours to test, then at most {}, about {} on {}\n",
             counted(std::ssize(plan.types), "type"), counted(plan.fusion_pairs, "pair"),
             counted(plan.at_most, "kernel"),
             duration(seconds_each * (3 * plan.fusion_pairs + plan.at_most)), device.name);
}

}  // namespace ampere
