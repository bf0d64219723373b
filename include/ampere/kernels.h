// Inference, kernel by kernel: what a survey of a device finds out, the tables in which people
// exchange such measurements, and the predictors that are fitted to them. Session measures, keeps
// and fits; everything here is a value.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ampere/estimate.h"
#include "ampere/measurement.h"
#include "ampere/model.h"
#include "ampere/progress.h"
#include "ampere/train.h"

namespace ampere {

// --- kernels

// The sizes of a kernel by the names of their columns: HW, CIN, COUT, KERNEL_SIZE, STRIDES, …
// (docs/kernel-data.md has all). A size that has its usual value (W as HW, PADDING as half the
// kernel) is left out.
using KernelConfig = std::map<std::string, std::int64_t>;

// The columns there are, in the order in which tables show them. Tensors have D1, D2, … and O1, O2,
// … beyond them.
const std::vector<std::string>& kernel_columns();
std::vector<std::string> ordered_columns(const KernelConfig& config);
std::string to_string(const KernelConfig& config);  // "HW=56, CIN=64, COUT=128"

// "conv++bn++relu", "Conv-BN-ReLU" and "conv_bn_relu" as "conv+bn+relu"; what is not made of known
// operators stays as it is.
std::string canonical_kernel_type(const std::string& text);

struct OperatorPair {
  std::string first, second;
  friend auto operator<=>(const OperatorPair&, const OperatorPair&) = default;
};

// Which operators a runtime executes as one kernel. An operator joins the kernel of the one it
// reads when nobody else reads that, and the two are a pair: conv+bn and bn+relu make conv+bn+relu.
struct FusionRules {
  std::set<OperatorPair> pairs;
  bool squeeze_excite = true;  // pool, two layers, gate and multiplication are one kernel

