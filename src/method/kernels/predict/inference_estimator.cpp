#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "estimate/interval.h"
#include "estimate/parts.h"
#include "method/kernels/cut/columns.h"
#include "method/kernels/predict/feature_rows.h"
#include "method/kernels/predict/other_host.h"

namespace ampere {
namespace {

// Equal kernels of a network.
struct Group {
  const Kernel* kernel;
  const KernelFit* fit;
  int count = 1;
};

// Fills the parts and adds them up: Σ n·μ, and nᵀCn as the variance, since kernels of one type are
// predicted by one law.
Quantity add_up(const KernelLaw& law, const FeatureRows& rows, std::span<Part* const> parts,
                std::optional<Quantity> Part::*quantity) {
  Eigen::VectorXd mean, stddev, counts(rows.size());
  law.predict(rows, mean, stddev);
  for (Eigen::Index i = 0; i < rows.size(); ++i) {
    Part& part = *parts[static_cast<std::size_t>(i)];
    counts[i] = part.count;
    part.*quantity = Quantity{counts[i] * mean[i], counts[i] * stddev[i]};
  }
  const double variance = counts.dot(law.covariance(rows) * counts);
  return {counts.dot(mean), std::sqrt(std::max(0.0, variance))};
}

class InferenceEstimator : public Estimator {
 public:
  InferenceEstimator(KernelFits fits, InferenceOptions options)
      : fits_(std::move(fits)), options_(std::move(options)) {}

  Estimate estimate(const Model& model, const Workload& workload) const override {
    Estimate result;
    const std::vector<Kernel> kernels = kernels_of(model, options_.rules);
    const std::vector<Group> groups = collect(model, kernels, result);
    add_parts(groups, result);
    // By name: sums come out the same to the last digit every time.
    std::map<std::string, std::vector<std::size_t>> by_type;
    for (std::size_t i = 0; i < groups.size(); ++i) by_type[groups[i].fit->type].push_back(i);

    Quantity energy, time;
    std::vector<std::optional<double>> device_s(groups.size());
    bool timed = true;
    for (const auto& [type, members] : by_type) {
      const KernelFit* fit = groups[members.front()].fit;
      std::vector<KernelConfig> configs;
      std::vector<Part*> parts;
      for (const std::size_t i : members) {
        configs.push_back(groups[i].kernel->config);
        parts.push_back(&result.parts[i]);
      }
      const FeatureRows rows = feature_rows(*fit, configs);
      add_independent(energy, add_up(*fit->energy, rows, parts, &Part::energy_j));
      if (fit->time)
        add_independent(time, add_up(*fit->time, rows, parts, &Part::time_s));
      else
        timed = false;
      if (fit->device && options_.host_slowdown)
        tell_device(*fit->device, rows, members, groups, device_s);
      result.source = std::max(result.source, fit->source);
    }
    if (options_.overhead) take_out_overhead(*options_.overhead, timed, energy, time, result);
    if (options_.composition) {
      compose(options_.composition->energy, &Part::energy_j, energy, result.parts);
      if (timed) compose(options_.composition->time, &Part::time_s, time, result.parts);
    }
    if (options_.host_slowdown && options_.ready_w && timed)
      put_on({*options_.host_slowdown, *options_.ready_w}, device_s, result.parts, energy, time);
    if (result.uncovered.empty()) conclude(energy, time, timed, workload, result);
    return result;
  }

  std::unique_ptr<Estimator> on_host(double slowdown) const override {
    if (!options_.ready_w || !knows_host(fits_)) return nullptr;
    InferenceOptions slowed = options_;
    slowed.host_slowdown = slowdown;
    return make_inference_estimator(fits_, std::move(slowed));
  }

 private:
  // The type's own fit, or one that may stand in for it: as many operators in common as there are.
  const KernelFit* fit_for(const std::string& type) const {
    if (const auto own = fits_.find(type); own != fits_.end()) return &own->second;
    if (!options_.stand_ins) return nullptr;
    const KernelFit* best = nullptr;
    std::ptrdiff_t most = 0;
    for (const auto& [other, fit] : fits_) {
      if (first_operator(other) != first_operator(type)) continue;
      if (other.substr(std::min(other.find('@'), other.size())) !=
          type.substr(std::min(type.find('@'), type.size())))
        continue;
      const auto common = std::ranges::mismatch(other, type).in1 - other.begin();
      if (common > most) best = &fit;
      most = std::max(most, common);
    }
    return best;
  }

