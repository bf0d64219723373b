// Fitting 1,000 rows in seven dimensions (the five sizes of a convolution, FLOPs and parameters),
// and predictions a second.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "method/kernels/kernel_fit.h"

namespace {

using namespace ampere;

// A roofline with a launch cost and steps of eight channels, and 3 % of noise.
std::vector<TableRow> convolutions(int count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0, 0.03);
  const auto any = [&](auto... values) {
    const std::int64_t all[] = {values...};
    return all[random() % std::size(all)];
  };
  const auto between = [&](double low, double high) {
    const double share = static_cast<double>(random() >> 11) * 0x1p-53;
    return static_cast<std::int64_t>(std::llround(low * std::pow(high / low, share)));
  };
  std::vector<TableRow> rows;
  for (int i = 0; i < count; ++i) {
    const std::int64_t hw = any(7, 14, 28, 56, 112, 224), cin = between(3, 2160),
                       cout = between(4, 2048), k = any(1, 3, 5, 7, 9, 11), s = any(1, 2, 4);
    const auto places = std::pow(std::ceil(static_cast<double>(hw) / static_cast<double>(s)), 2);
    const double flops = 2 * places * std::ceil(static_cast<double>(cout) / 8) * 8 *
                         static_cast<double>(k * k * cin);
    const double bytes = 4 * (static_cast<double>(hw * hw * cin + k * k * cin * cout) +
                              places * static_cast<double>(cout));
    TableRow row{"conv+bn+relu",
                 {{"HW", hw}, {"CIN", cin}, {"COUT", cout}, {"KERNEL_SIZE", k}, {"STRIDES", s}},
                 {}};
    row.energy_j = (2e-5 + flops * 2e-11 + bytes * 2e-10) * std::exp(noise(random));
    rows.push_back(row);
  }
  return rows;
}

void fit_thousand_rows(benchmark::State& state) {
  const std::vector<TableRow> rows = convolutions(1000, 1);
  const KernelFitOptions options{.kind = static_cast<PredictorKind>(state.range(0)),
                                 .folds = static_cast<int>(state.range(1))};
  double mape = 0;
  for (auto _ : state) {
    const KernelFit fit = fit_kernel("conv+bn+relu", rows, options);
    if (fit.energy_accuracy) mape = fit.energy_accuracy->mape;
    benchmark::DoNotOptimize(fit.energy.get());
  }
  state.SetLabel(to_string(options.kind));
  if (mape > 0) state.counters["mape"] = mape;
}
BENCHMARK(fit_thousand_rows)
    ->ArgNames({"forest", "folds"})
    ->Args({0, 0})
    ->Args({0, 5})
    ->Args({1, 0})
    ->Args({1, 5})
    ->Unit(benchmark::kSecond);

void predict_many(benchmark::State& state) {
  const KernelFitOptions options{.kind = static_cast<PredictorKind>(state.range(0)), .folds = 0};
  const KernelFit fit = fit_kernel("conv+bn+relu", convolutions(1000, 1), options);
  std::vector<KernelConfig> configs;
  for (const TableRow& row : convolutions(2000, 2)) configs.push_back(row.config);
  for (auto _ : state) benchmark::DoNotOptimize(predict(fit, configs));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(configs.size()));
  state.SetLabel(to_string(options.kind));
}
BENCHMARK(predict_many)->ArgName("forest")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void read_stored(benchmark::State& state) {
  const KernelFitOptions options{.kind = static_cast<PredictorKind>(state.range(0)), .folds = 0};
  const std::string text = to_text(fit_kernel("conv+bn+relu", convolutions(1000, 1), options));
  for (auto _ : state) benchmark::DoNotOptimize(parse_kernel_fit(text).energy.get());
  state.counters["bytes"] = static_cast<double>(text.size());
  state.SetLabel(to_string(options.kind));
}
BENCHMARK(read_stored)->ArgName("forest")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
