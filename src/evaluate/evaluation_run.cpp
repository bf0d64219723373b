#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "ampere/error.h"
#include "base/text.h"
#include "campaign/campaign.h"
#include "evaluate/evaluation.h"
#include "evaluate/used_seconds.h"
#include "model/draw.h"
#include "setup/general_setup.h"

namespace ampere {
namespace {

constexpr const char* kPublished = "ampere";

// What answers for a method, and what was measured for it.
struct Prepared {
  std::shared_ptr<const Estimator> estimator;
  MeasuringCost cost;
};

class Run {
 public:
  Run(const EvaluationTask& task, const std::vector<const Method*>& methods,
      const EvaluationOptions& options, const EvaluationBench& bench)
      : task_(task),
        methods_(methods),
        options_(options),
        bench_(bench),
        campaign_(bench.rig, bench.rig_name, bench.store, bench.setup, {}, bench.stop,
                  bench.listener),
        wanted_{task.originals, task.training} {
    for (const Model& test : task.tests) left_out_networks_.insert(model_hash(test));
    // A profile measures the originals at half their widths too, which tells much of them.
    std::set<std::string> halves;
    for (const Model& original : task.originals) {
      const std::string half = model_hash(half_as_wide(original));
      const bool is_test = left_out_networks_.contains(model_hash(original));
      if (is_test) halves.insert(half);
      tests_original_ |= is_test || left_out_networks_.contains(half);
    }
    left_out_networks_.merge(halves);
  }

  Evaluation run() {
    require_stored();
    for (const Method* method : in_measuring_order())
      profile(*method, method->is_baseline() ? baseline_options() : options_.profile);
    for (const Method* method : waiting_) prepare(*method, nullptr);
    for (const std::string& warning : campaign_.summary().warnings)
      bench_.listener.warning(warning);

    Evaluation evaluation = begin();
    const auto plan =
        suggest_networks(evaluation, options_.precision, at_hand(), [&] { keep(evaluation); });
    campaign_.run(*plan);
    for (const std::string& warning : bench_.rig.warnings()) bench_.listener.warning(warning);
    return evaluation;
  }

 private:
  ProfileRow row() const {
    for (ProfileRow& row : bench_.store.profiles())
      if (row.id == campaign_.profile()) return row;
    throw Error(ErrorCode::failed,
                fmt::format("profile {} is gone from the store", campaign_.profile()));
  }

  ProfileBench profile_bench() const {
    return {bench_.rig, bench_.store, campaign_.profile(), bench_.setup};
  }

  bool rests_on_general(const Method& method) const {
    return bench_.setup.phase != Phase::inference && !method.has_plan();
  }

  // What the method rests on: the profile of this setup, or the general one of the device.
  ProfileRow row_of(const Method& method) const {
    if (rests_on_general(method))
      if (auto general = general_row(bench_.store, bench_.rig.device(), bench_.setup))
        return *general;
    return row();
  }

  void require_stored() const {
    for (const Method* method : methods_) {
      if (method->has_plan() || method->answers(bench_.store, row_of(*method))) continue;
      if (rests_on_general(*method))
        throw Error(ErrorCode::unknown,
                    fmt::format("method {} rests on a general profile, and the store has none of "
                                "{}; profile the device for any network first",
                                method->name(), bench_.rig.device().name),
                    Remedy::general_profile);
      throw Error(ErrorCode::unknown,
                  fmt::format("method {} rests on measured kernels, and the store has none of {}; "
                              "measure them into the same store first",
                              method->name(), bench_.rig.device().name),
                  Remedy::survey, bench_.rig_name);
    }
  }

  // The published method last: baselines may use as many seconds as its profile took.
  std::vector<const Method*> in_measuring_order() const {
    std::vector<const Method*> order = methods_;
    std::ranges::stable_sort(order, {}, [](const Method* method) {
      return method->is_baseline() ? 2 : method->name() == kPublished ? 1 : 0;
    });
    return order;
  }