  std::vector<Group> collect(const Model& model, const std::vector<Kernel>& kernels,
                             Estimate& result) const {
    std::vector<Group> groups;
    for (const Kernel& kernel : kernels) {
      const KernelFit* fit = fit_for(kernel.type);
      if (const std::string reason = why_not(fit, kernel); !reason.empty()) {
        for (const int layer : kernel.layers)
          result.uncovered.push_back({model.layers()[layer].name, reason});
        continue;
      }
      const auto equal = std::ranges::find_if(groups, [&](const Group& group) {
        return group.kernel->type == kernel.type && group.kernel->config == kernel.config;
      });
      if (equal != groups.end())
        ++equal->count;
      else
        groups.push_back({&kernel, fit});
    }
    return groups;
  }

  // Empty when the fit can be asked about the kernel.
  static std::string why_not(const KernelFit* fit, const Kernel& kernel) {
    if (fit == nullptr) return fmt::format("no predictor for '{}'", kernel.type);
    for (const std::string& column : fit->columns)
      if (!column_value(fit->type, column, kernel.config))
        return fmt::format("the predictor for '{}' wants {}, which this kernel does not have",
                           fit->type, column);
    return "";
  }

  static void add_parts(const std::vector<Group>& groups, Estimate& result) {
    std::set<std::string> stand_ins;
    for (const Group& group : groups) {
      const Kernel& kernel = *group.kernel;
      Part& part = result.parts.emplace_back();
      part.kind = part.title = kernel.type;
      part.feature_names = ordered_columns(kernel.config);
      for (const std::string& column : part.feature_names)
        part.features.push_back(kernel.config.at(column));
      part.count = group.count;
      part.extrapolated = is_extrapolated(*group.fit, kernel.config);
      if (group.fit->type != kernel.type && stand_ins.insert(kernel.type).second)
        result.warnings.push_back(fmt::format("{} is estimated as {}: it was not measured itself",
                                              kernel.type, group.fit->type));
    }
  }

  // How long the device computes, of all equal kernels together.
  static void tell_device(const KernelLaw& law, const FeatureRows& rows,
                          const std::vector<std::size_t>& members, const std::vector<Group>& groups,
                          std::vector<std::optional<double>>& device_s) {
    Eigen::VectorXd mean, stddev;
    law.predict(rows, mean, stddev);
    for (std::size_t i = 0; i < members.size(); ++i)
      device_s[members[i]] = groups[members[i]].count * mean[static_cast<Eigen::Index>(i)];
  }

  // Kernels are measured as inferences of their own: each has the overhead in its cost, and the
  // network has it once, as a part of its own.
  static void take_out_overhead(const InferenceOverhead& overhead, bool timed, Quantity& energy,
                                Quantity& time, Estimate& result) {
    int kernels = 0;
    for (const Part& part : result.parts) kernels += part.count;
    const auto spread = [&](std::optional<Quantity> Part::*quantity, const Quantity& each,
                            Quantity& total) {
      const double spread_of_sum = assumed_error(total);
      total.mean = each.mean;
      for (Part& part : result.parts) {
        Quantity& own = (part.*quantity).value();
        own.mean = std::max(0.0, own.mean - part.count * each.mean);
        total.mean += own.mean;
      }
      total.stddev = std::hypot(spread_of_sum, (kernels - 1) * assumed_error(each));
    };
    spread(&Part::energy_j, overhead.energy_j, energy);
    if (timed) spread(&Part::time_s, overhead.time_s, time);
    Part& own = result.parts.emplace_back();
    own.kind = own.title = kOverheadPart;
    own.energy_j = overhead.energy_j;
    if (timed) own.time_s = overhead.time_s;
  }

  static void compose(const KernelComposition::Law& law, std::optional<Quantity> Part::*quantity,
                      Quantity& total, std::vector<Part>& parts) {
    const double spread = law.scale * assumed_error(total);
    total.mean *= law.scale;
    for (Part& part : parts) {
      Quantity& own = (part.*quantity).value();
      const double each = part.kind == kOverheadPart ? 0 : law.each * part.count;
      own = {law.scale * own.mean + each, law.scale * assumed_error(own)};
      total.mean += each;
    }
    total.stddev = std::hypot(spread, law.error * total.mean);
  }

  static void conclude(const Quantity& energy, const Quantity& time, bool timed,
                       const Workload& workload, Estimate& result) {
    set_totals(energy, time, workload, result);
    if (!timed) {
      result.time_s_per_iteration.reset();
      result.time_s.reset();
      result.warnings.push_back("no time: the latency of some kernels was not measured");
    }
    warn_of_extrapolation(result);
  }

  KernelFits fits_;
  InferenceOptions options_;
};

}  // namespace

std::unique_ptr<Estimator> make_inference_estimator(KernelFits fits, InferenceOptions options) {
  return std::make_unique<InferenceEstimator>(std::move(fits), std::move(options));
}

}  // namespace ampere
