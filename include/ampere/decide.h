// Decisions by estimates: which of several ways to train costs least, what a training run takes as
// a whole, and at which batch a language model generates text cheapest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ampere/error.h"
#include "ampere/estimate.h"
#include "ampere/measurement.h"
#include "ampere/program.h"
#include "ampere/store.h"
#include "ampere/train.h"
#include "ampere/units.h"

namespace ampere {

// One way to train: the model of the task with a setup, an iteration that was traced, or a step of
// the user's own, which is traced on the rig.
struct Candidate {
  std::string name;  // "batch 64, sgd, bf16"
  std::variant<Setup, Program, Script> how = {};
  std::string refused = {};  // why it cannot be tried at all; empty where it can
};

// Values to combine: every combination is a candidate.
struct SetupGrid {
  std::vector<std::int64_t> batches;
  std::vector<std::string> precisions{"fp32"};
  std::vector<Optimizer> optimizers{Optimizer::sgd};
  std::vector<std::int64_t> accumulations{1};
  std::vector<bool> fused{false}, compiled{false}, channels_last{false};
  // Samples per update of the weights, instead of accumulations: every batch is accumulated so
  // often. One that does not divide it is refused by name.
  std::optional<std::int64_t> samples_per_update;
  StepOptions common = {};  // what is the same in all of them
};
inline constexpr std::size_t kMostCandidates = 1000;

// In the order of the lists, batches changing fastest. Throws Error(usage) that names an empty list
// or a value that occurs twice in one, and for more than kMostCandidates combinations.
std::vector<Candidate> candidates_of(const SetupGrid& grid);

// Adds a traced iteration to the candidates. If it was traced from the model and says with which
// setup, it replaces the candidate that has this setup, or becomes one. A step of the user's own
// becomes a candidate of this name. Throws Error(usage), which begins with the name, when the
// program has another number of parameters than the model, or when there is a program with its
// setup already.
void add_program(std::vector<Candidate>& candidates, const std::string& name, Program program,
                 const Model* model);

enum class Wish { energy, time };  // what is to be least
const char* to_string(Wish wish);
Wish parse_wish(const std::string& text);  // throws Error(usage)

// All candidates train on the same samples.
struct Goal {
  Wish wish = Wish::energy;
  std::int64_t samples = 1'000'000, epochs = 1;  // the samples of one epoch
  double confidence = 0.9;
  std::optional<Joules> most_energy;
  std::optional<Seconds> most_time;
  std::optional<std::int64_t> memory_bytes;  // that may be used; else what the device has, if known
};

// Whether something is inside of a limit. It is `uncertain` where the mean is inside and the upper
// end of the interval is not, and `unknown` where there is no number.
enum class Standing { none, inside, uncertain, outside, unknown };  // none: there is no limit
const char* to_string(Standing standing);

// A framework takes more memory than its tensors: workspaces, and what it does not give back at
// once. So much more than the predicted peak must be there for a candidate to be inside.
inline constexpr double kMemoryMargin = 0.1;
inline constexpr std::int64_t kMemoryOfFramework = 500'000'000;

// A candidate on one device, with what it costs there.
struct Alternative {
  std::size_t candidate = 0;          // index into ChoiceTask::candidates
  std::string name;                   // of the candidate; with the device where there are several
  std::optional<Setup> setup;         // absent where the user's own code decides
  std::optional<bool> compiled = {};  // by the framework's compiler; absent where nobody can tell
  std::optional<std::int64_t> samples_per_iteration;
  Workload workload = {};
  ProfileRow profile;  // that answered
  std::string method;
  std::optional<Estimate> estimate;  // absent where there is none; then `reason` says why
  std::string reason;
  Remedy remedy = Remedy::none;            // that would change it
  std::string remedy_about = {};           // what it applies to, as Error::about(); may be empty
  std::optional<std::int64_t> peak_bytes;  // of the tensors; absent where allocations are unknown
  Standing memory = Standing::none, energy = Standing::none, time = Standing::none;
  bool on_front = false;        // no other that may fit is better in both means
  bool maybe_on_front = false;  // nor surely better in both, whatever the intervals hold
  int rank = 0;                 // by the wish, of those that keep every limit; 0: it does not