  bool fuses(const std::string& first, const std::string& second) const {
    return pairs.contains({first, second});
  }
  friend bool operator==(const FusionRules&, const FusionRules&) = default;
};

// What common runtimes do: batch norm and ReLU join a convolution, ReLU joins batch norm, a linear
// layer and an addition.
FusionRules default_fusion_rules();

// "add+relu, conv+bn, …, squeeze-excite" and the same as JSON. Reading takes either, and sequences
// ("conv+bn+relu" is its two pairs); throws Error(usage) for an operator that is none.
std::string to_text(const FusionRules& rules);
std::string to_json(const FusionRules& rules);
FusionRules parse_fusion_rules(const std::string& text, const std::string& origin);

// --- tables of measured energies, of kernels, of whole networks and of applications

enum class TableLevel { kernel, model, application };
const char* to_string(TableLevel level);  // also the name of the column that says what was measured
std::optional<TableLevel> find_table_level(std::string_view word);  // nothing for other words

struct TableRow {
  std::string name = {};                           // a kernel's type, a network, an application
  KernelConfig config = {};                        // of a kernel
  std::map<std::string, std::string> labels = {};  // delegate, device, source, …
  double energy_j = 0;                             // of one inference
  std::optional<double> power_w = {}, latency_s = {};
  // Of a kernel that this program measured on a device with a host apart: how long the device
  // computes. Tables of others do not have it.
  std::optional<double> device_s = {};
  int line = 0;  // of the file it was read from
};

struct EnergyTable {
  TableLevel level = TableLevel::kernel;
  std::map<std::string, std::string> environment;  // device, runtime, meter, … : the same for all
  std::vector<TableRow> rows;
};

struct ImportOptions {
  // What this file calls the columns that ampere knows: "energy_mj=Energy(mJ),CIN=cin".
  std::string columns = {};
  std::string kernel = {};            // the type of all rows, in a file without that column
  std::optional<Source> source = {};  // of all energies, in a file that does not say
  double tolerance = 0.1;             // of energy against power × latency
  double repeat_tolerance = 0.15;     // of equal kernels against the mean of them
};

struct BadRow {
  int line = 0;
  std::string reason;
  friend bool operator==(const BadRow&, const BadRow&) = default;
};

struct TableImport {
  EnergyTable data;                // the rows that are good
  std::vector<BadRow> bad;         // all the others, by line
  std::vector<std::string> notes;  // columns without use, kernels with a single row, sizes that
                                   // never vary; each with its lines
};

// Throws Error(usage) for a table that cannot be understood as a whole: no column of energies (nor
// of power and latency), one quantity in two units, a mapping of columns that are not there, no
// rows. A row that is wrong is listed, and the others are read.
TableImport import_table(std::string_view csv, const std::string& origin,
                         const ImportOptions& options = {});

// In millijoules, milliwatts and milliseconds, the environment as comment lines above.
std::string export_table(const EnergyTable& data);

// All levels of one device as one file: the column `level` says what a row is of, `name` what it
// is, and `source` how its energy was found. The tables have the same environment.
std::string export_tables(std::span<const EnergyTable> tables);

// One table per level in the file; a file without the column `level` is one table. Bad rows whose
// level is unknown are in the first one. Throws as import_table does.
std::vector<TableImport> import_tables(std::string_view csv, const std::string& origin,
                                       const ImportOptions& options = {});

// --- predictors

// gp: a Gaussian process over the logarithms of sizes and cost, one length-scale each, around a
// power law. forest: the random forest of DeepEn2023 over the sizes themselves.
enum class PredictorKind { gp, forest };
const char* to_string(PredictorKind kind);
PredictorKind parse_predictor_kind(const std::string& text);  // throws Error(usage)

// What is known of how well one type of kernel is predicted on one device.
struct FittedKernel {
  std::string type;
  PredictorKind kind = PredictorKind::gp;
  int rows = 0;  // different configurations
  Source source = Source::measured;
  std::optional<Accuracy> energy_accuracy, time_accuracy;  // cross-validated; absent without
};

struct FittedKernels {
  std::map<std::string, FittedKernel> fits;     // by type
  std::map<std::string, std::string> left_out;  // types that could not be fitted, and why
};

// Fits predictors to a table of kernels and keeps nothing but how good they are. The
// cross-validation has so many folds; 0: none. Throws Error(usage) for tables of another level, and
// for those that do not say how their energies were found.
FittedKernels try_predictors(const EnergyTable& table, PredictorKind kind, int folds);

struct KernelCost {
  Quantity energy_j;
  std::optional<Quantity> time_s;  // absent where latencies were not measured
  bool extrapolated = false;       // outside what was measured
};

class KernelPredictor {
 public:
  virtual ~KernelPredictor() = default;
  // Throws Error(unknown) for a type without a predictor and Error(usage) when a size is missing.
  virtual KernelCost predict(const std::string& type, const KernelConfig& config) const = 0;
};

// What an inference costs beside its kernels. Every kernel that is measured alone has it in its
// cost, a network once.
struct InferenceOverhead {
  Quantity energy_j, time_s;
};

// What a network costs against the sum of its kernels: scale · Σ + each · kernels. A kernel that is
// measured alone, over and over again, finds in the caches what the next kernel of a network does
// not, and takes its host less time to hand over.
struct KernelComposition {
  struct Law {
    double scale = 1, each = 0;
    double error = 0;  // relative, beside what the predictors do not know
  };
  Law energy, time;  // of joules, of seconds
  int networks = 0;  // it was fitted to
};

// --- surveys

// A kernel's cost, in joules and seconds of one run.
struct RunCost {
  Quantity energy_j, time_s;
};

// Two neighbours measured together and apart.
struct FusionTest {
  OperatorPair pair;
  RunCost together, apart_first, apart_second;
  int rounds = 0;  // how often each was measured
  bool fused = false;
  bool decided = false;  // beyond noise; else `fused` is what default_fusion_rules say
  std::string note;      // why it is not decided
};

// What a device does with neighbours, and what an inference costs it beside its kernels.
struct FusionFindings {
  FusionRules rules = default_fusion_rules();
  std::vector<FusionTest> tests;
  std::optional<InferenceOverhead> overhead;
};
std::string to_json(const FusionFindings& findings);

struct SurveyOptions {
  int configurations = 400;  // kernels to be measured, with those that the store has
  double tolerance = 0.03;   // a type whose cross-validated MAPE is lower is known well enough
  // Of one kernel. Short: there are many, and the predictor takes the mean of neighbours.
  Precision precision{.relative_error = 0.03,
                      .time_limit = Seconds{1.2},
                      .min_window = Seconds{0.1},
                      .min_periods = 3,
                      .min_windows = 2};
  unsigned seed = 1;
};

struct SurveyRequest {
  std::vector<Model> networks;  // whose kernels, and kernels of similar sizes, are measured
  Setup setup = inference_setup();
  SurveyOptions options = {};
  std::optional<Seconds> time_limit = {};  // nothing new is begun after it
};

// What a survey came to, beside what its campaign counts.
struct SurveySummary : Summary {
  FusionFindings fusion;
  std::optional<KernelComposition> composition;  // absent where too few networks were measured
  FittedKernels gp, forest;                      // as stored
  struct Kernels {
    int measured = 0, known = 0, failed = 0;  // now, in the store before, in vain
  } kernels;
  int rounds = 0;
};

// What a survey would do first, under the rules that the store has or the default ones.
struct SurveyPlan {
  int fusion_pairs = 0;  // left to be tested
  struct Type {
    std::string type;
    int in_networks = 0;  // different configurations of it there
    int first_round = 0;  // of them and of others around them
    int known = 0;        // in the store
  };
  std::vector<Type> types;
  int at_most = 0;  // kernels still to be measured
};

// What a store has of the kernels of a device.
struct KnownKernels {
  FusionRules rules;                      // found out, or the default ones
  std::map<std::string, int> rows;        // by type
  std::vector<PredictorKind> predictors;  // of which there is at least one
};

}  // namespace ampere
