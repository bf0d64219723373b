#include "report/prune_json.h"

#include "base/or_null.h"
#include "record/record_json.h"

namespace ampere {
namespace {

std::optional<double> measured_j(const PrunedNetwork& network) {
  return network.measured ? std::optional(network.measured->energy_j.mean) : std::nullopt;
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
          {"measured_j_per_iteration", or_null(measured_j(network))},
          {"measured_s_per_iteration",
           network.measured ? Json(network.measured->time_s.mean) : Json(nullptr)},
          {"share_of_original", share_of_original(network, report.result.original)},
          {"inherited", score_json(network.inherited)},
          {"test", score_json(final_score(network))},
          {"epochs", epochs_json(network)},
          {"parts", std::move(parts)}};
}

}  // namespace

std::optional<TestScore> final_score(const PrunedNetwork& network) {
  return network.training ? network.training->test : network.inherited;
}

double share_of_original(const PrunedNetwork& network, const PrunedNetwork& original) {
  if (network.measured && original.measured) return *measured_j(network) / *measured_j(original);
  return network.estimated.energy_j / original.estimated.energy_j;
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
          {"judged", result.judged},
          {"rounds", result.rounds},
          {"training_j", report.task.training ? Json(result.trained.value) : Json(nullptr)},
          {"warnings", result.warnings}};
}

}  // namespace ampere