  // The estimator of a method that measures is made before others measure, so that it rests on what
  // its own method did. One without a plan rests on all that the store has when the networks come.
  void profile(const Method& method, ProfileOptions options) try {
    options.measure_originals &= !tests_original_;
    std::unique_ptr<Suggestions> plan;
    if (method.has_plan()) plan = method.plan(wanted_, options, profile_bench());
    if (plan) take(method, *plan, options.time_limit);
    ProfileSummary summary;
    method.conclude({bench_.store, campaign_.profile(), bench_.setup, bench_.stop, bench_.listener},
                    wanted_, summary);
    for (const std::string& warning : summary.warnings) bench_.listener.warning(warning);
    if (const auto host = method.usual_host(bench_.store, campaign_.profile(), wanted_))
      steady_ = {host->reference, host->reference_s, host->ready_w, host->latest_s};
    if (!method.is_baseline() && !rests_on_general(method))
      profile_cost_ = method.own_cost(bench_.store, row(), wanted_);
    if (method.has_plan())
      prepare(method, plan.get());
    else
      waiting_.push_back(&method);
  } catch (const Error& error) {
    leave_out(method, error);
  }

  void prepare(const Method& method, const Suggestions* plan) try {
    Prepared prepared;
    if (plan != nullptr) prepared.estimator = plan->fitted();
    const ProfileRow row = row_of(method);
    if (!prepared.estimator)
      prepared.estimator = method.load(bench_.store, row, nullptr, left_out_networks_);
    const auto own = plan != nullptr ? plan->cost() : std::nullopt;
    prepared.cost = own ? *own : method.cost(bench_.store, row, wanted_);
    prepared_.emplace(&method, std::move(prepared));
  } catch (const Error& error) {
    leave_out(method, error);
  }

  // What cannot be measured here is no reason to do without the other methods.
  void leave_out(const Method& method, const Error& error) const {
    if (error.code() != ErrorCode::unknown && error.code() != ErrorCode::usage) throw;
    bench_.listener.warning(fmt::format("method {} is left out: {}", method.name(), error.what()));
  }

  // Where every method has the same seconds, an earlier run of this evaluation has used some. What
  // the profile holds of other families does not count.
  void take(const Method& method, Suggestions& plan, const std::optional<Seconds>& limit) {
    if (!limit || method.is_baseline()) return campaign_.run(plan);
    UsedSeconds used(
        bench_.store, campaign_.profile(),
        fmt::format("seconds of {}: {}, seed {}", method.name(), task_.family, options_.seed));
    Campaign limited(bench_.rig, bench_.rig_name, bench_.store, bench_.setup,
                     {std::max(*limit - used.before(), Seconds(0))}, bench_.stop, bench_.listener);
    CountedSuggestions counted(plan, used);
    try {
      limited.run(counted);
    } catch (const Error& error) {
      used.keep();
      // A recording that was made within the same seconds ends where they were over.
      const Summary& taken = limited.summary();
      if (error.code() != ErrorCode::unknown || taken.measured + taken.timed == 0) throw;
    }
    used.keep();
    for (const std::string& warning : limited.summary().warnings) campaign_.warn(warning);
  }

  ProfileOptions baseline_options() const {
    ProfileOptions options = options_.profile;
    Seconds budget = options_.baseline_limit.value_or(profile_cost_.seconds);
    if (profile_cost_.points > 0) budget = std::min(budget, profile_cost_.seconds);
    options.measuring_budget = budget;
    options.measure_error = options_.precision.relative_error;
    options.point_seconds = options_.precision.time_limit;
    return options;
  }

  // What estimates each network once more for the host as it is; null where there is none.
  const Estimator* at_hand() const {
    const auto at = std::ranges::find_if(prepared_, [&](const auto& each) {
      return each.first->name() == at_hand_method(bench_.setup.phase);
    });
    return at == prepared_.end() ? nullptr : at->second.estimator.get();
  }

