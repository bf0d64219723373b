// A map of times for many questions whose widths repeat: what follows from one width alone is found
// once. Answers are those of the map, apart from the order of sums.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <span>
#include <vector>

#include "gp/split_gp_mean.h"
#include "method/dual/time_map.h"
#include "tree/tree_masks.h"
#include "widths/number_table.h"

namespace ampere {

class TimeTable {
 public:
  explicit TimeTable(const TimeMap& map);  // keeps a reference

  // Throws Error(usage) as the map does. Serves one thread.
  BlockTime operator()(const std::vector<std::int64_t>& features);

 private:
  // What the widths at one place add, row by row. It lies side by side in memory, because fetching
  // it takes longer than computing with it.
  struct Place {
    NumberTable rows;                   // by width
    std::vector<double> squares;        // of distances, for the smooth process and then the host's
    std::vector<std::uint32_t> leaves;  // that remain, one mask per tree
    std::vector<char> timed;            // whether some block with this width was
  };
  // A column of the trees that depends on all widths together. `leaves` are those that remain when
  // none, one, two, … of the cuts lie below the value.
  struct Joint {
    std::vector<double> cuts;
    std::vector<TreeMasks::Leaves> leaves;
  };

  std::size_t row(std::size_t place, std::int64_t width);
  void add(std::size_t place, std::int64_t width);
  Joint tabulate(std::size_t column) const;
  const double* timed(const std::vector<std::int64_t>& features) const;
  // Of the row at a place that is asked about.
  std::span<const double> squares(std::size_t place) const {
    const auto count = static_cast<std::size_t>(squares_.size());
    return std::span(places_[place].squares).subspan(rows_[place] * count, count);
  }
  std::span<const std::uint32_t> leaves(std::size_t place) const {
    return std::span(places_[place].leaves).subspan(rows_[place] * masks_.trees(), masks_.trees());
  }
  double steps_log(const std::vector<std::int64_t>& features);

  const TimeMap& map_;
  SplitGpMean smooth_, host_;
  TreeMasks masks_;
  std::vector<Place> places_;
  std::size_t tabulated_ = 0;  // widths, at all places
  std::vector<Joint> joint_;

  // Of the question that is being answered.
  std::vector<std::size_t> rows_;  // by place
  Eigen::ArrayXd squares_;
  TreeMasks::Leaves leaves_;
  std::vector<const std::uint32_t*> others_;
};

}  // namespace ampere
