// From measured kernels to what any kernel of their type costs, and from that to what an inference
// of a network costs.
#pragma once

#include <Eigen/Dense>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/estimate.h"
#include "ampere/kernels.h"
#include "method/kernels/kernel.h"
#include "method/kernels/kernel_data.h"

namespace ampere {

struct KernelFitOptions {
  PredictorKind kind = PredictorKind::gp;
  int folds = 5;  // of the cross-validation; 0: none
  unsigned seed = 1;
  bool sees_alignment = true;  // of channels, where there are rows enough to tell
};

inline constexpr int kLeastKernelRows = 5;  // of different configurations

class KernelLaw;  // one quantity of one type of kernel

// All there is to know about one type of kernel on one device. A value: copies share the laws.
struct KernelFit : FittedKernel {
  std::vector<std::string> columns;         // sizes that it looks at
  std::vector<std::string> aligned;         // those whose factors of two the process sees as well
  KernelConfig low, high;                   // of what it was fitted to; outside is extrapolation
  std::shared_ptr<const KernelLaw> energy;  // joules per inference
  std::shared_ptr<const KernelLaw> time;    // seconds; null when latencies were not measured
  // Seconds that the device computes, by the gp; null where too few rows say it, as on a device
  // that has no host apart.
  std::shared_ptr<const KernelLaw> device;
  Eigen::MatrixXd seen;    // the rows as logarithms of features,
  Eigen::VectorXd errors;  // and by how much their unseen energies were missed
};

// Rows of this type; repeated configurations count as one, their geometric mean. Throws
// Error(usage) naming lines when a row lacks a size that others have, and when there are fewer than
// kLeastKernelRows configurations.
KernelFit fit_kernel(const std::string& type, std::span<const TableRow> rows,
                     const KernelFitOptions& options = {});

using KernelFits = std::map<std::string, KernelFit>;  // by type

// Whether it is known how long the device computes, as on a device with a host apart.
bool knows_host(const KernelFits& fits);

struct KernelFitting {
  KernelFits fits;
  std::map<std::string, std::string> left_out;  // types that could not be fitted, and why
};

FittedKernels summary_of(const KernelFitting& fitting);  // without the laws

// Every type of the data set, of kernel level (else Error(usage)). The source of a fit is the least
// direct one of its rows. Throws Error(usage) when the table does not say it (source_of).
KernelFitting fit_kernels(const EnergyTable& data, const KernelFitOptions& options = {});

// The gp's quantities are those of a log-normal distribution whose logarithm has the process's mean
// and variance, observation noise included: exp(m + v/2), and that times √(exp(v) − 1). The
// forest's are mean and standard deviation among its trees. Throws Error(usage) for a configuration
// without a size that the fit looks at.
KernelCost predict(const KernelFit& fit, const KernelConfig& config);
std::vector<KernelCost> predict(const KernelFit& fit, std::span<const KernelConfig> configs);

// Which of the pool to measure next, best first, as indices: where the predictor is least certain,
// or was furthest off nearby, and not two where one tells of both. Kernels of other types and those
// measured already are never chosen.
std::vector<std::size_t> suggest_kernels(const KernelFit& fit, std::span<const Kernel> pool,
                                         std::size_t count);

// As it is stored: exact, and reading back costs no search. Reading throws Error(usage).
std::string to_text(const KernelFit& fit);
KernelFit parse_kernel_fit(const std::string& text);

// A network that was measured whole, and what its kernels add up to.
struct ComposedNetwork {
  int kernels = 0;
  Quantity sum_j, sum_s;
  double energy_j = 0, time_s = 0;
};
// Nothing for fewer than three.
std::optional<KernelComposition> fit_composition(std::span<const ComposedNetwork> networks);

struct InferenceOptions {
  FusionRules rules = default_fusion_rules();
  std::optional<InferenceOverhead> overhead = {};     // absent: not known, and taken to be nothing
  std::optional<KernelComposition> composition = {};  // absent: the sum itself
  std::optional<double> ready_w = {};  // of the device ready and doing nothing; absent: not known
  std::optional<double> host_slowdown = {};  // absent: the host is as fast as at the survey
  // Lets a type without a fit be estimated as one that begins with the same operator (conv+bn as
  // conv+bn+relu), with a warning. Without, it is uncovered.
  bool stand_ins = false;
};

// The part of an estimate that is no kernel: the overhead.
inline constexpr const char* kOverheadPart = "inference";

// An inference of one sample from the sum of its kernels. Kernels of a type without a fit are
// uncovered. An iteration of the workload is one inference; time is absent where a fit has none.
std::unique_ptr<Estimator> make_inference_estimator(KernelFits fits, InferenceOptions options = {});

}  // namespace ampere
