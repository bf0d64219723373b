#include "method/dual/families.h"

#include <algorithm>

#include "ampere/block.h"

namespace ampere {
namespace {

// Of the smaller set, that two have to share more of to be one family: versions of one network at
// several depths or input sizes.
constexpr double kSameFamily = 0.5;
constexpr std::size_t kMostBorrowed = 60;  // networks

bool contains(const Kinds& all, const Kinds& some) { return std::ranges::includes(all, some); }

bool are_alike(const Kinds& one, const Kinds& other) {
  const auto shared =
      std::ranges::count_if(one, [&](const std::string& kind) { return other.contains(kind); });
  return static_cast<double>(shared) >
         kSameFamily * static_cast<double>(std::min(one.size(), other.size()));
}

// Sets that are in no other one, in the order in which they occur.
std::vector<Kinds> largest_of(const std::vector<Kinds>& sets) {
  std::vector<Kinds> largest;
  for (const Kinds& set : sets) {
    if (std::ranges::any_of(largest, [&](const Kinds& known) { return contains(known, set); }))
      continue;
    std::erase_if(largest, [&](const Kinds& known) { return contains(set, known); });
    largest.push_back(set);
  }
  return largest;
}

// Until no two are alike.
std::vector<Kinds> merged(std::vector<Kinds> sets) {
  for (std::size_t i = 0; i < sets.size(); ++i)
    for (std::size_t j = i + 1; j < sets.size(); ++j)
      if (are_alike(sets[i], sets[j])) {
        sets[i].insert(sets[j].begin(), sets[j].end());
        sets.erase(sets.begin() + static_cast<long>(j));
        j = i;  // the larger set may be like those that were passed
      }
  return sets;
}

// Every n-th network of the others.
void borrow(Family& family, std::size_t networks) {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < networks; ++i)
    if (!std::ranges::binary_search(family.networks, i)) others.push_back(i);
  const std::size_t count = std::min(others.size(), kMostBorrowed);
  for (std::size_t i = 0; i < count; ++i)
    family.networks.push_back(others[i * others.size() / count]);
  std::ranges::sort(family.networks);
}

}  // namespace

Kinds hidden_kinds(std::span<const std::string> kinds) {
  Kinds hidden;
  for (const std::string& kind : kinds)
    if (kind.starts_with(to_string(Role::hidden))) hidden.insert(kind);
  return hidden;
}

std::vector<Family> families_of(std::span<const NetworkRecord> networks) {
  std::vector<Kinds> hidden;
  for (const NetworkRecord& network : networks) {
    std::vector<std::string> kinds;
    for (const BlockTerms& block : network.blocks) kinds.push_back(block.kind);
    hidden.push_back(hidden_kinds(kinds));
  }
  std::vector<Family> families;
  for (Kinds& kinds : merged(largest_of(hidden))) families.push_back({std::move(kinds), {}});
  for (Family& family : families) {
    std::set<std::vector<BlockKey>> different;
    for (std::size_t i = 0; i < networks.size(); ++i) {
      if (!contains(family.hidden, hidden[i])) continue;
      family.networks.push_back(i);
      different.insert(keys_of(networks[i].blocks));
    }
    if (different.size() < kLeastNetworks) borrow(family, networks.size());
  }
  return families;
}

std::optional<std::size_t> find_family(std::span<const Kinds> families, const Kinds& hidden) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < families.size(); ++i)
    if (contains(families[i], hidden) && (!best || families[i].size() < families[*best].size()))
      best = i;
  return best;
}

}  // namespace ampere
