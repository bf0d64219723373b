// What it is worth to lean on a run of a network before it is asked about again (leaning.h), from a
// recording of an evaluation:
//   dual_lean RECORDING FAMILY BATCH NETWORKS [SEED]
#include <fmt/format.h>

#include "leaning.h"

namespace ampere {
namespace {

void print(const char* name, const Accuracy& accuracy, double width) {
  fmt::print("{:<22}{:>6.1f} %{:>8.0f} %{:>8.1f} %\n", name, 100 * accuracy.mape,
             100 * *accuracy.coverage, 100 * width);
}

void run(const Replayed& replayed) {
  const Leaning leaning = leaning_of(replayed);
  fmt::print("runs of one network scatter by {:.1f} %\n", 100 * leaning.scatter);
  fmt::print("{:<22}{:>8}{:>10}{:>10}\n", "second visit", "MAPE", "inside", "width");
  print("by the laws", leaning.by_laws, leaning.width_by_laws);
  print("leaning on the first", leaning.leaning, leaning.width_leaning);
}

}  // namespace
}  // namespace ampere

int main(int argc, char** argv) { return ampere::run_on_recording(argc, argv, ampere::run); }
