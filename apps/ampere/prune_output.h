// A pruned network as text and as files.
#pragma once

#include <span>
#include <string>

#include "report/prune_json.h"

namespace ampere {

void print_prune(const PruneReport& report);

// The same network at several budgets: energy against accuracy.
void print_pareto(std::span<const PruneReport> reports);

// Writes FOLDER/pruned.json and, where the network was trained, FOLDER/pruned.onnx. Returns the
// paths.
std::vector<std::string> write_pruned(const PruneResult& result, const std::string& folder);

}  // namespace ampere
