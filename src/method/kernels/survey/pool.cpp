#include "method/kernels/survey/pool.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/hash.h"
#include "method/kernels/predict/shuffled.h"

namespace ampere {
namespace {

constexpr std::size_t kLeastOfType = 10;  // where so many are asked for,
constexpr std::size_t kFewest = 6;        // and at least enough for a predictor
constexpr std::size_t kLeastAround =
    30;  // made beside those of the networks, so that there is a choice
constexpr std::size_t kAroundForEach = 3;

// Types draw apart: another network beside must not change what is drawn for this one's types.
unsigned seed_of(const std::string& type, unsigned seed) {
  return static_cast<unsigned>(std::stoul(hash_text(type).substr(8), nullptr, 16)) ^ seed;
}

// Two that networks have, then one around them, and so on.
std::vector<Kernel> in_turns(const std::vector<Kernel>& real, std::vector<Kernel> around,
                             unsigned seed) {
  std::vector<Kernel> mixed;
  std::size_t next = 0;
  for (const auto index : shuffled(static_cast<Eigen::Index>(real.size()), seed)) {
    mixed.push_back(real[static_cast<std::size_t>(index)]);
    if (mixed.size() % 3 == 2 && next < around.size()) mixed.push_back(std::move(around[next++]));
  }
  std::move(around.begin() + static_cast<std::ptrdiff_t>(next), around.end(),
            std::back_inserter(mixed));
  return mixed;
}

void fill(TypePool& pool, const FusionRules& rules, const SurveyOptions& options) {
  const unsigned seed = seed_of(pool.type, options.seed);
  const std::size_t around =
      std::min(std::max(kLeastAround, kAroundForEach * pool.in_networks.size()),
               kAroundForEach * static_cast<std::size_t>(options.configurations));
  pool.left =
      in_turns(pool.in_networks,
               widen_kernels(pool.in_networks, static_cast<int>(around), seed, rules), seed);
}

}  // namespace

std::vector<TypePool> make_pools(std::span<const Model> networks, const FusionRules& rules,
                                 const SurveyOptions& options) {
  std::map<std::string, TypePool> by_type;
  std::map<std::pair<std::string, KernelConfig>, std::size_t> places;
  for (const Model& network : networks)
    for (Kernel& kernel : kernels_of(network, rules)) {
      TypePool& pool = by_type[kernel.type];
      const auto [place, is_new] =
          places.try_emplace({kernel.type, kernel.config}, pool.in_networks.size());
      if (is_new) {
        pool.type = kernel.type;
        pool.in_networks.push_back(std::move(kernel));
        pool.counts.push_back(0);
      }
      ++pool.counts[place->second];
    }
  std::vector<TypePool> pools;
  for (auto& [type, pool] : by_type) {
    fill(pool, rules, options);
    pools.push_back(std::move(pool));
  }
  return pools;
}

std::vector<std::size_t> shared_out(std::size_t total, std::span<const double> weights,
                                    std::span<const std::size_t> limits) {
  std::vector<std::size_t> shares(weights.size(), 0);
  // One by one to whoever is furthest below its share (D'Hondt's way).
  for (; total > 0; --total) {
    std::size_t best = weights.size();
    double most = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double claim = weights[i] / static_cast<double>(shares[i] + 1);
      if (shares[i] < limits[i] && claim > most) {
        most = claim;
        best = i;
      }
    }
    if (best == weights.size()) break;
    ++shares[best];
  }
  return shares;
}

std::vector<std::size_t> first_round(std::span<const TypePool> pools, int configurations) {
  const auto all = static_cast<std::size_t>(configurations);
  const std::size_t half = all / 2 / pools.size();
  const std::size_t each = std::min(all / pools.size(), std::clamp(half, kFewest, kLeastOfType));
  std::vector<std::size_t> takes, limits;
  std::vector<double> weights;
  for (const TypePool& pool : pools) {
    takes.push_back(std::min(each, pool.left.size()));
    limits.push_back(pool.left.size() - takes.back());
    weights.push_back(static_cast<double>(pool.in_networks.size()));
  }
  const std::size_t taken = std::accumulate(takes.begin(), takes.end(), std::size_t{0});
  const auto rest = shared_out(all / 2 - std::min(all / 2, taken), weights, limits);
  for (std::size_t i = 0; i < takes.size(); ++i) takes[i] += rest[i];
  return takes;
}

}  // namespace ampere