  double energy_j() const { return estimate->energy_j->mean; }
  double time_s() const { return estimate->time_s->mean; }
};

struct Choices {
  std::vector<Alternative> alternatives;  // in the order of the candidates, device after device
  std::optional<std::size_t> best;        // the first by the wish that keeps every limit
  std::string why_no_best;
  std::optional<std::size_t> least_energy, least_time;  // of those that may fit
  std::optional<std::size_t> knee;  // of the front: from there on time or energy becomes dear
  std::string why_no_knee;
  std::vector<std::string> warnings;
};

// Fills in everything that follows from the estimates: standings, front, ranks, best and knee.
void judge(Choices& choices, const Goal& goal);

// The alternatives with a rank, the best first, then those that an uncertain limit keeps out.
std::vector<std::size_t> most_promising(const Choices& choices, const Goal& goal);

struct CheckedAlternative {
  std::size_t alternative = 0;          // index into Choices::alternatives
  std::optional<Measurement> measured;  // per iteration; absent where it failed
  std::string failure;
  Joules energy;  // of the whole workload, like the estimate
  Seconds time{};
};

// The most promising ones as they were measured, in the order that was predicted.
struct OrderCheck {
  std::vector<CheckedAlternative> checked;
  // Pairs of them: in the predicted order, in the other one, and so close that the measurements
  // cannot tell (within two standard errors of their difference).
  int pairs_held = 0, pairs_turned = 0, pairs_close = 0;
  std::optional<std::size_t> measured_best;  // index into Choices::alternatives
  // Whether no pair was the other way round; absent where fewer than two were measured, for then
  // there is nothing to compare.
  std::optional<bool> held() const;
};

// Counts the pairs of what was measured.
void judge(OrderCheck& order, const Choices& choices, Wish wish);

// How often something happens in a run: every so many epochs, or iterations.
struct Every {
  std::int64_t count = 1;
  bool epochs = true;
};

// A training run as people plan it. What is not an estimate of the profile is assumed: nobody
// measured the seconds and shares below, and the result names every one of them.
struct RunTask {
  std::int64_t samples = 0, epochs = 1;  // the samples of the training set
  double confidence = 0.9;
  std::int64_t validation_samples = 0;  // 0: there is no validation
  Every validate = {};
  // What a sample costs in validation, of what it costs in training: a forward pass of three
  // passes of about the same work.
  double validation_share = 1. / 3;
  std::optional<Every> checkpoints = {};  // absent: there are none
  Seconds checkpoint_time{10};            // each; the device waits
  Seconds loading{};                      // per iteration that the device waits for data
  Seconds warm_up{}, compiling{};         // per run; the device waits
  std::int64_t trials = 0;                // of a search before the run, one after the other
  double trial_share = 1;                 // of the epochs of the run, per trial
  std::optional<Watts> waiting_power;     // of the device; absent: what the profile says
};

// Whether a number rests on the profile alone, or on something that was assumed too.
enum class Basis { estimated, assumed };
const char* to_string(Basis basis);

struct RunStage {
  std::string name;  // "training", "validation" …
  Basis basis = Basis::estimated;
  std::string assumption = {};  // what is assumed, in words; empty where nothing is
  double count = 1;             // iterations, validations, checkpoints, trials
  Interval energy_j, time_s;
};

struct TrainingRun {
  std::int64_t samples_per_iteration = 0, iterations = 0;  // of the run itself, without the search
  std::vector<RunStage> stages;                            // those that take time
  Interval energy_j, time_s;  // of all stages; the errors of an estimate are the same in all
  std::optional<Watts> waiting_power;  // that was used; absent where nothing waits
  Basis waiting_basis = Basis::estimated;
};

// `iteration` is the estimate of one iteration at the confidence of the task, and `waiting_power`
// what its profile says of the device while it waits, if it does. Throws Error(usage) for a number
// that makes no sense and Error(unknown) when the device waits and nobody knows at which power.
TrainingRun compose_run(const RunTask& task, const Estimate& iteration,
                        std::int64_t samples_per_iteration,
                        const std::optional<Watts>& waiting_power);

// Text that a language model generates: every sequence has a prompt and gets so many new tokens.
// The first comes out of the prefill, each further one out of a decode with a longer context.
struct GenerationTask {
  std::int64_t prompt = 512, new_tokens = 256;
  double confidence = 0.9;
  std::optional<Seconds> most_between_tokens, most_to_first_token;
  std::optional<std::int64_t> memory_bytes;  // that may be used; else what the device has, if known

