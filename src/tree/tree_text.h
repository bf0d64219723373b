// Trees as they are stored.
#pragma once

#include <span>
#include <vector>

#include "base/json.h"
#include "tree/regression_tree.h"

namespace ampere {

Json trees_json(std::span<const RegressionTree> trees);

// Throws Error(usage) for what would walk astray: a node of no column, a child that is not after
// its parent.
std::vector<RegressionTree> read_trees(const JsonField& json, Eigen::Index columns);

}  // namespace ampere