  std::string document_name() const {
    std::set<std::string> labels;
    std::vector<std::string> names;
    for (const Method* method : methods_) {
      labels.insert(method->evaluation_label(options_.profile, bench_.store, campaign_.profile()));
      names.push_back(method->name());
    }
    const auto& limit = options_.profile.time_limit;
    return fmt::format("evaluation {}: {} networks, seed {}, {} points, {}{}{}", task_.family,
                       task_.tests.size(), options_.seed, options_.profile.points,
                       limit ? fmt::format("{} s each, ", limit->count()) : "",
                       fmt::join(labels, ""), fmt::join(names, " "));
  }

  void keep(const Evaluation& evaluation) {
    bench_.store.put_document(campaign_.profile(), {document_name(), to_text(evaluation)});
  }

  // The one that was begun before, or a new one, stored before anything of it is measured.
  Evaluation begin() {
    const auto stored = bench_.store.document(campaign_.profile(), document_name());
    if (stored && !options_.afresh) return parse_evaluation(*stored, document_name());
    Evaluation evaluation{task_.family,
                          bench_.rig.device(),
                          bench_.setup,
                          options_.seed,
                          utc_now(),
                          profile_cost_.seconds,
                          steady_,
                          {},
                          {}};
    for (const Method* method : methods_)
      if (const auto at = prepared_.find(method); at != prepared_.end())
        evaluation.methods.push_back(
            {method->name(), at->second.cost.points, at->second.cost.seconds});
    for (const Model& test : task_.tests) {
      EvaluatedNetwork& network = evaluation.networks.emplace_back();
      network.model = test;
      for (const auto& [method, prepared] : prepared_)
        network.estimates.emplace(method->name(), estimate_network(*prepared.estimator, test));
    }
    keep(evaluation);
    return evaluation;
  }

  const EvaluationTask& task_;
  const std::vector<const Method*>& methods_;
  const EvaluationOptions& options_;
  const EvaluationBench& bench_;
  Campaign campaign_;
  ProfileTask wanted_;
  // By hash: what no estimator may have been fitted to.
  std::set<std::string> left_out_networks_;
  bool tests_original_ = false;  // an original, or one at half its widths, is among the tests
  std::map<const Method*, Prepared> prepared_;  // without those that are left out
  std::vector<const Method*> waiting_;          // to be prepared when all have measured
  MeasuringCost profile_cost_;                  // of the last method that is no baseline
  std::optional<SteadyHost> steady_;
};

EvaluationTask answerable(EvaluationTask task, const EvaluationBench& bench) {
  const std::size_t asked = task.tests.size();
  std::erase_if(task.tests,
                [&](const Model& model) { return !bench.rig.can_measure(model, bench.setup); });
  if (task.tests.empty())
    throw Error(ErrorCode::unknown,
                fmt::format("none of the {} networks of {} is in the recording; use the seed and "
                            "the number of networks it was made with, or more networks",
                            asked, task.family));
  if (task.tests.size() < asked)
    bench.listener.warning(fmt::format("{} of {} networks are in the recording and are used",
                                       task.tests.size(), asked));
  return task;
}

}  // namespace

std::optional<ProfileRow> general_row(const Store& store, const DeviceInfo& device,
                                      const Setup& setup) {
  for (ProfileRow& row : store.profiles()) {
    if (!is_general(row.setup) || row.device.fingerprint != device.fingerprint) continue;
    row.setup = setup;
    return row;
  }
  return std::nullopt;
}

Evaluation run_evaluation(const EvaluationTask& task, const std::vector<const Method*>& methods,
                          const EvaluationOptions& options, const EvaluationBench& bench) {
  if (!options.resample) return Run(task, methods, options, bench).run();
  EvaluationOptions within = options;
  within.profile.only_answerable = true;
  const EvaluationTask used = answerable(task, bench);
  return Run(used, methods, within, bench).run();
}

}  // namespace ampere
