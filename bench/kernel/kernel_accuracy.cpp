// Both predictors on a table of measured kernels: cross-validated errors and seconds to fit, as a
// table for people.
//
//     kernel_accuracy FILE.csv [KERNEL [MAPPING]]
#include <fmt/format.h>

#include <chrono>

#include "ampere/error.h"
#include "base/text.h"
#include "method/kernels/kernel_fit.h"

namespace {

using namespace ampere;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void report(const EnergyTable& data, PredictorKind kind) {
  std::map<std::string, bool> types;
  for (const TableRow& row : data.rows) types[row.name] = true;
  for (const auto& [type, present] : types) {
    const auto start = std::chrono::steady_clock::now();
    fit_kernel(type, data.rows, {.kind = kind, .folds = 0});
    const double alone = seconds_since(start);
    const auto again = std::chrono::steady_clock::now();
    const KernelFit fit = fit_kernel(type, data.rows, {.kind = kind});
    const Accuracy& energy = *fit.energy_accuracy;
    fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {:.0f} | {:.0f} | {:.0f} | {:.2f} | {:.2f} |\n",
               type, to_string(kind), fit.rows, 100 * energy.mape, 100 * energy.rmspe,
               100 * energy.within_5, 100 * energy.within_10, 100 * energy.within_15, alone,
               seconds_since(again));
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) throw Error(ErrorCode::usage, "kernel_accuracy FILE.csv [KERNEL [MAPPING]]");
  ImportOptions options;
  if (argc > 2) options.kernel = argv[2];
  if (argc > 3) options.columns = argv[3];
  const TableImport imported = import_table(read_text_file(argv[1]), argv[1], options);
  for (const BadRow& bad : imported.bad) fmt::print(stderr, "line {}: {}\n", bad.line, bad.reason);
  for (const std::string& note : imported.notes) fmt::print(stderr, "{}\n", note);
  fmt::print(
      "| kernel | predictor | rows | MAPE % | RMSPE % | within 5 % | 10 % | 15 % | fit s | with "
      "5 folds s |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  for (const PredictorKind kind : {PredictorKind::gp, PredictorKind::forest})
    report(imported.data, kind);
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
