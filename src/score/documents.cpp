#include "score/documents.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/or_null.h"

namespace ampere {
namespace {

constexpr const char* kScored = "score";
constexpr const char* kImported = "score cells";

std::string origin_of(std::int64_t profile) { return fmt::format("scores of profile {}", profile); }

}  // namespace

void put_scored(Store& store, std::int64_t profile, const ScoredDelegate& scored) {
  std::vector<ScoredDelegate> all = read_scored(store, profile);
  std::erase_if(all, [&](const ScoredDelegate& old) { return old.delegate == scored.delegate; });
  all.push_back(scored);
  Json list = Json::array();
  for (const ScoredDelegate& one : all)
    list.push_back(
        {{"device", one.device}, {"delegate", one.delegate}, {"networks", one.networks}});
  store.put_document(profile, {kScored, list.dump()});
}

std::vector<ScoredDelegate> read_scored(const Store& store, std::int64_t profile) {
  std::vector<ScoredDelegate> all;
  const auto text = store.document(profile, kScored);
  if (!text) return all;
  const Json parsed = parse_json(*text, origin_of(profile));
  const JsonField json(parsed, origin_of(profile) + ": ");
  for (const JsonField& one : json.items()) {
    ScoredDelegate& scored =
        all.emplace_back(ScoredDelegate{one.at("device").text(), one.at("delegate").text(), {}});
    const JsonField networks = one.at("networks");
    for (const std::string& name : networks.keys())
      scored.networks[name] = networks.at(name).text();
  }
  return all;
}

void put_imported(Store& store, std::int64_t profile, const std::vector<ScoreCell>& cells) {
  Json list = Json::array();
  for (const ScoreCell& cell : cells)
    list.push_back({{"delegate", cell.delegate},
                    {"network", cell.network},
                    {"energy_j", or_null(cell.energy_j)},
                    {"power_w", or_null(cell.power_w)},
                    {"latency_s", or_null(cell.latency_s)},
                    {"source", to_string(cell.source)}});
  store.put_document(profile, {kImported, list.dump()});
}

std::vector<ScoreCell> read_imported(const Store& store, const ProfileRow& profile) {
  std::vector<ScoreCell> cells;
  const auto text = store.document(profile.id, kImported);
  if (!text) return cells;
  const Json parsed = parse_json(*text, origin_of(profile.id));
  const JsonField json(parsed, origin_of(profile.id) + ": ");
  for (const JsonField& cell : json.items())
    cells.push_back({profile.device.name, cell.at("delegate").text(), cell.at("network").text(),
                     cell.optional_number("energy_j"), cell.optional_number("power_w"),
                     cell.optional_number("latency_s"), parse_source(cell.at("source").text()),
                     cell.has("energy_j") ? "" : "not in the table it is from"});
  return cells;
}

std::vector<ProfileRow> oldest_first(const Store& store) {
  std::vector<ProfileRow> profiles = store.profiles();
  std::ranges::sort(profiles, {}, &ProfileRow::id);
  return profiles;
}

}  // namespace ampere
