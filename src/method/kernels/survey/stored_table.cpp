#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ampere/error.h"
#include "base/hash.h"
#include "method/kernels/survey.h"
#include "method/kernels/survey/environment.h"
#include "method/kernels/survey/findings.h"
#include "method/kernels/survey/keys.h"
#include "method/kernels/survey/rounds.h"
#include "model/zoo/applications.h"

namespace ampere {
namespace {

void add_measured_kernels(const Store& store, std::int64_t profile, EnergyTable& table) {
  for (const Observation& observation :
       store.find({.profile = profile, .purpose = Purpose::kernel})) {
    if (!observation.measurement) continue;
    const std::vector<Kernel> kernels =
        kernels_of(observation.model, rules_within(observation.kind));
    if (kernels.size() != 1)
      throw Error(ErrorCode::failed,
                  fmt::format("profile {} has a '{}' that is cut into {} kernels: it was measured "
                              "by another version of ampere",
                              profile, observation.kind, kernels.size()));
    table.rows.push_back(row_of(kernels.front(), observation).value());
  }
}

// A network of an application is a row of that level and of no other.
void add_measured_networks(const Store& store, std::int64_t profile, EnergyTable& table) {
  for (const Observation& observation :
       store.find({.profile = profile, .purpose = Purpose::network})) {
    const std::string& network = observation.model.name();
    const Application* application = application_of(network);
    if ((application != nullptr) != (table.level == TableLevel::application)) continue;
    Kernel whole;
    whole.type = application == nullptr ? network : application->name;
    auto row = row_of(whole, observation);
    if (!row) continue;
    if (application != nullptr) row->labels["network"] = network;
    table.rows.push_back(std::move(*row));
  }
}

// The rows of a profile are of its source. Tables that were kept before they had to say theirs
// became profiles of measured energies.
void add_imported(const Store& store, std::int64_t profile, EnergyTable& table) {
  for (const StoredDocument& document : store.documents(profile)) {
    if (!document.name.starts_with(kTableDocument)) continue;
    // It was checked when it came, as tolerantly as was wished then.
    const double any = std::numeric_limits<double>::infinity();
    TableImport imported =
        import_table(document.text, document.name, {.tolerance = any, .repeat_tolerance = any});
    if (imported.data.level != table.level) continue;
    std::ranges::move(imported.data.rows, std::back_inserter(table.rows));
  }
}

// What a profile is of: rows that differ in it are of different profiles.
const std::vector<std::string> kOfProfile{"device", "delegate", "runtime", "precision", "source"};

std::map<Environment, EnergyTable> by_profile(const EnergyTable& table, const std::string& device) {
  std::map<Environment, EnergyTable> tables;
  for (TableRow row : table.rows) {
    Environment environment = table.environment;
    for (const std::string& key : kOfProfile)
      if (const auto label = row.labels.find(key); label != row.labels.end())
        environment[key] = label->second;
    if (!device.empty()) environment["device"] = device;
    if (!environment.contains("device"))
      throw Error(ErrorCode::usage,
                  "the table does not say which device it is of: name the device, add a line "
                  "'# device: NAME' above the header, or a column device",
                  Remedy::device);
    environment["source"] = to_string(source_of(table, row));
    for (const std::string& key : kOfProfile) row.labels.erase(key);
    EnergyTable& own = tables[environment];
    own.level = table.level;
    own.environment = environment;
    own.rows.push_back(std::move(row));
  }
  return tables;
}

}  // namespace

EnergyTable kernel_table(const Store& store, const ProfileRow& profile, TableLevel level) {
  EnergyTable table;
  table.level = level;
  table.environment = environment_of(profile.device, profile.setup, read_fusion(store, profile.id));
  if (level == TableLevel::kernel) add_measured_kernels(store, profile.id, table);
  if (level != TableLevel::kernel) add_measured_networks(store, profile.id, table);
  add_imported(store, profile.id, table);
  int line = 0;
  for (TableRow& row : table.rows) row.line = ++line;
  return table;
}

std::vector<std::int64_t> keep_table(Store& store, const EnergyTable& table,
                                     const std::string& device) {
  std::vector<std::int64_t> profiles;
  const auto tables = by_profile(table, device);
  store.atomically([&] {
    for (const auto& [environment, own] : tables) {
      const std::int64_t profile =
          store.open_profile(device_of(environment), setup_of(environment), "imported");
      const std::string text = export_table(own);
      store.put_document(profile, {kTableDocument + hash_text(text), text});
      const auto findings = findings_of(environment);
      if (findings && !read_fusion(store, profile)) put_findings(store, profile, *findings);
      profiles.push_back(profile);
    }
  });
  return profiles;
}

}  // namespace ampere
