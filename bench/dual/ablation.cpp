// What each piece of the dual model is worth, from a recording of an evaluation:
//   dual_ablation RECORDING FAMILY BATCH NETWORKS
// Prints a row for the whole model and for every model that lacks one piece: MAPE of the energy as
// it was measured, and with the host at the speed of the profile.
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "ampere/error.h"
#include "replay.h"

namespace ampere {
namespace {

struct Piece {
  std::string without;
  std::function<void(DualData&)> from_data;    // before the fit
  std::function<void(DualModel&)> from_model;  // after it
};

// The geometric mean of a kind for each of its blocks.
void level_host_times(DualData& data) {
  for (auto& [kind, points] : data.timings) {
    double sum = 0;
    for (const TimedPoint& point : points) sum += std::log(point.host_s.value());
    for (TimedPoint& point : points)
      point.host_s = std::exp(sum / static_cast<double>(points.size()));
  }
}

void drop_trees(DualModel& model) {
  for (auto& [kind, map] : model.maps) {
    TimeMap::Parts parts = map.parts();
    parts.trees_weight = 0;
    map = TimeMap(std::move(parts));
  }
}

void keep_blocks(DualData& data, const std::function<bool(std::size_t)>& wanted) {
  std::erase_if(data.networks,
                [&](const NetworkRecord& record) { return !wanted(record.blocks.size()); });
}

std::vector<Piece> pieces() {
  const auto nothing_of_data = [](DualData&) {};
  const auto nothing_of_model = [](DualModel&) {};
  return {
      {"nothing: the whole model", nothing_of_data, nothing_of_model},
      {"the pace against the reference",
       [](DualData& data) {
         for (NetworkRecord& record : data.networks) record.pace.reset();
       },
       nothing_of_model},
      {"host times by width: one for each kind", level_host_times, nothing_of_model},
      {"the host: T = d", nothing_of_data, [](DualModel& model) { model.time.synchronous = true; }},
      {"the trees of the time maps", nothing_of_data, drop_trees},
      {"the process of the power", nothing_of_data,
       [](DualModel& model) { model.energy.process.variance = 0; }},
      {"the idle window", [](DualData& data) { data.idle.reset(); }, nothing_of_model},
      {"whole networks under the meter",
       [](DualData& data) { keep_blocks(data, [](std::size_t n) { return n <= 3; }); },
       nothing_of_model},
      {"small networks under the meter",
       [](DualData& data) { keep_blocks(data, [](std::size_t n) { return n > 3; }); },
       nothing_of_model},
  };
}

void run(const Replayed& replayed) {
  fmt::print("{:<44}{:>8}{:>13}\n", "without", "MAPE", "steady host");
  for (const Piece& piece : pieces()) try {
      DualData data = replayed.data;
      piece.from_data(data);
      DualModel model = fit_dual(data);
      piece.from_model(model);
      fmt::print("{:<44}{}\n", piece.without, errors_text(score_of(model, replayed.evaluation)));
    } catch (const Error& error) {
      fmt::print("{:<44} cannot be fitted: {}\n", piece.without, error.what());
    }
}

}  // namespace
}  // namespace ampere

int main(int argc, char** argv) { return ampere::run_on_recording(argc, argv, ampere::run); }
