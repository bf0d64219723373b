#include <limits>

#include "method/operations/operations_json.h"

namespace ampere {
namespace {

double not_negative(const JsonField& json) {
  const double value = json.number();
  if (value < 0) json.fail("must not be negative");
  return value;
}

Json host_json(const HostMap& host) {
  Json names = Json::object();
  for (const auto& [name, seconds] : host.name_s) names[name] = seconds;
  return {{"names", names},
          {"usual_s", host.usual_s},
          {"scale", host.scale},
          {"iteration_s", host.iteration_s}};
}

HostMap read_host(const JsonField& json) {
  HostMap host;
  const JsonField names = json.at("names");
  for (const std::string& name : names.keys()) host.name_s[name] = not_negative(names.at(name));
  host.usual_s = not_negative(json.at("usual_s"));
  host.scale = not_negative(json.at("scale"));
  host.iteration_s = not_negative(json.at("iteration_s"));
  return host;
}

Json energy_json(const WorkEnergyLaw& law) {
  return {{"ready_w", law.ready_w},
          {"busy_w", law.busy_w},
          {"j_per_memory_byte", law.j_per_memory_byte},
          {"j_per_cache_byte", law.j_per_cache_byte},
          {"j_per_fp32_flop", law.j_per_flop[1]},
          {"j_per_tf32_flop", law.j_per_flop[2]},
          {"j_per_half_flop", law.j_per_flop[3]},
          {"grouped_w", law.grouped_w}};
}

WorkEnergyLaw read_energy(const JsonField& json) {
  const auto at = [&](const char* key) { return not_negative(json.at(key)); };
  return {at("ready_w"),
          at("busy_w"),
          at("j_per_memory_byte"),
          at("j_per_cache_byte"),
          {0, at("j_per_fp32_flop"), at("j_per_tf32_flop"), at("j_per_half_flop")},
          at("grouped_w")};
}

Json row_json(const WorkEnergyRow& row) {
  return {{"family", row.family},
          {"elsewhere", row.elsewhere},
          {"time_s", row.time_s},
          {"device_s", row.device_s},
          {"energy_j", row.energy_j},
          {"memory_bytes", row.work.memory_bytes},
          {"cache_bytes", row.work.cache_bytes},
          {"fp32_flops", row.work.flops[1]},
          {"tf32_flops", row.work.flops[2]},
          {"half_flops", row.work.flops[3]},
          {"grouped_s", row.work.grouped_s}};
}

WorkEnergyRow read_row(const JsonField& json) {
  const auto at = [&](const char* key) { return not_negative(json.at(key)); };
  WorkEnergyRow row{at("time_s"),
                    at("device_s"),
                    {at("memory_bytes"),
                     at("cache_bytes"),
                     {0, at("fp32_flops"), at("tf32_flops"), at("half_flops")},
                     at("grouped_s")},
                    at("energy_j"),
                    json.at("family").text(),
                    json.at("elsewhere").boolean()};
  for (const char* key : {"time_s", "device_s", "energy_j"})
    if (at(key) == 0) json.at(key).fail("must be more than 0");
  return row;
}

Json rows_json(const std::vector<WorkEnergyRow>& rows) {
  Json list = Json::array();
  for (const WorkEnergyRow& row : rows) list.push_back(row_json(row));
  return list;
}

Json check_json(const std::optional<CrossValidation>& check) {
  if (!check) return nullptr;
  return {{"programs", check->networks},
          {"energy_mape", check->energy_mape},
          {"time_mape", check->time_mape}};
}

// By Knowledge.
constexpr std::array<const char*, kKnowledges> kKnowledgeWords{"by_profile", "at_device"};

}  // namespace

Json operation_laws_json(const OperationLaws& laws) {
  Json json{{"host", host_json(laws.host)},
            {"energy", energy_json(laws.energy)},
            {"energy_rows", rows_json(laws.energy_rows)},
            {"cross_validated", check_json(laws.cross_validated)}};
  for (std::size_t i = 0; i < kKnowledges; ++i)
    json[kKnowledgeWords[i]] = {{"host_scale", laws.time[i].host_scale},
                                {"power", laws.time[i].power},
                                {"gap_s", laws.time[i].gap_s},
                                {"in_turn", laws.time[i].in_turn},
                                {"device_factor", laws.factors[i].device},
                                {"time_factor", laws.factors[i].time},
                                {"energy_factor", laws.factors[i].energy}};
  return json;
}

OperationLaws read_operation_laws(const JsonField& json) {
  OperationLaws laws;
  laws.host = read_host(json.at("host"));
  laws.energy = read_energy(json.at("energy"));
  if (json.has("energy_rows"))  // profiles before they were kept have none
    for (const JsonField& row : json.at("energy_rows").items())
      laws.energy_rows.push_back(read_row(row));
  if (json.has("cross_validated")) {
    const JsonField check = json.at("cross_validated");
    const std::int64_t programs = check.at("programs").integer();
    if (programs < 0 || programs > std::numeric_limits<int>::max())
      check.at("programs").fail("is no number of programs");
    laws.cross_validated = {static_cast<int>(programs), not_negative(check.at("energy_mape")),
                            not_negative(check.at("time_mape"))};
  }
  for (std::size_t i = 0; i < kKnowledges; ++i) {
    const JsonField its = json.at(kKnowledgeWords[i]);
    laws.time[i] = {not_negative(its.at("host_scale")), its.at("power").number(),
                    not_negative(its.at("gap_s")),
                    its.has("in_turn") ? not_negative(its.at("in_turn")) : 1};
    if (laws.time[i].power < 1) its.at("power").fail("must be at least 1");
    laws.factors[i] = {not_negative(its.at("device_factor")), not_negative(its.at("time_factor")),
                       not_negative(its.at("energy_factor"))};
  }
  return laws;
}

}  // namespace ampere
