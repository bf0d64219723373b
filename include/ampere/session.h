// The library's front door: a store and, where something is measured, a rig.
//
//   Session session(open_store("sqlite:ampere.db"));
//   const auto rig = open_rig("local");
//   session.profile({.models = {open_model("cnn5")}}, {*rig, "local"});
//   const Answer answer = session.estimate(open_model("cnn5:8,16,32,64"), {}, {.iterations =
//   2000});
//   // answer.estimate.energy_j->mean, ->low, ->high
//
// Everything measured is in the store before the next measurement begins, so that any verb goes on
// where it was interrupted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ampere/decide.h"
#include "ampere/estimate.h"
#include "ampere/evaluate.h"
#include "ampere/kernels.h"
#include "ampere/profiling.h"
#include "ampere/progress.h"
#include "ampere/prune.h"
#include "ampere/rig.h"
#include "ampere/score.h"
#include "ampere/store.h"

namespace ampere {

class Campaign;

// An open rig, and the spec it was opened by, which is kept with the profile.
struct NamedRig {
  Rig& rig;
  std::string spec;
};

// Which stored profile answers, and by which method.
struct ProfileQuery {
  Setup setup = {};
  bool any_batch = false;  // takes the chosen profile's batch, of inference
  // Id, fingerprint, part of the device's name, or the name of a profile that came with the
  // program; empty: any.
  std::string profile = {};
  // Part of the device's name in any case, or the name of a profile that came with the program;
  // only with a device do those that came with the program answer. Empty: any.
  std::string device = {};
  std::string rig = {};         // the spec it was profiled with, or of the same device; empty: any
  RigOptions rig_options = {};  // to open it where no profile was taken with this very spec
  std::string method = {};      // empty: the best that covers the network
};

struct ChosenProfile {
  ProfileRow row;
  std::vector<std::string> warnings;  // names those that could answer, too
  bool general = false;  // it answers for every setup, and the setup of the row is the asked one
};

// Operations that were timed alone, and iterations that were measured.
struct GeneralCounts {
  std::int64_t operations = 0, windows = 0;
};

struct ProfileRequest {
  std::vector<Model> models;  // these and all their narrower versions are to be estimated
  Setup setup = {};
  std::string method = {};  // dual or ampere; empty: the best that the rig can serve
  ProfileOptions options = {};
};

struct Answer {
  std::string method;
  ChosenProfile profile;
  Estimate estimate;
  // How many times as long as while profiling the host takes now, where that is in the estimate.
  std::optional<double> host_slowdown;
};

// A training step that a rig can train; nothing where there is none.
using Step = std::variant<std::monostate, TraceRequest::Network, Script>;

// One of two networks, or of two iterations, that are compared.
struct DiffSide {
  std::string name;
  std::variant<Model, Program> what;
  std::optional<Script> script = {};  // that the program was traced from
};

// What a change costs, per iteration.
struct Diff {
  Answer before, after;  // by the same method, from the same profile
  // After less before, with the interval of the difference, in which errors that both share have
  // cancelled; it may reach below 0. Absent where a part of either is not covered.
  std::optional<Interval> energy_j, time_s;
  std::int64_t parameters_before = 0, parameters_after = 0;
  std::optional<std::int64_t> memory_before, memory_after;  // bytes at the peak
  std::string no_memory;                                    // why they are absent; or empty
  std::vector<PartDifference> parts;       // blocks or modules, in the order of the network
  std::vector<PartDifference> operations;  // empty where the method knows none
  bool related = true;                     // they have a part in common

