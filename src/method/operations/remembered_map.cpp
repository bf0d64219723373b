#include "method/operations/remembered_map.h"

#include <unordered_set>

namespace ampere {
namespace {

constexpr std::size_t kMostOperations = 1 << 18;  // about 50 MB; then one begins anew

}  // namespace

std::span<const MappedOperation> RememberedMap::operator()(const Program& program) {
  const std::vector<OperationKey> keys = operation_keys(program.operations, program.tensors);
  if (known_.size() + keys.size() > kMostOperations) known_.clear();
  ask(program, keys);
  found_.clear();
  for (const OperationKey key : keys) found_.push_back(known_.at(key));
  return found_;
}

// All operations that are new at once, since the processes answer many faster than one by one.
void RememberedMap::ask(const Program& program, const std::vector<OperationKey>& keys) {
  Program unknown;
  std::vector<OperationKey> of_unknown;
  std::unordered_set<OperationKey> asked;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (known_.contains(keys[i]) || !asked.insert(keys[i]).second) continue;
    unknown.operations.push_back(program.operations[i]);
    of_unknown.push_back(keys[i]);
  }
  if (of_unknown.empty()) return;
  unknown.tensors = program.tensors;
  std::vector<MappedOperation> mapped = map_operations(map_, unknown);
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    mapped[i].features.values = {}, mapped[i].features.names = {};  // most of its memory
    known_.emplace(of_unknown[i], std::move(mapped[i]));
  }
}

}  // namespace ampere
