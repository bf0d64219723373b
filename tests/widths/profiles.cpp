#include "profiles.h"

#include <cmath>
#include <map>
#include <random>
#include <tuple>

#include "method/dual/dual_method.h"
#include "method/dual/dual_profile.h"
#include "model/draw.h"
#include "rig/sim.h"
#include "support/profiling.h"

namespace ampere {
namespace {

SharedDualModel profiled(const std::string& device, const std::string& spec, std::int64_t batch) {
  const auto rig = open_sim_rig(device, 1);
  const auto store = open_store("memory:");
  Setup setup;
  setup.batch = batch;
  ProfileOptions options;
  options.timings = 150;
  options.networks = 12;
  const Model model = open_model(spec);
  const ProfileTask task{{model}, draw_narrower({&model, 1}, 40, 3)};
  const ProfileSummary summary =
      testing_support::profile(*make_dual_method(), task, options, {*rig, *store, setup});
  return load_dual(*store, summary.profile);
}

KindFit curve_of(const Block& block) {
  const auto dimensions = static_cast<Eigen::Index>(block.features.size());
  const Eigen::Index corners = Eigen::Index{1} << dimensions;
  Eigen::MatrixXd x(corners, dimensions);
  for (Eigen::Index row = 0; row < corners; ++row)
    for (Eigen::Index column = 0; column < dimensions; ++column)
      x(row, column) = (row >> column) & 1 ? static_cast<double>(block.features[column]) : 1;
  const Eigen::VectorXd y = 0.01 + 0.001 * x.rowwise().sum().array().sqrt();
  const Eigen::VectorXd variance = Eigen::VectorXd::Constant(corners, 1e-8);
  std::vector<std::string> names;
  for (const Feature& feature : block.kind->features) names.push_back(feature.name);
  return {block.kind->key,
          block.kind->title,
          block.kind->role,
          names,
          std::vector<std::int64_t>(block.features.size(), 1),
          block.features,
          Source::measured,
          GaussianProcess::fit(x, y, variance),
          GaussianProcess::fit(x, 0.1 * y, variance)};
}

}  // namespace

SharedDualModel dual_profile(const std::string& device, const std::string& spec,
                             std::int64_t batch) {
  static std::map<std::tuple<std::string, std::string, std::int64_t>, SharedDualModel> made;
  SharedDualModel& model = made[{device, spec, batch}];
  if (!model) model = profiled(device, spec, batch);
  return model;
}

Fits curved_fits(const std::vector<Model>& models) {
  Fits fits;
  for (const Model& model : models) {
    const std::vector<Block> blocks = parse_blocks(model);
    for (const Block& block : blocks)
      if (!fits.contains(block.kind->key)) fits.emplace(block.kind->key, curve_of(block));
  }
  return fits;
}

std::vector<std::vector<std::int64_t>> draw_widths(const WidthSpace& space, int count,
                                                   unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<std::int64_t>> drawn;
  for (int i = 0; i < count; ++i) {
    std::vector<std::int64_t> widths;
    for (const WidthRange& range : space.widths)
      widths.push_back(range.choice(
          static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range.choices()))));
    drawn.push_back(std::move(widths));
  }
  return drawn;
}

}  // namespace ampere
