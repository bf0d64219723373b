// The model of one part on one device: ln(time / roofline) as a Gaussian process of the features.
#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "gp/trended_process.h"
#include "method/operations/name_effects.h"
#include "method/operations/roofline.h"

namespace ampere {

// The least standard deviation of ln(time): repeating a sweep differs as much.
inline constexpr double kLeastMapDeviation = 0.05;

struct PartModel {
  double offset = 0;  // mean of ln(time / roofline)
  NameEffects names;
  // Of each column of the features, the last two of which are the roofline's time and the effect of
  // the name. Columns that were constant have scale 0 and are not used.
  Eigen::VectorXd centre, scale;
  TrendedProcess process;  // without points when too few operations were timed
  double inflation = 1;    // of its standard deviations, by cross-validation

  bool has_process() const { return process.weights().size() > 0; }
};

// One operation as its part's model sees it.
struct PartQuery {
  const OperationFeatures* features = nullptr;
  std::string_view name;
};
struct PartAnswer {
  double device_s = 0;
  double deviation = 0;  // standard deviation of ln(time)
  bool foreign = false;  // no operation of its name was timed
};
// Throws Error(failed) when the features are not those that the model was fitted to.
std::vector<PartAnswer> predict(const PartModel& model, const Roofline& roofline,
                                const std::vector<PartQuery>& queries);

// The evidence of one part, a row per distinct operation.
struct PartEvidence {
  std::vector<OperationFeatures> features;
  std::vector<std::string> names;
  std::vector<double> device_s;
  std::vector<std::string> only_family;  // empty when it is in several, or from a sweep
};

struct PartFitOptions {
  unsigned seed = 1;
  int most_points = 1000;   // that the process is conditioned on
  int search_points = 500;  // that its hyper-parameters are sought with
  int most_evaluations = 60;
  const PartModel* like = nullptr;  // whose hyper-parameters are kept, if they fit
};

struct FittedPart {
  PartModel model;
  std::vector<std::pair<std::string, PartModel>> without;  // by family that is left out
};
FittedPart fit_part(const PartEvidence& evidence, const Roofline& roofline,
                    const PartFitOptions& options);

}  // namespace ampere
