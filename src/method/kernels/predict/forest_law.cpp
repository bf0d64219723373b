#include <cmath>

#include "base/json.h"
#include "method/kernels/cut/columns.h"
#include "method/kernels/predict/law.h"
#include "tree/forest.h"
#include "tree/tree_text.h"

namespace ampere {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Within the ranges that DeepEn2023 chose from, by type of kernel.
ForestOptions options_for(const std::string& type) {
  const std::string first = first_operator(type);
  if (first == "conv" || first == "gconv" || first == "convtranspose")
    return {.trees = 500, .depth = 70, .columns = 6};
  if (first == "dwconv") return {.trees = 240, .depth = 50, .columns = 5};
  if (first == "fc") return {.trees = 370, .depth = 70, .columns = 4};
  if (first == "maxpool" || first == "avgpool") return {.trees = 210, .depth = 50, .columns = 4};
  return {.trees = 190, .depth = 50, .columns = 2};
}

class ForestLaw : public KernelLaw {
 public:
  explicit ForestLaw(RandomForest forest) : forest_(std::move(forest)) {}

  void predict(const FeatureRows& at, VectorXd& mean, VectorXd& stddev) const override {
    mean.resize(at.size());
    stddev.resize(at.size());
    for (Index i = 0; i < at.size(); ++i) {
      const Quantity answer = forest_(at.plain.row(i));
      mean[i] = answer.mean;
      stddev[i] = answer.stddev.value();
    }
  }

  MatrixXd covariance(const FeatureRows& at) const override {
    const auto count = static_cast<Index>(forest_.trees().size());
    MatrixXd said(at.size(), count);
    for (Index i = 0; i < at.size(); ++i) {
      const VectorXd row = at.plain.row(i);
      for (Index tree = 0; tree < count; ++tree)
        said(i, tree) = forest_.trees()[static_cast<std::size_t>(tree)](row.data());
    }
    said.colwise() -= VectorXd(said.rowwise().mean());
    return said * said.transpose() / static_cast<double>(count);
  }

  Json json() const override { return trees_json(forest_.trees()); }

 private:
  RandomForest forest_;
};

}  // namespace

SharedLaw fit_forest_law(const std::string& type, const FeatureRows& rows, const VectorXd& values,
                         unsigned seed) {
  ForestOptions options = options_for(type);
  options.seed = seed;
  return std::make_shared<ForestLaw>(RandomForest::fit(rows.plain, values, options));
}

SharedLaw read_forest_law(const JsonField& json, Index features) {
  std::vector<RegressionTree> trees = read_trees(json, features);
  if (trees.empty()) json.fail("is a forest without a tree");
  return std::make_shared<ForestLaw>(RandomForest(std::move(trees)));
}

}  // namespace ampere
