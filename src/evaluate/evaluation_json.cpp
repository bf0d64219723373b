#include "evaluate/evaluation_json.h"

#include <fmt/format.h>

#include "base/or_null.h"
#include "evaluate/evaluation_format.h"
#include "model/model_json.h"
#include "record/record_json.h"

namespace ampere {
namespace {

constexpr const char* kFormat = "ampere-evaluation";

std::optional<Interval> read_predicted(const JsonField& json, const std::string& key) {
  if (!json.has(key)) return std::nullopt;
  const JsonField value = json.at(key);
  const double mean = value.at("mean").number();
  const auto low = value.optional_number("low"), high = value.optional_number("high");
  return low && high ? Interval{mean, *low, *high, kEvaluationConfidence} : point(mean);
}

Json estimate_json(const NetworkEstimate& estimate) {
  return {{"energy_j", predicted_json(estimate.energy_j)},
          {"time_s", predicted_json(estimate.time_s)},
          {"reason", estimate.reason}};
}

NetworkEstimate read_estimate(const JsonField& json) {
  return {read_predicted(json, "energy_j"), read_predicted(json, "time_s"),
          json.text_or("reason", "")};
}

Json network_json(const EvaluatedNetwork& network) {
  Json estimates = Json::object(), measurements = Json::array(), paces = Json::array();
  Json at_hand = Json::array();
  for (const auto& [method, estimate] : network.estimates)
    estimates[method] = estimate_json(estimate);
  for (const std::optional<NetworkEstimate>& estimate : network.at_hand)
    at_hand.push_back(estimate ? estimate_json(*estimate) : Json(nullptr));
  for (const Measurement& measurement : network.measurements)
    measurements.push_back(measurement_json(measurement));
  for (const std::optional<Pace>& pace : network.paces)
    paces.push_back(pace ? pace_json(*pace) : Json(nullptr));
  return {{"model", model_json(network.model)},
          {"estimates", std::move(estimates)},
          {"measurements", std::move(measurements)},
          {"paces", std::move(paces)},
          {"device_s", or_null(network.device_s)},
          {"failure", network.failure},
          {"at_hand", std::move(at_hand)}};
}

Json steady_json(const std::optional<SteadyHost>& host) {
  if (!host) return nullptr;
  return {{"reference", model_json(host->reference)},
          {"reference_s", host->reference_s},
          {"latest_s", host->latest_s},
          {"ready_w", host->ready_w}};
}

SteadyHost read_steady(const JsonField& json) {
  SteadyHost host{read_model(json.at("reference")), json.at("reference_s").number(),
                  json.at("ready_w").number()};
  if (json.has("latest_s"))
    for (const JsonField& time : json.at("latest_s").items())
      host.latest_s.push_back(time.number());
  return host;
}

EvaluatedNetwork read_network(const JsonField& json) {
  EvaluatedNetwork network;
  network.model = read_model(json.at("model"));
  const JsonField estimates = json.at("estimates");
  for (const std::string& method : estimates.keys()) {
    network.estimates[method] = read_estimate(estimates.at(method));
  }
  if (json.has("at_hand"))
    for (const JsonField& estimate : json.at("at_hand").items())
      network.at_hand.push_back(estimate.json().is_null() ? std::nullopt
                                                          : std::optional(read_estimate(estimate)));
  for (const JsonField& measurement : json.at("measurements").items())
    network.measurements.push_back(read_measurement(measurement));
  if (json.has("paces"))
    for (const JsonField& pace : json.at("paces").items())
      network.paces.push_back(pace.json().is_null() ? std::nullopt
                                                    : std::optional(read_pace(pace)));
  network.device_s = json.optional_number("device_s");
  network.failure = json.text_or("failure", "");
  return network;
}

}  // namespace

Json predicted_json(const std::optional<Interval>& predicted) {
  if (!predicted) return nullptr;
  const bool is_point = predicted->confidence == 0;
  return {{"mean", predicted->mean},
          {"low", is_point ? Json(nullptr) : Json(predicted->low)},
          {"high", is_point ? Json(nullptr) : Json(predicted->high)}};
}

std::string to_text(const Evaluation& evaluation) {
  Json methods = Json::array(), networks = Json::array();
  for (const MethodRecord& method : evaluation.methods)
    methods.push_back(
        {{"name", method.name}, {"points", method.points}, {"seconds", method.seconds.count()}});
  for (const EvaluatedNetwork& network : evaluation.networks)
    networks.push_back(network_json(network));
  return Json{{"format", kFormat},
              {"version", kEvaluationFormatVersion},
              {"family", evaluation.family},
              {"device", device_json(evaluation.device)},
              {"setup", setup_json(evaluation.setup)},
              {"seed", evaluation.seed},
              {"begun_at", evaluation.begun_at},
              {"profile_seconds", evaluation.profile_seconds.count()},
              {"steady", steady_json(evaluation.steady)},
              {"methods", std::move(methods)},
              {"networks", std::move(networks)}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Evaluation parse_evaluation(const std::string& text, const std::string& origin) {
  const Json parsed = parse_json(text, origin);
  const JsonField json(parsed, origin + ": ");
  if (json.at("format").text() != kFormat ||
      json.at("version").integer() != kEvaluationFormatVersion)
    json.at("format").fail(
        fmt::format("must be \"{}\", version {}", kFormat, kEvaluationFormatVersion));
  Evaluation evaluation;
  evaluation.family = json.at("family").text();
  evaluation.device = read_device(json.at("device"));
  evaluation.setup = read_setup(json.at("setup"));
  evaluation.seed = static_cast<unsigned>(json.at("seed").integer());
  evaluation.begun_at = json.at("begun_at").text();
  evaluation.profile_seconds = Seconds{json.at("profile_seconds").number()};
  if (json.has("steady")) evaluation.steady = read_steady(json.at("steady"));
  for (const JsonField& method : json.at("methods").items())
    evaluation.methods.push_back({method.at("name").text(),
                                  static_cast<int>(method.at("points").integer()),
                                  Seconds{method.at("seconds").number()}});
  for (const JsonField& network : json.at("networks").items())
    evaluation.networks.push_back(read_network(network));
  return evaluation;
}

std::string to_csv(const Evaluation& evaluation) {
  const bool inference = evaluation.setup.phase == Phase::inference;
  std::string csv =
      fmt::format("family,batch,device,model,first_j,second_j,first_s,second_s,{},parameters",
                  inference ? "forward_flops" : "training_flops");
  for (const MethodRecord& method : evaluation.methods)
    csv += fmt::format(",{0}_j,{0}_low_j,{0}_high_j,{0}_s", method.name);
  csv += ",failure\n";
  const auto quoted = [](std::string text) {
    for (char& c : text)
      if (c == '"' || c == '\n') c = '\'';
    return '"' + text + '"';
  };
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string{};
  };
  for (const EvaluatedNetwork& network : evaluation.networks) {
    const auto measured = [&](std::size_t round, Quantity Measurement::*statistic) {
      return round < network.measurements.size()
                 ? number((network.measurements[round].*statistic).mean)
                 : std::string{};
    };
    const Counts counts = count(network.model, evaluation.setup.batch);
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{}", evaluation.family, evaluation.setup.batch,
                       quoted(evaluation.device.name), quoted(network.model.name()),
                       measured(0, &Measurement::energy_j), measured(1, &Measurement::energy_j),
                       measured(0, &Measurement::time_s), measured(1, &Measurement::time_s),
                       inference ? counts.forward_flops : counts.training_flops, counts.parameters);
    for (const MethodRecord& method : evaluation.methods) {
      const NetworkEstimate& estimate = network.estimates.at(method.name);
      const auto& energy = estimate.energy_j;
      const bool has_bounds = energy && energy->confidence > 0;
      csv +=
          fmt::format(",{},{},{},{}", energy ? number(energy->mean) : "",
                      has_bounds ? number(energy->low) : "", has_bounds ? number(energy->high) : "",
                      estimate.time_s ? number(estimate.time_s->mean) : "");
    }
    csv += "," + quoted(network.failure) + "\n";
  }
  return csv;
}

}  // namespace ampere
