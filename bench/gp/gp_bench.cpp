// Batch prediction, loading and fitting of Gaussian processes of the sizes a profile holds.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

#include "ampere/gp.h"

namespace {

using ampere::GaussianProcess;

struct Data {
  Eigen::MatrixXd x;
  Eigen::VectorXd y, noise;
};

// Energy-like: a plane in the channels, a product of them, and a ripple.
Data make_data(Eigen::Index points, Eigen::Index dimensions) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> channels(1, 128);
  std::normal_distribution<double> jitter(0, 0.01);
  Data data{Eigen::MatrixXd(points, dimensions), Eigen::VectorXd(points),
            Eigen::VectorXd::Constant(points, 1e-4)};
  for (Eigen::Index i = 0; i < points; ++i) {
    for (Eigen::Index d = 0; d < dimensions; ++d) data.x(i, d) = channels(engine);
    const Eigen::RowVectorXd row = data.x.row(i);
    data.y(i) =
        1 + 0.01 * row.sum() + (row / 64).prod() + 0.1 * std::sin(row(0) / 9) + jitter(engine);
  }
  return data;
}

void predict_batch(benchmark::State& state) {
  const Data data = make_data(state.range(0), state.range(1));
  const GaussianProcess gp = GaussianProcess::fit(data.x, data.y, data.noise);
  const Eigen::MatrixXd at = make_data(10000, state.range(1)).x;
  Eigen::VectorXd mean, variance;
  for (auto _ : state) {
    gp.predict(at, mean, variance);
    benchmark::DoNotOptimize(variance.data());
  }
  state.SetItemsProcessed(state.iterations() * at.rows());
}
BENCHMARK(predict_batch)->Args({20, 1})->Args({20, 2})->Args({50, 2})->Args({200, 4});

void predict_one(benchmark::State& state) {
  const Data data = make_data(state.range(0), 2);
  const GaussianProcess gp = GaussianProcess::fit(data.x, data.y, data.noise);
  const Eigen::VectorXd at = Eigen::Vector2d(17, 40);
  for (auto _ : state) benchmark::DoNotOptimize(gp.predict(at));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(predict_one)->Arg(20);

void load(benchmark::State& state) {
  const Data data = make_data(state.range(0), 2);
  const GaussianProcess gp = GaussianProcess::fit(data.x, data.y, data.noise);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        GaussianProcess::with(gp.hyperparameters(), data.x, data.y, data.noise));
  }
}
BENCHMARK(load)->Arg(25)->Unit(benchmark::kMicrosecond);

void fit(benchmark::State& state) {
  const Data data = make_data(state.range(0), state.range(1));
  for (auto _ : state) {
    benchmark::DoNotOptimize(GaussianProcess::fit(data.x, data.y, data.noise));
  }
}
BENCHMARK(fit)->Args({10, 1})->Args({20, 2})->Args({50, 2})->Args({200, 4})->Unit(
    benchmark::kMillisecond);

}  // namespace
