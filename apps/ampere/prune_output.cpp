#include "prune_output.h"

#include <fmt/format.h>

#include <filesystem>

#include "ampere/onnx.h"
#include "base/or_null.h"
#include "base/whole_file.h"
#include "print.h"
#include "record/record_json.h"

namespace ampere {
namespace {

std::optional<TestScore> score_of(const PrunedNetwork& network) {
  return network.training ? network.training->test : network.inherited;
}

std::optional<double> measured_j(const PrunedNetwork& network) {
  return network.measured ? std::optional(network.measured->energy_j.mean) : std::nullopt;
}

// Of the original: measured of measured, else estimated of estimated.
double share(const PrunedNetwork& network, const PrunedNetwork& original) {
  if (network.measured && original.measured) return *measured_j(network) / *measured_j(original);
  return network.estimated.energy_j / original.estimated.energy_j;
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
          {"share_of_original", share(network, report.result.original)},
          {"inherited", score_json(network.inherited)},
          {"test", score_json(score_of(network))},
          {"epochs", epochs_json(network)},
          {"parts", std::move(parts)}};
}

std::string accuracy_text(const std::optional<TestScore>& score) {
  return score ? percent(score->accuracy) : "";
}

// The widths of a deep network would be all of a line; they stand in a table of their own.
std::string label_of(const PrunedNetwork& network) {
  constexpr std::size_t kMostLetters = 48;
  return network.model.name().size() <= kMostLetters ? network.model.name() : "pruned";
}

std::vector<std::string> row_of(const PrunedNetwork& network, const PrunedNetwork& original,
                                const std::string& label) {
  return {label,
          with_unit(network.estimated.energy_j, "J"),
          with_unit(network.upper_j, "J"),
          network.measured ? with_unit(*measured_j(network), "J") : "",
          percent(share(network, original)),
          accuracy_text(network.inherited),
          accuracy_text(score_of(network))};
}

// The last two columns, of networks that were not trained.
void drop_scores(std::vector<std::vector<std::string>>& rows) {
  for (std::vector<std::string>& row : rows) row.resize(row.size() - 2);
}

void print_networks(const PruneReport& report) {
  const PruneResult& result = report.result;
  std::vector<std::vector<std::string>> rows{
      {"network", "estimated", "at most", "measured", "of original", "inherited", "accuracy"}};
  rows.push_back(row_of(result.original, result.original, "original"));
  rows.back()[5].clear();
  rows.push_back(row_of(result.pruned, result.original, label_of(result.pruned)));
  for (const PrunedNetwork& other : result.others)
    rows.push_back(row_of(other, result.original, label_of(other)));
  if (!report.task.lesson) drop_scores(rows);
  print_table(rows);
}

void print_widths(const PruneResult& result) {
  std::vector<std::vector<std::string>> rows{{"width", "original", "pruned"}};
  for (std::size_t i = 0; i < result.pruned.widths.size(); ++i)
    rows.push_back({result.space.widths[i].name, std::to_string(result.original.widths[i]),
                    std::to_string(result.pruned.widths[i])});
  print_table(rows);
}

double joules_of(const std::string& title, const std::vector<CostPart>& parts) {
  double sum = 0;
  for (const CostPart& part : parts)
    if (part.title == title) sum += part.energy_j;
  return sum;
}

// Blocks of equal title together: equal blocks of the original may have become unequal.
void print_parts(const PruneResult& result) {
  std::vector<std::vector<std::string>> rows{{"where the joules go", "original", "pruned"}};
  std::vector<std::string> titles;
  for (const CostPart& part : result.original.parts)
    if (std::ranges::find(titles, part.title) == titles.end()) titles.push_back(part.title);
  for (const std::string& title : titles)
    rows.push_back({title, with_unit(joules_of(title, result.original.parts), "J"),
                    with_unit(joules_of(title, result.pruned.parts), "J")});
  print_table(rows);
}

}  // namespace

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
          {"training_j", report.task.lesson ? Json(result.trained.value) : Json(nullptr)},
          {"warnings", result.warnings}};
}

void print_prune(const PruneReport& report) {
  const PruneResult& result = report.result;
  fmt::print("{} on {} ({}), {}; budget {}: {} an iteration, by {} at {} confidence\n\n",
             report.model, report.profile.device.name, to_string(report.profile.device.source),
             to_string(report.task.setup), to_string(report.task.budget),
             with_unit(result.budget_j, "J"), report.task.method, percent(report.task.confidence));
  print_networks(report);
  fmt::print("\n");
  print_widths(result);
  fmt::print("\n");
  print_parts(result);
  fmt::print("\n{} networks judged in {} round{}\n", result.judged, result.rounds,
             result.rounds == 1 ? "" : "s");
  if (report.task.lesson) fmt::print("training took {}\n", with_unit(result.trained.value, "J"));
  for (const std::string& warning : result.warnings) fmt::print("warning: {}\n", warning);
}

void print_pareto(std::span<const PruneReport> reports) {
  std::vector<std::vector<std::string>> rows{{"budget", "network", "estimated", "at most",
                                              "measured", "of original", "inherited", "accuracy"}};
  for (const PruneReport& report : reports) {
    const PrunedNetwork& pruned = report.result.pruned;
    std::vector<std::string> row = row_of(pruned, report.result.original, label_of(pruned));
    row.insert(row.begin(), to_string(report.task.budget));
    rows.push_back(std::move(row));
  }
  if (!reports.front().task.lesson) drop_scores(rows);
  print_table(rows);
}

std::vector<std::string> write_pruned(const PruneResult& result, const std::string& folder) {
  const std::filesystem::path base(folder);
  std::vector<std::string> written{(base / "pruned.json").string()};
  write_whole_file(written.front(), to_json(result.pruned.model, 2) + "\n");
  if (result.pruned.training) {
    written.push_back((base / "pruned.onnx").string());
    export_onnx(result.pruned.model, result.pruned.training->state.weights, written.back());
  }
  return written;
}

}  // namespace ampere
