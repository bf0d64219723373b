#include "evaluate/evaluation_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "ampere/block.h"
#include "ampere/error.h"
#include "method/dual/dual.h"
#include "method/kernels/survey.h"
#include "method/proxies/gather.h"
#include "method/registry.h"

namespace ampere {
namespace {

// Of all that the methods from kernels rest on.
MeasuringCost survey_cost(const Store& store, std::int64_t profile) {
  std::vector<Observation> observations = store.find({.profile = profile});
  std::erase_if(observations, [](const Observation& observation) {
    const Purpose purpose = observation.purpose;
    return purpose != Purpose::kernel && purpose != Purpose::fusion && purpose != Purpose::overhead;
  });
  return cost_of(observations);
}

class Run {
 public:
  Run(const EvaluationTask& task, Rig& rig, const std::string& rig_name, Store& store,
      const Setup& setup, const EvaluationOptions& options, const EvaluationProgress& progress)
      : task_(task),
        rig_(rig),
        rig_name_(rig_name),
        store_(store),
        setup_(setup),
        options_(options),
        progress_(progress) {}

  Evaluation run() {
    profile();
    Evaluation evaluation = begin();
    measure_networks(evaluation, rig_, options_.precision, at_hand(), [&](int done, int of) {
      keep(evaluation);
      progress_.step(fmt::format("{} of {} measurements", done, of));
    });
    return evaluation;
  }

 private:
  // Where estimates depend on the speed of a host.
  EstimateAtHand at_hand() const {
    if (std::ranges::find(options_.methods, kAtHand) == options_.methods.end()) return {};
    const SharedDualModel dual = load_dual(store_, profile_);
    if (!dual || !has_host(*dual)) return {};
    return [dual](const Model& model, double slowdown) {
      return estimate_network(*make_dual_estimator(with_host(*dual, slowdown)), model);
    };
  }

  Evidence evidence_of(const std::string& method) const {
    return find_method(method, setup_.phase).evidence;
  }

  bool wants(Evidence evidence) const {
    return std::ranges::any_of(
        options_.methods, [&](const std::string& name) { return evidence_of(name) == evidence; });
  }

  void profile() {
    profile_ = store_.open_profile(rig_.device(), setup_, rig_name_);
    if (wants(Evidence::kernels)) require_survey();
    if (wants(Evidence::timings)) profile_dual();
    if (wants(Evidence::blocks)) profile_blocks();
  }

  void require_survey() {
    const std::vector<PredictorKind> known = stored_predictors(store_, profile_);
    for (const std::string& method : options_.methods) {
      if (evidence_of(method) != Evidence::kernels) continue;
      if (std::ranges::find(known, parse_inference_method(method)) != known.end()) continue;
      throw Error(ErrorCode::unknown,
                  fmt::format("method {} rests on measured kernels, and the store has none of {}; "
                              "run `ampere kernels measure --rig {}` with the same --store first",
                              method, rig_.device().name, rig_name_));
    }
    survey_cost_ = cost_ = survey_cost(store_, profile_);
  }

  bool tests_originals() const {
    const std::set<std::string> tests = hashes_of_tests();
    return std::ranges::any_of(task_.originals, [&](const Model& original) {
      return tests.contains(model_hash(original));
    });
  }

  void profile_dual() {
    if (!rig_.can_time()) return;
    DualProfileOptions dual = options_.dual;
    dual.measure_originals &= !tests_originals();
    const DualSummary summary = run_dual_profile({task_.originals, task_.training}, rig_, rig_name_,
                                                 store_, setup_, dual, progress_.dual);
    for (const std::string& warning : summary.warnings) progress_.warn(warning);
    if (const auto host = usual_host(store_, profile_, task_.training.front()))
      steady_ = {task_.training.front(), host->reference_s, host->ready_w, host->latest_s};
    const DualCost cost = dual_cost(store_, profile_);
    dual_cost_ = cost_ = {cost.timings + cost.networks, cost.seconds};
  }

  void profile_blocks() {
    const std::vector<PlannedKind> plan = plan_profile(task_.originals);
    const ProfileSummary summary =
        run_profile(plan, rig_, rig_name_, store_, setup_, options_.profile, progress_.profile);
    for (const std::string& warning : summary.warnings) progress_.warn(warning);
    cost_ = profile_cost(plan, store_, profile_);
  }

  std::string document_name() const {
    const std::string timings =
        wants(Evidence::timings)
            ? fmt::format("{} timings, {} windows, ", options_.dual.timings, options_.dual.networks)
            : "";
    const std::string kernels =
        wants(Evidence::kernels) ? fmt::format("survey of {}, ", survey_cost_.points) : "";
    return fmt::format("evaluation {}: {} networks, seed {}, {} points, {}{}{}", task_.family,
                       task_.tests.size(), options_.seed, options_.profile.points, timings, kernels,
                       fmt::join(options_.methods, " "));
  }

  void keep(const Evaluation& evaluation) {
    store_.put_document(profile_, {document_name(), to_text(evaluation)});
  }

  // The one that was begun before, or a new one, stored before anything of it is measured.
  Evaluation begin() {
    const auto stored = store_.document(profile_, document_name());
    if (stored && !options_.afresh) return parse_evaluation(*stored, document_name());
    Evaluation evaluation = begin_evaluation(task_.family, rig_.device(), setup_, options_.seed,
                                             task_.tests, make_methods());
    evaluation.profile_seconds = cost_.seconds;
    evaluation.steady = steady_;
    keep(evaluation);
    return evaluation;
  }

