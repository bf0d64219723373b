#include "method/dual/family_index.h"

#include <fmt/format.h>

#include <iterator>

#include "base/hash.h"
#include "base/json.h"

namespace ampere {
namespace {

constexpr int kIndexVersion =
    1;  // of the index, and of how models are fitted: another one fits anew
const std::string kIndex = "dual families";
const std::string kLaws = "dual laws";

Json entry_json(const FamilyEntry& entry) {
  return {{"laws", entry.laws},
          {"hidden", entry.hidden},
          {"evidence", entry.evidence},
          {"has_host", entry.has_host},
          {"networks", entry.check.networks},
          {"energy_mape", entry.check.energy_mape},
          {"time_mape", entry.check.time_mape}};
}

FamilyEntry read_entry(const JsonField& json) {
  FamilyEntry entry;
  entry.laws = json.at("laws").text();
  for (const JsonField& kind : json.at("hidden").items()) entry.hidden.insert(kind.text());
  entry.evidence = json.at("evidence").text();
  entry.has_host = json.at("has_host").boolean();
  entry.check = {static_cast<int>(json.at("networks").integer()), json.at("energy_mape").number(),
                 json.at("time_mape").number()};
  return entry;
}

void add(const std::optional<double>& value, std::string& text) {
  fmt::format_to(std::back_inserter(text), "{} ", value ? fmt::format("{:a}", *value) : "none");
}

void add(const std::vector<TimedPoint>& points, std::string& text) {
  for (const TimedPoint& point : points) {
    fmt::format_to(std::back_inserter(text), "{} ", fmt::join(point.features, ","));
    add(point.device_s, text);
    add(point.host_s, text);
  }
}

}  // namespace

std::optional<std::size_t> find_family(const FamilyIndex& index,
                                       const std::vector<std::string>& kinds) {
  std::vector<Kinds> hidden;
  for (const FamilyEntry& entry : index.families) hidden.push_back(entry.hidden);
  return find_family(hidden, hidden_kinds(kinds));
}

CrossValidation check_of(const FamilyIndex& index) {
  CrossValidation all;
  for (const FamilyEntry& family : index.families) {
    all.networks += family.check.networks;
    all.energy_mape += family.check.energy_mape * family.check.networks;
    all.time_mape += family.check.time_mape * family.check.networks;
  }
  all.energy_mape /= all.networks;
  all.time_mape /= all.networks;
  return all;
}

std::string laws_document(std::size_t family) {
  return family == 0 ? kLaws : fmt::format("{} {}", kLaws, family + 1);
}

FamilyIndex family_index(const Store& store, std::int64_t profile) {
  FamilyIndex index;
  const auto text = store.document(profile, kIndex);
  if (!text) {
    if (const auto laws = store.document(profile, kLaws)) {
      const SharedDualModel model = parse_dual({*laws, {}});
      index.families.push_back({kLaws, {}, "", has_host(*model), model->check});
    }
    return index;
  }
  const Json json = parse_json(*text, kIndex);
  const JsonField field(json, kIndex + ": ");
  for (const JsonField& entry : field.at("families").items())
    index.families.push_back(read_entry(entry));
  const JsonField maps = field.at("maps");
  for (const std::string& kind : maps.keys()) index.maps[kind] = maps.at(kind).text();
  return index;
}

void put_family_index(Store& store, std::int64_t profile, const FamilyIndex& index) {
  Json families = Json::array();
  for (const FamilyEntry& entry : index.families) families.push_back(entry_json(entry));
  const Json json{
      {"version", kIndexVersion}, {"families", std::move(families)}, {"maps", index.maps}};
  store.put_document(profile, {kIndex, json.dump()});
}

std::string timings_hash(const std::vector<TimedPoint>& points) {
  std::string text = fmt::format("{} ", kIndexVersion);
  add(points, text);
  return hash_text(text);
}

std::string evidence_hash(const DualData& data, const std::vector<HostPace>& paces,
                          const Family& family) {
  std::string text = fmt::format("{} ", kIndexVersion);
  Kinds kinds;
  for (const std::size_t i : family.networks) {
    const NetworkRecord& network = data.networks[i];
    for (const BlockTerms& block : network.blocks) {
      kinds.insert(block.kind);
      fmt::format_to(std::back_inserter(text), "{} {} ", block.kind,
                     fmt::join(block.features, ","));
    }
    for (const double value :
         {network.energy_j, network.time_s, paces[i].steady_s, paces[i].slowdown})
      add(value, text);
    add(network.device_s, text);
    text += network.at_round_widths ? "round\n" : "\n";
  }
  for (const std::string& kind : kinds)
    if (const auto timed = data.timings.find(kind); timed != data.timings.end())
      add(timed->second, text);
  if (data.idle) {
    add(data.idle->energy.value, text);
    add(data.idle->time.count(), text);
  }
  return hash_text(text);
}

}  // namespace ampere
