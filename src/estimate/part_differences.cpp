#include "estimate/part_differences.h"

#include <fmt/format.h>

#include <algorithm>

namespace ampere {
namespace {

// One block with its own share of the estimate.
struct CostedBlock {
  std::string name, text;
  std::string kind;
  std::vector<std::int64_t> features;
  double energy_j = 0, time_s = 0;
};

std::string name_of(const Model& model, const Block& block) {
  const std::string& first = model.layers()[block.layers.front()].name;
  const std::string& last = model.layers()[block.layers.back()].name;
  return block.layers.size() == 1 ? first : fmt::format("{} … {}", first, last);
}

std::string text_of(const Block& block) {
  std::string text = block.kind->title;
  for (std::size_t i = 0; i < block.features.size(); ++i)
    text += fmt::format(" {}={}", block.kind->features[i].name, block.features[i]);
  return text;
}

std::vector<CostedBlock> costed_blocks(const Model& model, const Estimate& estimate) {
  std::vector<CostedBlock> blocks;
  for (const Block& block : parse_blocks(model)) {
    CostedBlock one{name_of(model, block), text_of(block), block.kind->key, block.features, 0, 0};
    const auto part = std::ranges::find_if(estimate.parts, [&](const Part& each) {
      return each.kind == block.kind->key && each.features == block.features;
    });
    if (part != estimate.parts.end()) {
      if (part->energy_j) one.energy_j = part->energy_j->mean / part->count;
      if (part->time_s) one.time_s = part->time_s->mean / part->count;
    }
    blocks.push_back(std::move(one));
  }
  return blocks;
}

// How well two blocks match; 0: not at all.
double likeness(const CostedBlock& a, const CostedBlock& b) {
  const bool same_kind = a.kind == b.kind, same_name = a.name == b.name;
  if (!same_kind && !same_name) return 0;
  const double kind = !same_kind ? 1.5 : a.features == b.features ? 4 : 2;
  return kind + (same_name ? 0.5 : 0);
}

PartDifference row(const CostedBlock* a, const CostedBlock* b) {
  PartDifference part;
  part.name = (b != nullptr ? b : a)->name;
  if (a != nullptr) {
    part.before = a->text, part.calls_before = 1;
    part.energy_before_j = a->energy_j, part.time_before_s = a->time_s;
  }
  if (b != nullptr) {
    part.after = b->text, part.calls_after = 1;
    part.energy_after_j = b->energy_j, part.time_after_s = b->time_s;
  }
  part.change = a == nullptr                                       ? PartChange::added
                : b == nullptr                                     ? PartChange::removed
                : a->kind == b->kind && a->features == b->features ? PartChange::same
                                                                   : PartChange::changed;
  return part;
}

}  // namespace

const char* to_string(PartChange change) {
  switch (change) {
    case PartChange::same:
      return "same";
    case PartChange::changed:
      return "changed";
    case PartChange::added:
      return "added";
    case PartChange::removed:
      return "removed";
  }
  return "same";
}

// The alignment in order whose matches are the best together.
std::vector<PartDifference> part_differences(const Model& before, const Estimate& before_estimate,
                                             const Model& after, const Estimate& after_estimate) {
  const std::vector<CostedBlock> a = costed_blocks(before, before_estimate),
                                 b = costed_blocks(after, after_estimate);
  const std::size_t rows = a.size(), columns = b.size();
  std::vector<std::vector<double>> best(rows + 1, std::vector<double>(columns + 1, 0));
  for (std::size_t i = rows; i-- > 0;)
    for (std::size_t j = columns; j-- > 0;) {
      best[i][j] = std::max(best[i + 1][j], best[i][j + 1]);
      if (const double match = likeness(a[i], b[j]); match > 0)
        best[i][j] = std::max(best[i][j], match + best[i + 1][j + 1]);
    }
  std::vector<PartDifference> parts;
  for (std::size_t i = 0, j = 0; i < rows || j < columns;) {
    const double match = i < rows && j < columns ? likeness(a[i], b[j]) : 0;
    if (match > 0 && best[i][j] == match + best[i + 1][j + 1])
      parts.push_back(row(&a[i++], &b[j++]));
    else if (j == columns || (i < rows && best[i][j] == best[i + 1][j]))
      parts.push_back(row(&a[i++], nullptr));
    else
      parts.push_back(row(nullptr, &b[j++]));
  }
  return parts;
}

}  // namespace ampere
