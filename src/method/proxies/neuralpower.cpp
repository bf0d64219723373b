#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ampere/error.h"
#include "estimate/interval.h"
#include "method/proxies/lasso.h"
#include "method/proxies/neuralpower_features.h"
#include "method/proxies/proxies.h"

namespace ampere {
namespace {

// Time and power of one type of layer in one phase.
class LayerModel {
 public:
  explicit LayerModel(std::span<const Observation* const> samples) {
    const auto rows = static_cast<Eigen::Index>(samples.size());
    const LayerTerms first = terms_at(*samples.front());
    Eigen::MatrixXd time_x(rows, first.time.size()), power_x(rows, first.power.size());
    Eigen::VectorXd time(rows), power(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const LayerTerms terms = terms_at(*samples[i]);
      const Measurement& measured = *samples[i]->measurement;
      time_x.row(i) = terms.time;
      power_x.row(i) = terms.power;
      time[i] = measured.time_s.mean;
      power[i] = measured.energy_j.mean / measured.time_s.mean;
    }
    time_ = fit_lasso(time_x, time);
    power_ = fit_lasso(power_x, power);
    least_time_ = time.minCoeff();
    least_power_ = power.minCoeff();
    for (Eigen::Index i = 0; i < rows; ++i)
      spread_ += std::pow(energy(terms_at(*samples[i])) / (time[i] * power[i]) - 1, 2) /
                 static_cast<double>(rows);
    spread_ = std::sqrt(spread_);
  }

  // Polynomials go anywhere outside what they were fitted to: never below the least that was seen.
  double time(const LayerTerms& terms) const {
    return std::max(time_.predict(terms.time), least_time_);
  }
  double energy(const LayerTerms& terms) const {
    return time(terms) * std::max(power_.predict(terms.power), least_power_);
  }
  double spread() const { return spread_; }  // relative, of the energy of the samples

 private:
  static LayerTerms terms_at(const Observation& sample) {
    return layer_terms(sample.model, sample.setup.batch);
  }

  LinearModel time_, power_;
  double least_time_ = 0, least_power_ = 0, spread_ = 0;
};

using LayerModels = std::map<std::pair<std::string, Phase>, LayerModel>;

class NeuralPowerEstimator final : public Estimator {
 public:
  NeuralPowerEstimator(LayerModels models, std::int64_t batch, Source source)
      : models_(std::move(models)), batch_(batch), source_(source) {}

  // E = Σ P·T over layers and phases.
  Estimate estimate(const Model& model, const Workload& workload) const override {
    Estimate result;
    result.source = source_;
    Quantity energy, time;
    for (const Model& layer : layers_alone(model)) {
      const LayerTerms terms = layer_terms(layer, batch_);
      for (const Phase phase : phases_of(layer)) {
        const auto found = models_.find({terms.type, phase});
        if (found == models_.end()) {
          result.uncovered.push_back(
              {layer.output().name,
               fmt::format("{} of {} was not measured", to_string(phase), terms.type)});
          continue;
        }
        const double spread = found->second.spread(), joules = found->second.energy(terms),
                     seconds = found->second.time(terms);
        add_independent(energy, {joules, spread * joules});
        add_independent(time, {seconds, spread * seconds});
      }
    }
    if (result.uncovered.empty()) set_totals(energy, time, workload, result);
    return result;
  }

 private:
  LayerModels models_;
  std::int64_t batch_;
  Source source_;
};

}  // namespace

std::unique_ptr<Estimator> fit_neuralpower_estimator(std::span<const Observation> layers) {
  std::map<std::pair<std::string, Phase>, std::vector<const Observation*>> samples;
  Source source = Source::measured;
  for (const Observation& layer : layers) {
    if (!layer.measurement) continue;
    source = std::max(source, layer.measurement->source);
    samples[{layer_terms(layer.model, layer.setup.batch).type, layer.setup.phase}].push_back(
        &layer);
  }
  if (samples.empty())
    throw Error(ErrorCode::unknown,
                "NeuralPower is fitted to single layers, and none is measured; an evaluation "
                "measures them",
                Remedy::evaluate);
  LayerModels models;
  for (const auto& [key, found] : samples) models.emplace(key, LayerModel(found));
  return std::make_unique<NeuralPowerEstimator>(std::move(models), layers.front().setup.batch,
                                                source);
}

}  // namespace ampere
