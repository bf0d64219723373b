// A map of times for many questions whose widths repeat: what follows from one width alone is found
// once. Answers are those of the map, apart from the order of sums.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "gp/split_gp_mean.h"
#include "method/dual/time_map.h"
#include "tree/tree_masks.h"

namespace ampere {

class TimeTable {
 public:
  explicit TimeTable(const TimeMap& map);  // keeps a reference

  // Throws Error(usage) as the map does. Serves one thread.
  BlockTime operator()(const std::vector<std::int64_t>& features);

 private:
  // What one width at one place adds.
  struct Width {
    Eigen::ArrayXd smooth, host;  // squares of distances
    TreeMasks::Leaves leaves;
  };
  // A column of the trees that depends on all widths together. `leaves` are those that remain when
  // none, one, two, … of the cuts lie below the value.
  struct Joint {
    std::vector<double> cuts;
    std::vector<TreeMasks::Leaves> leaves;
  };

  Width add(std::size_t place, std::int64_t width) const;
  Joint tabulate(std::size_t column) const;
  double host_log();
  double smooth_log();
  double steps_log(const std::vector<std::int64_t>& features);

  const TimeMap& map_;
  SplitGpMean smooth_, host_;
  TreeMasks masks_;
  std::vector<std::unordered_map<std::int64_t, Width>> widths_;  // by place
  std::size_t tabulated_ = 0;                                    // in all of them
  std::vector<Joint> joint_;

  // Of the question that is being answered.
  std::vector<const Width*> asked_;
  TreeMasks::Leaves leaves_;
  std::vector<const TreeMasks::Leaves*> others_;
  Eigen::ArrayXd squares_;
};

}  // namespace ampere
