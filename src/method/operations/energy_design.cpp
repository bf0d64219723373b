#include "method/operations/energy_design.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <iterator>

#include "ampere/error.h"

namespace ampere {
namespace {

struct Sizes {
  const char* model;
  std::vector<std::int64_t> batches;
};

const std::vector<Sizes>& networks() {
  static const std::vector<Sizes> all{{"lenet5", {32, 1024}},
                                      {"cnn5", {128, 1024}},
                                      {"conv_stack:width=256", {32, 128}},
                                      {"lstm:256,512,512", {64, 256}},
                                      {"gru:256,512,512", {64, 256}},
                                      {"transformer:d=512,layers=6,length=128", {8, 64}},
                                      {"transformer:d=1024,layers=12,length=256", {8, 32}},
                                      {"vit_tiny", {16, 128}},
                                      {"resnet18:size=224", {16, 128}},
                                      {"resnet50:size=224", {8, 64}},
                                      {"vgg16", {16, 64}},
                                      {"alexnet", {64, 512}},
                                      {"mobilenet_v1", {16, 128}},
                                      {"mobilenet_v2", {16, 128}},
                                      {"squeezenet", {32, 128}},
                                      {"shufflenet_v2", {32, 256}},
                                      {"googlenet", {16, 128}},
                                      {"densenet121", {16, 64}}};
  return all;
}

// On a CPU most of the networks above take too long, so that these are candidates as well.
const std::vector<Sizes>& small_networks() {
  static const std::vector<Sizes> all{{"har", {32, 256}},
                                      {"lstm", {8, 32}},
                                      {"gru", {8, 32}},
                                      {"transformer", {4, 16}},
                                      {"vit_tiny:size=64", {4, 16}},
                                      {"resnet18", {4, 16}},
                                      {"resnet50", {4}},
                                      {"mobilenet_v1:size=64", {4, 16}},
                                      {"mobilenet_v2:size=96", {4, 16}},
                                      {"squeezenet:size=64", {4, 16}},
                                      {"shufflenet_v2:size=64", {4, 16}},
                                      {"densenet121:size=64", {4}},
                                      {"unet:size=32", {4, 16}},
                                      {"ds_cnn", {32, 128}}};
  return all;
}

std::vector<Setup> setups(const SetupRange& range) {
  std::vector<Setup> all;
  for (const char* precision : {"fp32", "tf32", "bf16"})
    for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::adamw}) {
      Setup setup;
      setup.precision = precision;
      setup.optimizer = optimizer;
      if (missing_from(range, setup).empty()) all.push_back(setup);
    }
  return all;
}

// For weighing terms against each other before anything is measured.
const WorkEnergyLaw kGuess = usual_energy_law();
constexpr double kIterationHost_s = 1e-3;  // beside its calls
constexpr double kRidge = 1e-4;

constexpr int kDesignTerms = 8;
using Row = Eigen::Matrix<double, kDesignTerms, 1>;

// The share of the iteration's energy that each coefficient would have.
Row shares_of(const Program& program, const OperationMap& map, const HostMap& host,
              double& time_s) {
  const std::vector<double> counts = call_counts(program);
  const std::vector<MappedOperation> mapped = map_operations(map, program);
  const double device_s = sum_of_operations(mapped, counts).seconds;
  const WorkTerms work = work_terms(mapped, counts, map.device);
  time_s = std::max(device_s, host.calls_s(program, counts) + kIterationHost_s);
  Row row;
  row << kGuess.ready_w * time_s, kGuess.busy_w * device_s,
      kGuess.j_per_memory_byte * work.memory_bytes, kGuess.j_per_cache_byte * work.cache_bytes,
      kGuess.j_per_flop[1] * work.flops[1], kGuess.j_per_flop[2] * work.flops[2],
      kGuess.j_per_flop[3] * work.flops[3], kGuess.grouped_w * work.grouped_s;
  return row / row.sum();
}

}  // namespace

std::vector<EnergyCandidate> energy_candidates(const SetupRange& range, const Dialect& dialect) {
  std::vector<Sizes> all = networks();
  if (!dialect.is_cuda) std::ranges::copy(small_networks(), std::back_inserter(all));
  std::vector<EnergyCandidate> candidates;
  for (const Sizes& sizes : all) {
    const Model model = open_model(sizes.model);
    for (Setup setup : setups(range))
      for (const std::int64_t batch : sizes.batches) {
        setup.batch = batch;
        try {
          candidates.push_back({model, setup, lower(model, setup, dialect)});
        } catch (const Error& error) {
          if (error.code() != ErrorCode::usage) throw;  // else it cannot be lowered
        }
      }
  }
  return candidates;
}

std::vector<std::size_t> design_energy(std::span<const EnergyCandidate> candidates,
                                       const OperationMap& map, const HostMap& host,
                                       const std::set<std::string>& measured, double longest_s) {
  Eigen::Matrix<double, kDesignTerms, kDesignTerms> information =
      kRidge * Eigen::Matrix<double, kDesignTerms, kDesignTerms>::Identity();
  std::vector<std::pair<std::size_t, Row>> open;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    double time_s = 0;
    const Row row = shares_of(candidates[i].program, map, host, time_s);
    if (measured.contains(program_hash(candidates[i].program)))
      information += row * row.transpose();
    else if (time_s <= longest_s)
      open.emplace_back(i, row);
  }
  std::vector<std::size_t> order;
  while (!open.empty()) {
    // det(A + r rᵀ) = det(A) (1 + rᵀ A⁻¹ r)
    const Eigen::LLT<Eigen::Matrix<double, kDesignTerms, kDesignTerms>> factors(information);
    const auto best = std::ranges::max_element(
        open, {}, [&](const auto& each) { return each.second.dot(factors.solve(each.second)); });
    information += best->second * best->second.transpose();
    order.push_back(best->first);
    open.erase(best);
  }
  return order;
}

}  // namespace ampere