  // What was learned from the device at hand; absent where nothing was.
  struct AtHand {
    std::size_t timed_operations = 0;
    std::size_t measured_operations = 0;  // whose energy was measured
    int host_looks = 0;
    std::optional<double> host_slowdown;  // against the profile's; absent where nobody could look
    // Measured, of one iteration of the first of both; absent where it cannot be trained.
    std::optional<Quantity> before_energy_j, before_time_s;
  };
  std::optional<AtHand> at_hand;
};

// Both were trained and measured in turns.
struct DiffCheck {
  struct Rounds {
    std::vector<double> energy_j, time_s;  // per iteration, of each round
  };
  Rounds before, after;
  // After less before, of the same round each time, with the interval of their mean.
  Interval energy_j, time_s;
  bool energy_inside = false, time_inside = false;  // whether the mean is inside the estimate's
  Source source = Source::measured;
  std::vector<std::string> notes;
};

// Whether methods are fitted to a network that is measured, from then on.
enum class Learning { yes, no };

// An answer beside the truth.
struct Check {
  Measurement measured;
  // Estimate over measurement, less 1, and whether the measurement lies in the interval; absent
  // where there is no estimate.
  std::optional<double> energy_difference, time_difference;
  std::optional<bool> energy_inside, time_inside;
};

// Estimates many networks from one profile.
class Answerer {
 public:
  virtual ~Answerer() = default;
  virtual const ChosenProfile& profile() const = 0;
  virtual Answer answer(const Model& model, const Workload& workload) const = 0;
};

// The same for programs, from one general profile.
class ProgramAnswerer {
 public:
  virtual ~ProgramAnswerer() = default;
  virtual Answer answer(const Program& program, const Workload& workload) const = 0;
};

// Ways to train that are to be compared, and by which profiles.
struct ChoiceTask {
  const Model* model = nullptr;  // of the candidates that are setups
  std::vector<Candidate> candidates;
  ProfileQuery query = {};    // its setup does not matter
  bool every_device = false;  // all devices of which a profile can answer, those that came with the
                              // program too, instead of the one that the query finds
  Goal goal = {};
};

// A training run, and the estimate of one iteration that it rests on.
struct PlannedRun {
  Answer answer;
  TrainingRun run;
};

// A small call of a language model that was run on the device at hand, a few times apart from one
// another, to see how long its host takes and how much that changes.
struct HostLook {
  GenerationStep call;
  int times = 0;  // that it was looked at
  // Of one execution. The deviation is that between the times, or of the windows of a single one.
  Quantity time_s, energy_j;
  bool is_used = false;  // false: the device may be what the call waited for
};

// What an estimate of generation has from the device itself.
struct SeenAtHand {
  std::size_t timed_operations = 0;
  std::vector<HostLook> host;
};

// The script that makes a language model, and the number format that its calls were traced in;
// empty: as it is built.
struct ModelScript {
  Script script;
  std::string number_format = {};
};

// Text that a language model generates, and what its costs rest on.
struct GenerationAnswer {
  std::string name;  // of the model
  ChosenProfile profile;
  std::string method;
  std::string number_format;  // of the weights that are multiplied; "fp32, bf16" where they differ
  std::string profiled_at;    // when the device was measured last, UTC
  Source source = Source::measured;
  GenerationCosts costs;
  std::optional<SeenAtHand> at_hand = {};  // absent: the answer rests on the profile alone
};

class Session {
 public:
  // The listener, where there is one, and the flag of the token must outlive the session.
  explicit Session(std::unique_ptr<Store> store, StopToken stop = {}, Listener* listener = nullptr);
  ~Session();
  Session(Session&&) noexcept;

  Store& store() { return *store_; }
  const Store& store() const { return *store_; }

  // --- profiles

