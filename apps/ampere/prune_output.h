// A pruned network as text, as JSON and as files.
#pragma once

#include <span>
#include <string>

#include "ampere/prune.h"
#include "ampere/store.h"
#include "base/json.h"

namespace ampere {

struct PruneReport {
  std::string model;  // as the user wrote it
  PruneTask task;
  ProfileRow profile;
  PruneResult result;
};

Json prune_json(const PruneReport& report);
void print_prune(const PruneReport& report);

// The same network at several budgets: energy against accuracy.
void print_pareto(std::span<const PruneReport> reports);

// FOLDER/pruned.json and, where the network was trained, FOLDER/pruned.onnx. Gives what was
// written.
std::vector<std::string> write_pruned(const PruneResult& result, const std::string& folder);

}  // namespace ampere
