#include "block/planned_kinds.h"

#include <algorithm>
#include <map>

namespace ampere {
namespace {

// Collects kinds with the largest features asked of each. Hidden and input kinds ask for their
// companions as wide as they themselves take and give.
class Plan {
 public:
  explicit Plan(std::vector<Block> own) : own_(std::move(own)) {}

  void need(const std::shared_ptr<const BlockKind>& kind, const std::vector<std::int64_t>& upper,
            std::map<std::string, PlannedKind>& planned) const {
    auto [entry, fresh] = planned.try_emplace(kind->key, PlannedKind{kind, {}, upper});
    PlannedKind& plan = entry->second;
    if (fresh) {
      plan.companions = companions(*kind, own_);
    } else {
      if (covers(plan.upper, upper)) return;
      std::ranges::transform(plan.upper, upper, plan.upper.begin(),
                             [](auto a, auto b) { return std::max(a, b); });
    }
    // What the companions must be known for is read off the widest variant.
    for (const Block& block : parse_blocks(make_variant(*kind, plan.upper, plan.companions)))
      if (block.kind->key != kind->key) need(block.kind, block.features, planned);
  }

 private:
  static bool covers(const std::vector<std::int64_t>& known,
                     const std::vector<std::int64_t>& asked) {
    return std::ranges::equal(known, asked, std::ranges::greater_equal{});
  }

  std::vector<Block> own_;
};

}  // namespace

std::vector<PlannedKind> plan_profile(std::span<const Model> models) {
  std::map<std::string, PlannedKind> planned;
  for (const Model& model : models) {
    const std::vector<Block> blocks = parse_blocks(model);
    const Plan plan(blocks);
    for (const Block& block : blocks) plan.need(block.kind, block.features, planned);
  }

  std::vector<PlannedKind> ordered;
  for (const Role role : {Role::output, Role::input, Role::hidden})
    for (const auto& [key, kind] : planned)
      if (kind.kind->role == role) ordered.push_back(kind);
  return ordered;
}

}  // namespace ampere