  // Those that can answer: those of exactly this setup before general ones, then of this machine
  // first, then measured before modelled before simulated, then the latest. Where none can, one
  // that fits and is empty. Throws Error(unknown) that says what there is and how to make what is
  // missing.
  std::vector<ChosenProfile> candidates(const ProfileQuery& query) const;
  ChosenProfile choose(const ProfileQuery& query) const;  // the first of them
  // The same, then the profiles of the same device at other batches. With any_batch the best
  // profile's batch comes first where none has the asked one.
  std::vector<ChosenProfile> choose_batches(const ProfileQuery& query) const;
  ProfileRow find_profile(const std::string& id) const;  // by id alone
  // By id, fingerprint or a part of the device's name, the latest of them; without a text the
  // latest of training.
  ProfileRow find_any_profile(const std::string& text) const;
  std::optional<std::int64_t> profile_of(const DeviceInfo& device, const Setup& setup) const;
  // The methods that a profile can answer by, the best first.
  std::vector<std::string> methods_of(const ProfileRow& profile) const;

  // How far networks were off that the best method of the profile was fitted without; nothing where
  // it tried none.
  std::optional<CrossValidation> cross_validation(const ProfileRow& profile) const;

  // Those that came with the program, by name.
  std::vector<ProfileRow> shipped_profiles() const;
  // What a general profile rests on; nothing for any other.
  std::optional<GeneralCounts> general_counts(const ProfileRow& profile) const;
  // A general profile alone, as JSON that keep_general() takes on another machine. Throws
  // Error(unknown) when the profile is not a general one.
  std::string general_document(const ProfileRow& profile) const;
  // Puts such a text, which may be compressed with gzip, into the store in place of what was known
  // of the device, and returns the id. Throws Error(usage) that names the origin and the field.
  std::int64_t keep_general(std::string_view text, const std::string& origin);

  // Measures what is missing. Throws Error(interrupted) when asked to stop, with everything kept.
  ProfileSummary profile(const ProfileRequest& request, const NamedRig& rig);
  // The same for the general profile of the rig's device, which answers for every network and
  // setup.
  ProfileSummary profile_generally(const GeneralOptions& options, const NamedRig& rig);
  // What that would be, and how long it would take. Where nothing is known of the device, a few of
  // them are tried and forgotten.
  ProfilePreview preview(const ProfileRequest& request, Rig& rig) const;
  ProfilePreview preview(const GeneralOptions& options, const Rig& rig) const;
  // After profile(): points of each kind that nothing is fitted to, and what they say of the fits.
  struct Tests {
    Summary summary;
    std::vector<TestedKind> kinds;
  };
  Tests test(const ProfileRequest& request, const NamedRig& rig);
  // What the published method knows of each kind. Throws Error(unknown) when that is nothing.
  std::vector<KindPoints> kind_points(const ProfileRow& profile) const;

  // --- estimates

  // From the first candidate that covers the network; from the first of all, which then says what
  // it does not cover, where none does. Where a general profile of the same device covers it, too,
  // the one whose interval of the energy is narrower answers, and a warning says what the other
  // would. Throws Error(unknown) when no profile fits.
  Answer estimate(const Model& model, const ProfileQuery& query, const Workload& workload) const;
  // From a profile that was chosen before, by this method or by the best that covers the network.
  Answer estimate(const Model& model, const ChosenProfile& profile, const std::string& method,
                  const Workload& workload) const;
  std::unique_ptr<Answerer> answerer(const ProfileQuery& query) const;  // for many networks
  // Of one iteration as a framework executes it, from a general profile; the setup of the query
  // does not matter. Throws Error(unknown) when there is none, and Error(usage) when another method
  // than operations is asked for.
  Answer estimate(const Program& program, const ProfileQuery& query,
                  const Workload& workload) const;
  std::unique_ptr<ProgramAnswerer> program_answerer(const ProfileQuery& query) const;
  // What the estimate rests on, for whoever needs more than one number of it (judge, what_if).
  std::unique_ptr<Estimator> estimator(const ProfileRow& profile, const std::string& method,
                                       const Model* network = nullptr) const;

  // What the second costs more than the first, by the first method that covers both: a program
  // needs a general profile, and a network beside it is lowered with the setup of the query. Throws
  // as estimate() does.
  Diff diff(const DiffSide& before, const DiffSide& after, const ProfileQuery& query,
            const Workload& workload) const;

