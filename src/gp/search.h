// The largest value of a smooth function in a box.
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <vector>

namespace ampere {

struct Box {
  Eigen::VectorXd lower, upper;
};

struct Optimum {
  Eigen::VectorXd at;
  double value = 0;
};

// The value at a point of the box, and its gradient.
using SmoothFunction = std::function<double(const Eigen::VectorXd& at, Eigen::VectorXd* gradient)>;

// Climbs from every start and returns the best point met, refined. `starts` must not be empty and
// must lie in the box. What the function throws passes through; a climb that the optimiser gives up
// counts as far as it came.
Optimum maximise(const SmoothFunction& function, const Box& box,
                 const std::vector<Eigen::VectorXd>& starts);

// One climb from `start` with at most so many evaluations: for functions that are expensive, and
// whose priors leave one hill.
Optimum climb(const SmoothFunction& function, const Box& box, const Eigen::VectorXd& start,
              int most_evaluations);

}  // namespace ampere
