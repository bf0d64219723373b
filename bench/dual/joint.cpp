// What one profile of several families loses against one profile of each, from the recordings of
// their evaluations at one batch:
//   dual_joint BATCH RECORDING:FAMILY:NETWORKS[:SEED]…
// Prints the MAPE of the energy by each family's own model and by the model of all of them, and how
// long the fits took. The recordings were made on different days by hosts of different speeds, so
// the pace is left out of both.
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "base/text.h"
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

struct Fitted {
  DualModel model;
  double seconds = 0;
};

Fitted fit(const DualData& data) {
  const auto begin = std::chrono::steady_clock::now();
  DualModel model = fit_dual(data);
  return {std::move(model),
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

void run(std::vector<RecordedFamily> cells) {
  DualData all;
  for (RecordedFamily& cell : cells) {
    forget_paces(cell.replayed.data);
    append(cell.replayed.data, all);
  }
  const Fitted joint = fit(all);
  fmt::print("{:<14}{:>10}{:>17}{:>17}{:>8}\n", "family", "networks", "own", "joint", "s");
  double seconds = 0;
  for (const RecordedFamily& cell : cells) {
    const Fitted own = fit(cell.replayed.data);
    seconds += own.seconds;
    fmt::print("{:<14}{:>10}{}{}{:>8.2f}\n", cell.family, cell.replayed.data.networks.size(),
               errors_text(score_of(own.model, cell.replayed.evaluation)),
               errors_text(score_of(joint.model, cell.replayed.evaluation)), own.seconds);
  }
  fmt::print("{} families apart: {:.2f} s, together ({} networks): {:.2f} s\n", cells.size(),
             seconds, all.networks.size(), joint.seconds);
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
