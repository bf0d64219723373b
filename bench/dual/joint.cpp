// What one profile of several families loses against one profile of each, from the recordings of
// their evaluations at one batch:
//   dual_joint BATCH RECORDING:FAMILY:NETWORKS[:SEED]…
// Prints the MAPE of the energy (and with the host at the speed of the profile) by each family's
// own profile, by one profile of all of them, and by laws that all of them share, and how long the
// fits took. The recordings were made on different days by hosts of different speeds, so the pace
// is left out of both.
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "ampere/block.h"
#include "base/text.h"
#include "method/dual/families.h"
#include "replay.h"

namespace ampere {
namespace {

struct RecordedFamily {
  std::string family;
  Replayed replayed;
};

RecordedFamily read_cell(const std::string& text, std::int64_t batch) {
  const std::vector<std::string> parts = split(text, ':');
  const unsigned seed = parts.size() > 3 ? static_cast<unsigned>(std::stoul(parts.at(3))) : 11;
  return {parts.at(1), replay(parts.at(0), parts.at(1), batch, std::stoi(parts.at(2)), seed)};
}

void forget_paces(DualData& data) {
  for (NetworkRecord& record : data.networks) record.pace.reset();
}

void append(const DualData& more, DualData& data) {
  for (const auto& [kind, points] : more.timings) {
    auto& all = data.timings[kind];
    all.insert(all.end(), points.begin(), points.end());
  }
  data.networks.insert(data.networks.end(), more.networks.begin(), more.networks.end());
  if (!data.idle) data.idle = more.idle;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// One model per family that is found in the data.
std::vector<DualModel> fit_families(const DualData& data) {
  Kinds kinds;
  for (const auto& [kind, points] : data.timings) kinds.insert(kind);
  const FittedMaps maps = fit_maps(data, kinds);
  const std::vector<HostPace> paces = host_paces(data);
  std::vector<DualModel> models;
  for (const Family& family : families_of(data.networks))
    models.push_back(fit_family(data, paces, family, maps));
  return models;
}

const DualModel& model_for(const Model& network, const std::vector<DualModel>& models) {
  std::vector<Kinds> hidden;
  for (const DualModel& model : models) hidden.push_back(model.hidden);
  return models.at(find_family(hidden, hidden_kinds(kinds_of(network))).value());
}

void run(std::vector<RecordedFamily> cells) {
  DualData all;
  for (RecordedFamily& cell : cells) {
    forget_paces(cell.replayed.data);
    append(cell.replayed.data, all);
  }
  auto begin = std::chrono::steady_clock::now();
  const std::vector<DualModel> models = fit_families(all);
  const double together_s = seconds_since(begin);
  begin = std::chrono::steady_clock::now();
  const DualModel one = fit_dual(all);
  const double one_s = seconds_since(begin);
  double apart_s = 0;
  fmt::print("{:<14}{:>10}{:>17}{:>17}{:>17}\n", "family", "networks", "own profile", "one profile",
             "one law for all");
  for (const RecordedFamily& cell : cells) {
    begin = std::chrono::steady_clock::now();
    const DualModel own = fit_dual(cell.replayed.data);
    apart_s += seconds_since(begin);
    const Evaluation& evaluation = cell.replayed.evaluation;
    fmt::print(
        "{:<14}{:>10}{}{}{}\n", cell.family, cell.replayed.data.networks.size(),
        errors_text(score_of(own, evaluation)),
        errors_text(score_of(model_for(evaluation.networks.at(0).model, models), evaluation)),
        errors_text(score_of(one, evaluation)));
  }
  fmt::print(
      "{} profiles: fitted in {:.2f} s; one profile, {} families, {} networks: {:.2f} s; one "
      "law for all: {:.2f} s\n",
      cells.size(), apart_s, models.size(), all.networks.size(), together_s, one_s);
}

}  // namespace
}  // namespace ampere

int main(int argc, char** argv) try {
  if (argc < 3) {
    fmt::print(stderr, "usage: {} BATCH RECORDING:FAMILY:NETWORKS[:SEED]…\n", argv[0]);
    return 2;
  }
  std::vector<ampere::RecordedFamily> cells;
  for (int i = 2; i < argc; ++i) cells.push_back(ampere::read_cell(argv[i], std::stoll(argv[1])));
  ampere::run(std::move(cells));
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}: {}\n", argv[0], error.what());
  return 1;
}