  std::vector<Method> make_methods() {
    Knowledge known;
    if (wants(Evidence::blocks)) known.blocks = read_fits(store_.fits(profile_, kinds_of_tests()));
    if (wants(Evidence::timings)) known.dual = load_dual(store_, profile_);
    if (wants(Evidence::kernels)) gather_composed(known);
    std::vector<Method> methods;
    for (const std::string& name : options_.methods) try {
        require_timings(name, known);
        const MeasuringCost cost = name == inference_method(PredictorKind::gp)
                                       ? composed_cost_
                                       : gather(evidence_of(name), known);
        methods.push_back({name, estimator_of(name, known), cost.points, cost.seconds});
      } catch (const Error& error) {
        if (error.code() != ErrorCode::unknown && error.code() != ErrorCode::usage) throw;
        progress_.warn(fmt::format("method {} is left out: {}", name, error.what()));
      }
    return methods;
  }

  // Networks that are measured for the baselines show how kernels make a network, too.
  void gather_composed(Knowledge& known) {
    if (wants(Evidence::networks)) gather(Evidence::networks, known);
    const MeasuringCost whole =
        cost_of(store_.find({.profile = profile_, .purpose = Purpose::network}));
    composed_cost_ = {survey_cost_.points + whole.points, survey_cost_.seconds + whole.seconds};
  }

  // A profile holds fits of kernels too.
  std::vector<std::string> kinds_of_tests() const {
    std::set<std::string> kinds;
    for (const Model& test : task_.tests)
      for (const Block& block : parse_blocks(test)) kinds.insert(block.kind->key);
    return {kinds.begin(), kinds.end()};
  }

  std::unique_ptr<Estimator> estimator_of(const std::string& method, const Knowledge& known) const {
    if (evidence_of(method) != Evidence::kernels) return make_estimator(method, known);
    const PredictorKind kind = parse_inference_method(method);
    InferenceOptions options = read_inference_options(store_, profile_, kind);
    if (kind == PredictorKind::gp)
      options.composition = composition_of(store_, profile_, hashes_of_tests());
    return make_inference_estimator(read_kernel_fits(store_, profile_, kind), std::move(options));
  }

  // What is estimated must not have been measured.
  std::set<std::string> hashes_of_tests() const {
    std::set<std::string> hashes;
    for (const Model& test : task_.tests) hashes.insert(model_hash(test));
    return hashes;
  }

  void require_timings(const std::string& method, const Knowledge& known) const {
    if (evidence_of(method) != Evidence::timings || known.dual) return;
    throw Error(ErrorCode::unknown,
                rig_.can_time() ? "too little was measured to fit it"
                                : "it needs blocks timed alone, and this rig cannot time them; a "
                                  "recording can when its profile was taken by this method");
  }

  // Measures the evidence once, for all methods that want it.
  MeasuringCost gather(Evidence evidence, Knowledge& known) {
    if (evidence == Evidence::blocks) return cost_;
    if (evidence == Evidence::timings) return dual_cost_;
    if (evidence == Evidence::kernels) return survey_cost_;
    const bool layers = evidence == Evidence::layers;
    std::vector<Observation>& found = layers ? known.layers : known.networks;
    if (found.empty()) {
      Seconds budget = options_.baseline_limit.value_or(cost_.seconds);
      if (cost_.points > 0) budget = std::min(budget, cost_.seconds);
      const Gathering gathering{
          rig_, rig_name_, store_, setup_, options_.precision, budget, [&](Seconds used) {
            progress_.step(fmt::format("{} for the baselines, {:.0f} of {:.0f} s",
                                       layers ? "layers" : "networks", used.count(),
                                       budget.count()));
          }};
      found = layers ? gather_layers(gathering, task_.training)
                     : gather_networks(gathering, task_.training);
    }
    return cost_of(found);
  }

  const EvaluationTask& task_;
  Rig& rig_;
  const std::string& rig_name_;
  Store& store_;
  const Setup& setup_;
  const EvaluationOptions& options_;
  const EvaluationProgress& progress_;
  std::int64_t profile_ = 0;
  MeasuringCost cost_, dual_cost_, survey_cost_, composed_cost_;
  std::optional<SteadyHost> steady_;
};

EvaluationTask answerable(EvaluationTask task, const Rig& rig, const Setup& setup,
                          const EvaluationProgress& progress) {
  const std::size_t asked = task.tests.size();
  std::erase_if(task.tests, [&](const Model& model) { return !rig.can_measure(model, setup); });
  if (task.tests.empty())
    throw Error(
        ErrorCode::unknown,
        fmt::format("none of the {} networks of {} is in the recording; give the --seed and "
                    "--networks it was made with, or more networks",
                    asked, task.family));
  if (task.tests.size() < asked)
    progress.warn(fmt::format("{} of {} networks are in the recording and are used",
                              task.tests.size(), asked));
  return task;
}

}  // namespace

Evaluation run_evaluation(const EvaluationTask& task, Rig& rig, const std::string& rig_name,
                          Store& store, const Setup& setup, const EvaluationOptions& options,
                          const EvaluationProgress& progress) {
  EvaluationOptions within = options;
  if (options.resample) {
    within.dual.only_answerable = true;
    within.profile.allowed = [&](const Model& variant) { return rig.can_measure(variant, setup); };
  }
  Evaluation evaluation = Run(options.resample ? answerable(task, rig, setup, progress) : task, rig,
                              rig_name, store, setup, within, progress)
                              .run();
  for (const std::string& warning : rig.warnings()) progress.warn(warning);
  return evaluation;
}

}  // namespace ampere
