// Both predictors on a table of measured kernels: cross-validated errors and seconds to fit, as a
// table for people.
//
//     kernel_accuracy FILE.csv [KERNEL [MAPPING]]
//     kernel_accuracy --rows FILE.csv [KERNEL [MAPPING]]   what the process sees, for other
//     programs
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <set>

#include "ampere/error.h"
#include "base/json.h"
#include "base/text.h"
#include "method/kernels/kernel_fit.h"
#include "method/kernels/predict/shuffled.h"

namespace {

using namespace ampere;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::set<std::string> types_of(const EnergyTable& data) {
  std::set<std::string> types;
  for (const TableRow& row : data.rows) types.insert(row.name);
  return types;
}

// One line of JSON per type: a row per configuration, ln(energy), the order that the folds are
// dealt from, and the error of the process, whose sign is that of ln(predicted / measured).
void print_rows(const EnergyTable& data) {
  for (const std::string& type : types_of(data)) {
    const KernelFit fit = fit_kernel(type, data.rows);
    std::map<KernelConfig, std::pair<double, int>> merged;
    for (const TableRow& row : data.rows) {
      if (row.name != type) continue;
      auto& [sum, count] = merged[row.config];
      sum += std::log(row.energy_j), ++count;
    }
    Json rows = Json::array(), logs = Json::array();
    for (const auto& row : fit.seen.rowwise())
      rows.push_back(std::vector<double>(row.begin(), row.end()));
    for (const auto& [config, both] : merged) logs.push_back(both.first / both.second);
    fmt::print("{}\n", Json{{"kernel", type},
                            {"rows", rows},
                            {"aligned", fit.aligned.size()},
                            {"log_energy", logs},
                            {"order", shuffled(fit.seen.rows(), KernelFitOptions{}.seed)},
                            {"log_errors", std::vector(fit.errors.begin(), fit.errors.end())}}
                           .dump());
  }
}

void report(const EnergyTable& data, PredictorKind kind) {
  for (const std::string& type : types_of(data)) {
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
  const bool as_rows = argc > 1 && std::string_view(argv[1]) == "--rows";
  if (as_rows) --argc, ++argv;
  if (argc < 2)
    throw Error(ErrorCode::usage, "kernel_accuracy [--rows] FILE.csv [KERNEL [MAPPING]]");
  ImportOptions options;
  if (argc > 2) options.kernel = argv[2];
  if (argc > 3) options.columns = argv[3];
  const TableImport imported = import_table(read_text_file(argv[1]), argv[1], options);
  for (const BadRow& bad : imported.bad) fmt::print(stderr, "line {}: {}\n", bad.line, bad.reason);
  for (const std::string& note : imported.notes) fmt::print(stderr, "{}\n", note);
  if (as_rows) return print_rows(imported.data), 0;
  fmt::print(
      "| kernel | predictor | rows | MAPE % | RMSPE % | within 5 % | 10 % | 15 % | fit s | with "
      "5 folds s |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  for (const PredictorKind kind : {PredictorKind::gp, PredictorKind::forest})
    report(imported.data, kind);
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