  std::int64_t decodes() const { return new_tokens - 1; }
  std::int64_t first_context() const { return prompt; }  // of the decodes, where there are any
  std::int64_t last_context() const { return prompt + new_tokens - 2; }
};
inline constexpr std::int64_t kMostGeneratedTokens = 1'000'000;  // prompt and new ones together
inline constexpr int kDefaultContexts = 4;                       // at which decodes are traced

// The calls to trace: for each batch a prefill of the prompt, then decodes at these contexts and at
// the ends of those that the task needs; without contexts at a few evenly between. Throws
// Error(usage) for numbers that make no sense.
std::vector<GenerationStep> calls_to_trace(const GenerationTask& task,
                                           const std::vector<std::int64_t>& batches,
                                           const std::vector<std::int64_t>& contexts = {});

// A call that was traced, with what one execution of it costs.
struct CallCost {
  GenerationStep call;
  Estimate estimate;
};

// The whole batch at one context, for one token per sequence.
struct ContextCost {
  std::int64_t context = 0;
  Interval energy_j_per_token, time_s;
};

// What the task costs at one batch. The errors of an estimate are the same in every step, so the
// ends of intervals add up as means do.
struct GenerationCost {
  std::int64_t batch = 0;
  Interval prefill_j, first_token_s;           // of all sequences together
  std::optional<Interval> decode_j, decode_s;  // of all decodes; absent where there are none
  Interval energy_j, time_s;                   // of both
  Interval energy_j_per_prompt_token;
  std::optional<Interval> energy_j_per_new_token;  // of a token that a decode gives
  std::optional<Interval> between_tokens_s;        // the mean over all decodes
  std::optional<Interval> slowest_token_s;         // at the longest context, which limits are for
  std::vector<ContextCost> contexts;               // that were traced, the shortest first
  // By how much a traced context was off the straight line between its neighbours, at most; it is
  // part of the intervals. Absent where no context lies between two others.
  std::optional<double> interpolation_error;
  std::optional<std::int64_t> peak_bytes, cache_bytes;  // at the end of the task
  IterationDetails prefill;                             // of the prefill
  std::optional<IterationDetails> decode;               // of the decode with the longest context
  Standing between_tokens = Standing::none, to_first_token = Standing::none;
  Standing memory = Standing::none;
  int rank = 0;  // by energy per sequence, of those that keep every limit; 0: it does not
};

struct GenerationCosts {
  std::vector<GenerationCost> batches;  // the smallest first
  std::optional<std::size_t> best;      // the cheapest whose intervals keep every limit
  std::string why_no_best;
  std::optional<std::size_t> maybe_best;  // the cheapest whose means keep every limit
  std::vector<std::string> warnings;
};

// Between traced contexts costs are interpolated linearly, and nothing is extrapolated. Throws
// Error(usage) that names the batch and what is missing or there twice.
GenerationCosts compose_generation(const GenerationTask& task, const std::vector<CallCost>& calls);

}  // namespace ampere