  // The same from a general profile, with the device at hand: the dearest operations of both are
  // timed, the energy of those that matter for the difference is measured, the host is looked at by
  // both in turns, and the first of both is trained for a moment. The difference is added to what
  // that takes. The second never runs as it is. A warning says what could not be measured. Throws
  // Error(usage) when the rig is not the profile's device.
  Diff refine_diff(const DiffSide& before, const DiffSide& after, const ProfileQuery& query,
                   const Workload& workload, const NamedRig& rig) const;

  // Really trains both, one after the other in every round, and compares. A network is trained with
  // the setup of the query. Throws Error(usage) for a traced iteration, which nothing can be
  // trained from, for fewer than two rounds, and where the rig is not the device of the diff.
  DiffCheck check(const DiffSide& before, const DiffSide& after, const Diff& diff,
                  const ProfileQuery& query, const Precision& precision, int rounds,
                  const NamedRig& rig) const;

  // Times the network's own blocks and the host first, and estimates with that; the network itself
  // never runs. At inference it is the host alone, and a warning says so where that could not be
  // looked at. Throws Error(usage) when the rig is not the profile's device.
  Answer refine(const Model& model, const ProfileQuery& query, const Workload& workload,
                const NamedRig& rig);

  // Times the dearest operations of the program, and measures the host by the probe: the same step
  // with so little data that its device waits for the host. A warning says what could not be timed.
  // Throws as the other does.
  Answer refine(const Program& program, const Step& probe, const ProfileQuery& query,
                const Workload& workload, const NamedRig& rig) const;

  // Really trains and measures the network, and keeps the observation. A failure is kept too, then
  // thrown.
  Measurement run(const Model& model, const Setup& setup, const Precision& precision,
                  const NamedRig& rig, Learning learning);

  // The same, compared with an answer for this workload.
  Check check(const Model& model, const Answer& answer, const Workload& workload,
              const Precision& precision, const NamedRig& rig, Learning learning);

  // The same for a step of the user's own; nothing is kept.
  Check check(const Script& script, const Answer& answer, const Workload& workload,
              const Precision& precision, const NamedRig& rig) const;

  // --- comparisons and searches

  Evaluation evaluate(const EvaluationTask& task, const EvaluationOptions& options,
                      const Setup& setup, const NamedRig& rig);
  // Steps of the suite against the general profile of the rig's device. Throws Error(unknown) when
  // there is none.
  std::vector<SuiteResult> evaluate(const Suite& suite, const SuiteOptions& options,
                                    const NamedRig& rig);
  // Without a rig nothing is measured and nothing trained.
  PruneResult prune(const PruneTask& task, const ProfileRow& profile, const NamedRig* rig);

  // --- decisions

  // What every candidate costs for the same samples, and which is best. Steps of the user's own are
  // traced on the rig. A candidate that cannot be estimated is an alternative with the reason.
  // Throws Error(unknown) when there is no profile at all that could answer, and Error(usage) when
  // there is no candidate.
  Choices weigh(const ChoiceTask& task, Rig* rig = nullptr) const;
  // Really trains the `count` most promising ones of what weigh() gave. A candidate that fails says
  // why and the others are measured. Throws Error(usage) when one of them is a traced iteration,
  // which nothing can be trained from, or is not on the rig's device.
  OrderCheck check_order(const ChoiceTask& task, const Choices& choices, int count,
                         const Precision& precision, const NamedRig& rig, Learning learning);

  // A whole training run. Throws Error(unknown) when no profile covers the network.
  PlannedRun plan(const Model& model, const ProfileQuery& query, const RunTask& task) const;
  PlannedRun plan(const Program& program, const ProfileQuery& query, const RunTask& task) const;

