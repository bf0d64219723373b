#include "prune_output.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "ampere/onnx.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "print.h"

namespace ampere {
namespace {

std::string accuracy_text(const std::optional<TestScore>& score) {
  return score ? percent(score->accuracy) : "";
}

// A deep network's name is too long for a row; its widths have a table of their own.
std::string label_of(const PrunedNetwork& network) {
  constexpr std::size_t kMostLetters = 48;
  return network.model.name().size() <= kMostLetters ? network.model.name() : "pruned";
}

std::vector<std::string> row_of(const PrunedNetwork& network, const PrunedNetwork& original,
                                const std::string& label) {
  return {label,
          with_unit(network.estimated.energy_j, "J"),
          with_unit(network.upper_j, "J"),
          network.cost() ? with_unit(network.cost()->energy_j.mean, "J") : "",
          percent(share_of_original(network, original)),
          accuracy_text(network.inherited),
          accuracy_text(final_score(network))};
}

constexpr std::ptrdiff_t kCostColumn = 3;  // of print_networks()

// Drops the last two columns, which are empty for networks that were not trained.
void drop_scores(std::vector<std::vector<std::string>>& rows) {
  for (std::vector<std::string>& row : rows) row.resize(row.size() - 2);
}

// The same where nothing was run.
void drop_costs(std::vector<std::vector<std::string>>& rows) {
  for (std::vector<std::string>& row : rows) row.erase(row.begin() + kCostColumn);
}

// "measured", "modelled" or "simulated".
std::string cost_title(const PruneResult& result) {
  return to_string(result.original.measured ? result.original.measured->source : Source::measured);
}

// How near the result is to the budget, and how it was found.
void print_search(const PruneResult& result) {
  const double unused = unused_share(result);
  fmt::print("\n{} tried in {}; {} of the budget is {}\n", counted(result.judged, "network"),
             counted(result.rounds, "round"), percent(std::abs(unused)),
             unused < 0 ? "used in excess" : "left unused");
  if (result.pruned.confirmed)
    fmt::print(
        "the pruned network took {} per iteration when it was accepted; the table has a second "
        "measurement, by which nothing was chosen\n",
        with_unit(result.pruned.measured->energy_j.mean, "J"));
}

// Iterations on real data, against as many of the estimate.
void print_training(const PruneResult& result) {
  std::vector<std::vector<std::string>> rows{
      {"training", "iterations", "estimated", cost_title(result), "difference"}};
  const auto add = [&](const PrunedNetwork& network, const std::string& label) {
    const std::optional<TrainingEnergy> energy = training_energy(network);
    if (!energy) return;
    rows.push_back({label, std::to_string(energy->iterations),
                    with_unit(energy->estimated.value, "J"), with_unit(energy->used.value, "J"),
                    signed_percent(energy->estimated.value / energy->used.value - 1)});
  };
  add(result.original, "original");
  add(result.pruned, label_of(result.pruned));
  for (const PrunedNetwork& other : result.others) add(other, label_of(other));
  fmt::print("\n");
  if (rows.size() > 1) print_table(rows);
  fmt::print("all training, with testing, took {}\n", with_unit(result.trained.value, "J"));
}

void print_networks(const PruneReport& report) {
  const PruneResult& result = report.result;
  std::vector<std::vector<std::string>> rows{{"network", "estimated", "at most", cost_title(result),
                                              "of original", "inherited", "accuracy"}};
  rows.push_back(row_of(result.original, result.original, "original"));
  rows.back()[5].clear();
  // It says how far the estimates alone lead, before anything is learnt from a measurement.
  if (result.tried.size() > 1)
    rows.push_back(row_of(result.tried.front(), result.original, "first found"));
  rows.push_back(row_of(result.pruned, result.original, label_of(result.pruned)));
  for (const PrunedNetwork& other : result.others)
    rows.push_back(row_of(other, result.original, label_of(other)));
  if (!report.task.training) drop_scores(rows);
  if (!result.original.cost() && !result.pruned.cost()) drop_costs(rows);
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

// Adds up blocks of equal title, since equal blocks of the original may differ after pruning.
void print_parts(const PruneResult& result) {
  std::vector<std::vector<std::string>> rows{{"part", "original", "pruned"}};
  std::vector<std::string> titles;
  for (const CostPart& part : result.original.parts)
    if (std::ranges::find(titles, part.title) == titles.end()) titles.push_back(part.title);
  for (const std::string& title : titles)
    rows.push_back({title, with_unit(joules_of(title, result.original.parts), "J"),
                    with_unit(joules_of(title, result.pruned.parts), "J")});
  print_table(rows);
}

}  // namespace

void print_prune(const PruneReport& report) {
  const PruneResult& result = report.result;
  fmt::print("{} on {} ({}), {}; budget {}: {} per iteration, by {} at {} confidence\n\n",
             report.model, report.profile.device.name, to_string(report.profile.device.source),
             to_string(report.task.setup), to_string(report.task.budget),
             with_unit(result.budget_j, "J"), report.task.method, percent(report.task.confidence));
  print_networks(report);
  fmt::print("\n");
  print_widths(result);
  fmt::print("\n");
  print_parts(result);
  if (report.task.training) print_training(result);
  print_search(result);
  for (const std::string& warning : result.warnings) fmt::print("warning: {}\n", warning);
}

void print_pareto(std::span<const PruneReport> reports) {
  std::vector<std::vector<std::string>> rows{{"budget", "network", "estimated", "at most",
                                              cost_title(reports.front().result), "of original",
                                              "inherited", "accuracy"}};
  for (const PruneReport& report : reports) {
    const PrunedNetwork& pruned = report.result.pruned;
    std::vector<std::string> row = row_of(pruned, report.result.original, label_of(pruned));
    row.insert(row.begin(), to_string(report.task.budget));
    rows.push_back(std::move(row));
  }
  if (!reports.front().task.training) drop_scores(rows);
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
