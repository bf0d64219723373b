#include "report/evaluate_json.h"

#include <set>

#include "ampere/block.h"
#include "base/or_null.h"
#include "evaluate/evaluation_json.h"
#include "record/record_json.h"

namespace ampere {
namespace {

Json method_json(const MethodRecord& method, const MethodScore& score) {
  Json json = score.energy ? accuracy_fields(score.energy) : Json::object();
  json["time"] = accuracy_fields(score.time);
  json["steady_host"] = accuracy_fields(score.steady);
  json["at_hand"] = accuracy_fields(score.at_hand);
  if (score.at_hand) json["at_hand"]["time"] = accuracy_fields(score.at_hand_time);
  json["compared"] = score.compared;
  json["points"] = method.points;
  json["seconds"] = method.seconds.count();
  return json;
}

struct Blocks {
  std::size_t blocks = 0, kinds = 0;
};

Blocks count_blocks(const Model& model) {
  std::set<std::string> kinds;
  const std::vector<Block> blocks = parse_blocks(model);
  for (const Block& block : blocks) kinds.insert(block.kind->key);
  return {blocks.size(), kinds.size()};
}

Json network_json(const EvaluatedNetwork& network, std::int64_t batch) {
  Json energies = Json::array(), times = Json::array();
  for (const Measurement& measurement : network.measurements) {
    energies.push_back(measurement.energy_j.mean);
    times.push_back(measurement.time_s.mean);
  }
  Json estimates = Json::object(), time_estimates = Json::object(), reasons = Json::object();
  for (const auto& [method, estimate] : network.estimates) {
    estimates[method] = predicted_json(estimate.energy_j);
    time_estimates[method] = predicted_json(estimate.time_s);
    if (!estimate.reason.empty()) reasons[method] = estimate.reason;
  }
  Json at_hand = Json::array();
  for (const std::optional<NetworkEstimate>& estimate : network.at_hand)
    at_hand.push_back(estimate ? predicted_json(estimate->energy_j) : Json(nullptr));
  const Counts counts = count(network.model, batch);
  const Blocks cut = count_blocks(network.model);
  return {{"model", network.model.name()},
          {"measured_j_per_iteration", std::move(energies)},
          {"measured_s_per_iteration", std::move(times)},
          {"estimates", std::move(estimates)},
          {"time_estimates", std::move(time_estimates)},
          {"at_hand_estimates", std::move(at_hand)},
          {"reasons", std::move(reasons)},
          {"training_flops", counts.training_flops},
          {"parameters", counts.parameters},
          {"blocks", cut.blocks},
          {"kinds", cut.kinds},
          {"failure", network.failure.empty() ? Json(nullptr) : Json(network.failure)}};
}

}  // namespace

Json accuracy_fields(const std::optional<Accuracy>& accuracy) {
  if (!accuracy) return nullptr;
  return {{"mape", accuracy->mape},
          {"bias", accuracy->bias},
          {"rmspe", accuracy->rmspe},
          {"within_5", accuracy->within_5},
          {"within_10", accuracy->within_10},
          {"within_15", accuracy->within_15},
          {"coverage_90", or_null(accuracy->coverage)}};
}

Json evaluation_json(const Evaluation& evaluation) {
  const Scores scores = score(evaluation);
  Json methods = Json::object(), networks = Json::array();
  for (const MethodRecord& method : evaluation.methods)
    methods[method.name] = method_json(method, scores.methods.at(method.name));
  for (const EvaluatedNetwork& network : evaluation.networks)
    networks.push_back(network_json(network, evaluation.setup.batch));
  return {{"family", evaluation.family},
          {"mode", evaluation.setup.phase == Phase::inference ? "inference" : "training"},
          {"batch", evaluation.setup.batch},
          {"device", device_brief_json(evaluation.device)},
          {"environment", device_json(evaluation.device)},
          {"setup", setup_json(evaluation.setup)},
          {"seed", evaluation.seed},
          {"begun_at", evaluation.begun_at},
          {"source", to_string(evaluation.device.source)},
          {"profile_seconds", evaluation.profile_seconds.count()},
          {"repeat_noise",
           {{"mape", or_null(scores.energy_repeat_noise)},
            {"time_mape", or_null(scores.time_repeat_noise)},
            {"steady_host_mape", or_null(scores.steady_repeat_noise)}}},
          {"confidence", kEvaluationConfidence},
          {"host_drift", or_null(scores.host_drift)},
          {"methods", std::move(methods)},
          {"networks", std::move(networks)}};
}

}  // namespace ampere