  // What generating text costs at every batch of these programs, from a general profile. Throws
  // Error(usage) that names a program which is no call of a generation, and where one is missing;
  // Error(unknown) when there is no profile, or when it knows nothing of a number format.
  GenerationAnswer generation(const GenerationTask& task, const std::vector<Program>& programs,
                              const ProfileQuery& query) const;
  // Times the dearest operations of all programs first, and runs one small call of each stage of
  // the model to see how long the host takes; without a script only the former. A warning says what
  // could not be seen. Throws as refine() does, too.
  GenerationAnswer refine_generation(const GenerationTask& task,
                                     const std::vector<Program>& programs,
                                     const std::optional<ModelScript>& script,
                                     const ProfileQuery& query, const NamedRig& rig) const;

  // --- inference, kernel by kernel

  // Measures what fuses and what kernels cost, and fits predictors to it. Throws Error(usage) for
  // networks without kernels, and as profile() does.
  SurveySummary kernels(const SurveyRequest& request, const NamedRig& rig);
  SurveyPlan preview(const SurveyRequest& request, const Rig& rig) const;
  KnownKernels known_kernels(const ProfileRow& profile) const;
  // Fits predictors again and keeps them: one result per kind. Throws Error(unknown) when the
  // profile has no kernels.
  struct Refitted {
    std::vector<FittedKernels> fitted;
    std::optional<KernelComposition> composition;  // absent where too few networks were measured
  };
  Refitted fit_kernels(const ProfileRow& profile, const std::vector<PredictorKind>& kinds,
                       int folds);
  // Throws Error(unknown) when the profile has no predictor of this kind.
  std::unique_ptr<KernelPredictor> kernel_predictor(const ProfileRow& profile,
                                                    PredictorKind kind) const;
  // Everything that the profile has of this level, measured and imported.
  EnergyTable kernel_table(const ProfileRow& profile, TableLevel level) const;
  // A table of others into the profile of its device, or into several where its rows have several
  // devices, delegates, runtimes, precisions or sources; returns their ids. The device is what the
  // table says, or `device` by name. The same table a second time changes nothing. Throws
  // Error(usage) when nothing says which device it is, or how the energies were found.
  std::vector<std::int64_t> keep_kernels(const EnergyTable& table, const std::string& device = "");

  // --- scores

  // Measures the cells of one machine and delegate; returns how many. What is in the store, a
  // failure too, is not measured again. Throws Error(usage) when the store knows the device as
  // another machine or from others, or a network of that name as another one, and
  // Error(interrupted) when asked to stop, with everything kept.
  int score(const ScoreTask& task, const NamedRig& rig);
  // The cells of all devices, the device first that came first. Of a delegate that was measured
  // under several drivers or frameworks those of the latest.
  std::vector<ScoreCell> score_cells() const;
  // Cells of others, beside those that are there of their devices; one that is there already is
  // replaced. Throws Error(usage) for a device that was measured into this store.
  void keep_cells(const std::vector<ScoreCell>& cells);
  // What the machine of this device was called when it was scored.
  std::optional<std::string> scored_as(const DeviceInfo& device) const;

  StopToken stop() const { return stop_; }
  Listener& listener() const { return *listener_; }

 private:
  void learn_from(const Model& model, Campaign& campaign);
  const Store& store_of(const ProfileRow& profile) const;  // which may have come with the program
  Answer refine_by_operations(const Model& model, const ProfileQuery& query,
                              const Workload& workload, const NamedRig& rig) const;
  // The general ones. Throws as program_answerer() does.
  std::vector<ChosenProfile> program_candidates(const ProfileQuery& query) const;

  std::unique_ptr<Store> store_;
  StopToken stop_;
  Listener* listener_;
};

// The methods there are, the best first, baselines last.
struct MethodInfo {
  std::string name, description;
  bool baseline = false;
};
std::vector<MethodInfo> method_infos(Phase phase);
// Throws Error(usage) with the nearest name for a method that does not serve the phase.
void require_method(const std::string& name, Phase phase);

}  // namespace ampere
