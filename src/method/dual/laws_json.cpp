#include "base/packed_matrix.h"
#include "method/dual/dual_composer.h"
#include "method/dual/dual_json.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr Index kPowerColumns = 6;  // z and the device time of a block

Json time_json(const TimeLaw& law) {
  return {{"synchronous", law.synchronous},
          {"device_constant_s", law.device_constant},
          {"device_scale", law.device_scale},
          {"device_per_block_s", law.device_per_block},
          {"device_s_per_byte", law.device_per_byte},
          {"device_scale_of_kind", law.device_scale_of_kind},
          {"host_constant_s", law.host_constant},
          {"host_scale", law.host_scale},
          {"host_per_kind_s", law.host_per_kind},
          {"overlap", law.overlap},
          {"device_error", law.device_error},
          {"host_error", law.host_error}};
}

TimeLaw read_time(const JsonField& json) {
  TimeLaw law;
  law.synchronous = json.at("synchronous").boolean();
  law.device_constant = json.at("device_constant_s").number();
  law.device_scale = json.at("device_scale").number();
  law.device_per_block = json.at("device_per_block_s").number();
  law.device_per_byte = json.at("device_s_per_byte").number();
  const JsonField scales = json.at("device_scale_of_kind");
  for (const std::string& kind : scales.keys())
    law.device_scale_of_kind[kind] = scales.at(kind).number();
  law.host_constant = json.at("host_constant_s").number();
  law.host_scale = json.at("host_scale").number();
  const JsonField kinds = json.at("host_per_kind_s");
  for (const std::string& kind : kinds.keys()) law.host_per_kind[kind] = kinds.at(kind).number();
  law.overlap = json.at("overlap").number();
  law.device_error = json.at("device_error").number();
  law.host_error = json.at("host_error").number();
  return law;
}

MatrixXd power_rows(const PowerTerms& terms) {
  MatrixXd rows(terms.z.rows(), kPowerColumns);
  rows << terms.z, terms.device_s;
  return rows;
}

Json energy_json(const EnergyLaw& law) {
  Json seen = Json::array();
  for (const PowerTerms& terms : law.seen) seen.push_back(packed(power_rows(terms)));
  return {{"ready_w", law.ready_w},
          {"device_w", law.device_w},
          {"j_per_flop", law.j_per_flop},
          {"j_per_byte", law.j_per_byte},
          {"j_per_block", law.j_per_block},
          {"length_scale", law.process.length_scale},
          {"power_variance", law.process.variance},
          {"noise", law.process.noise},
          {"seen", std::move(seen)},
          {"weights", packed(law.weights)},
          {"inverse_lower", packed(law.inverse_lower)}};
}

EnergyLaw read_energy(const JsonField& json) {
  EnergyLaw law;
  law.ready_w = json.at("ready_w").number();
  law.device_w = json.at("device_w").number();
  law.j_per_flop = json.at("j_per_flop").number();
  law.j_per_byte = json.at("j_per_byte").number();
  law.j_per_block = json.at("j_per_block").number();
  law.process = {json.at("length_scale").number(), json.at("power_variance").number(),
                 json.at("noise").number()};
  if (law.process.length_scale <= 0) json.at("length_scale").fail("must be above 0");
  for (const JsonField& item : json.at("seen").items()) {
    const MatrixXd rows = read_matrix(item, kPowerColumns);
    law.seen.push_back({rows.leftCols(kPowerColumns - 1), rows.col(kPowerColumns - 1)});
  }
  law.weights = read_vector(json.at("weights"));
  law.inverse_lower = read_matrix(json.at("inverse_lower"), law.weights.size());
  const auto count = static_cast<Index>(law.seen.size());
  if (law.weights.size() != count || law.inverse_lower.rows() != count)
    json.at("weights").fail("does not have one value for each network");
  return law;
}

Json inflation_json(const Inflation& inflation) {
  return {{"energy_inflation", inflation.energy}, {"time_inflation", inflation.time}};
}

Inflation read_inflation(const JsonField& json) {
  return {json.at("energy_inflation").number(), json.at("time_inflation").number()};
}

}  // namespace

Json laws_json(const DualModel& model) {
  Json json{{"time", time_json(model.time)}, {"energy", energy_json(model.energy)}};
  json.update(inflation_json(model.inflation));
  json["at_hand"] = inflation_json(model.at_hand);
  if (model.between_runs)
    json["between_runs"] = {{"energy", model.between_runs->energy},
                            {"time", model.between_runs->time}};
  return json;
}

void read_laws(const JsonField& json, DualModel& model) {
  model.time = read_time(json.at("time"));
  model.energy = read_energy(json.at("energy"));
  model.inflation = read_inflation(json);
  // Models from before there was another one at hand have none.
  model.at_hand = json.has("at_hand") ? read_inflation(json.at("at_hand")) : model.inflation;
  if (json.has("between_runs")) {
    const JsonField scatter = json.at("between_runs");
    model.between_runs = {scatter.at("energy").number(), scatter.at("time").number()};
  }
}

std::unique_ptr<Composer> read_dual_composer(const JsonField& what_if) {
  auto model = std::make_shared<DualModel>();
  read_laws(what_if.at("laws"), *model);
  for (const JsonField& kind : what_if.at("kinds").items())
    model->maps.emplace(kind.at("key").text(), read_map(kind.at("map")));
  return std::make_unique<DualComposer>(std::move(model));
}

}  // namespace ampere
