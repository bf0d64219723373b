#include "report/prune_json.h"

#include "base/or_null.h"
#include "record/record_json.h"

namespace ampere {
namespace {

std::optional<double> mean_j(const std::optional<Measurement>& measurement) {
  return measurement ? std::optional(measurement->energy_j.mean) : std::nullopt;
}

Json score_json(const std::optional<TestScore>& score) {
  if (!score) return nullptr;
  return {{"accuracy", score->accuracy}, {"loss", score->loss}};
}

Json epochs_json(const PrunedNetwork& network) {
  if (!network.training) return nullptr;
  Json epochs = Json::array();
  for (const TrainingEpoch& epoch : network.training->state.epochs)
    epochs.push_back({{"loss", epoch.loss},
                      {"test", score_json(epoch.test)},
                      {"iterations", epoch.iterations},
                      {"energy_j", epoch.energy.value},
                      {"time_s", epoch.time.count()}});
  return epochs;
}

Json training_json(const PrunedNetwork& network) {
  const std::optional<TrainingEnergy> training = training_energy(network);
  if (!training) return nullptr;
  return {{"iterations", training->iterations},
          {"energy_j", training->used.value},
          {"estimated_j", training->estimated.value}};
}

Json network_json(const PrunedNetwork& network, const PruneReport& report) {
  Json widths = Json::object();
  for (std::size_t i = 0; i < network.widths.size(); ++i)
    widths[report.result.space.widths[i].name] = network.widths[i];
  Json parts = Json::array();
  for (const CostPart& part : network.parts)
    parts.push_back(
        {{"kind", part.title}, {"count", part.count}, {"energy_j_per_iteration", part.energy_j}});
  const Counts counts = count(network.model, report.task.setup.batch);
  return {{"model", network.model.name()},
          {"widths", std::move(widths)},
          {"parameters", counts.parameters},
          {"training_flops", counts.training_flops},
          {"estimated_j_per_iteration",
           {{"mean", network.estimated.energy_j},
            {"stddev", network.estimated.energy_sd},
            {"upper", network.upper_j},
            {"confidence", report.task.confidence}}},
          {"measured_j_per_iteration", or_null(mean_j(network.cost()))},
          {"measured_s_per_iteration",
           network.cost() ? Json(network.cost()->time_s.mean) : Json(nullptr)},
          {"found_at_j_per_iteration", or_null(mean_j(network.measured))},
          {"share_of_original", share_of_original(network, report.result.original)},
          {"inherited", score_json(network.inherited)},
          {"test", score_json(final_score(network))},
          {"epochs", epochs_json(network)},
          {"training", training_json(network)},
          {"parts", std::move(parts)}};
}

// The network that the first search found, as it was measured: how far the estimates alone lead.
Json first_found_json(const PruneReport& report) {
  const std::vector<PrunedNetwork>& tried = report.result.tried;
  return tried.empty() ? Json(nullptr) : network_json(tried.front(), report);
}

}  // namespace

std::optional<TestScore> final_score(const PrunedNetwork& network) {
  return network.training ? network.training->test : network.inherited;
}

double share_of_original(const PrunedNetwork& network, const PrunedNetwork& original) {
  if (network.cost() && original.cost()) return *mean_j(network.cost()) / *mean_j(original.cost());
  return network.estimated.energy_j / original.estimated.energy_j;
}

double unused_share(const PruneResult& result) {
  const double cost_j = mean_j(result.pruned.cost()).value_or(result.pruned.estimated.energy_j);
  return 1 - cost_j / result.budget_j;
}

std::optional<TrainingEnergy> training_energy(const PrunedNetwork& network) {
  if (!network.training) return std::nullopt;
  TrainingEnergy sum;
  for (const TrainingEpoch& epoch : network.training->state.epochs) {
    sum.iterations += epoch.iterations;
    sum.used.value += epoch.energy.value;
  }
  if (sum.iterations == 0 || !(sum.used.value > 0)) return std::nullopt;
  sum.estimated = Joules{static_cast<double>(sum.iterations) * network.estimated.energy_j};
  return sum;
}

Json prune_json(const PruneReport& report) {
  const PruneResult& result = report.result;
  Json others = Json::array();
  for (const PrunedNetwork& other : result.others) others.push_back(network_json(other, report));
  return {{"model", report.model},
          {"batch", report.task.setup.batch},
          {"device", device_brief_json(report.profile.device)},
          {"source", to_string(report.profile.device.source)},
          {"profile", std::to_string(report.profile.id)},
          {"method", report.task.method},
          {"search", to_string(report.task.search.kind)},
          {"budget", to_string(report.task.budget)},
          {"budget_j_per_iteration", result.budget_j},
          {"confidence", report.task.confidence},
          {"original", network_json(result.original, report)},
          {"pruned", network_json(result.pruned, report)},
          {"others", std::move(others)},
          {"first_found", first_found_json(report)},
          {"unused_share_of_budget", unused_share(result)},
          {"judged", result.judged},
          {"rounds", result.rounds},
          {"training_j", report.task.training ? Json(result.trained.value) : Json(nullptr)},
          {"warnings", result.warnings}};
}

}  // namespace ampere
