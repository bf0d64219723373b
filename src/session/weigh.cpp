// Ways to train the same network, compared by their estimates, and by measuring the best of them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ampere/error.h"
#include "ampere/session.h"
#include "session/profile_text.h"
#include "session/shipped_store.h"

namespace ampere {
namespace {

// A device, and its profiles as queries name them, the best first.
struct Target {
  ProfileRow any;  // one of its profiles
  std::vector<std::string> profiles;
};

void add_target(std::vector<Target>& targets, const ProfileRow& row, const std::string& name) {
  for (Target& target : targets)
    if (is_same_device(target.any, row)) {
      if (std::ranges::find(target.profiles, name) == target.profiles.end())
        target.profiles.push_back(name);
      return;
    }
  targets.push_back({row, {name}});
}

std::vector<Target> every_device(const Store& store) {
  std::vector<Target> targets;
  for (const ProfileRow& row : store.profiles())
    if (row.setup.phase == Phase::iteration) add_target(targets, row, row.device.fingerprint);
  for (const ProfileRow& row : shipped_rows()) add_target(targets, row, row.shipped);
  return targets;
}

[[noreturn]] void throw_no_profile() {
  std::string names;
  for (const ProfileRow& row : shipped_rows())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", row.shipped);
  throw Error(ErrorCode::unknown,
              fmt::format("no profile can answer, for the store is empty: profile this device for "
                          "any network, or name a device whose profile came with the program ({})",
                          names),
              Remedy::general_profile);
}

std::int64_t iterations_of(const Goal& goal, std::int64_t samples_per_iteration) {
  return goal.epochs * ((goal.samples + samples_per_iteration - 1) / samples_per_iteration);
}

void set_samples(Alternative& each, const Goal& goal, std::int64_t samples) {
  each.samples_per_iteration = samples;
  each.workload = {iterations_of(goal, samples), goal.confidence};
}

void take(Alternative& each, Answer answer) {
  each.profile = std::move(answer.profile.row);
  each.method = std::move(answer.method);
  if (const auto& details = answer.estimate.iteration) each.peak_bytes = details->peak_bytes;
  if (!answer.estimate.uncovered.empty()) {
    const Uncovered& first = answer.estimate.uncovered.front();
    each.reason = fmt::format("{}: {}", first.layer, first.reason);
    each.remedy = Remedy::profile;
    return;
  }
  if (!answer.estimate.energy_j || !answer.estimate.time_s) {
    each.reason = fmt::format("{} has no {}", profile_text(each.profile),
                              answer.estimate.energy_j ? "times" : "energies");
    each.remedy = Remedy::profile;
    return;
  }
  each.estimate = std::move(answer.estimate);
}

// A method that knows no operations says nothing about memory; the rules for programs do.
void find_peak(Alternative& each, const Model& model) try {
  if (each.peak_bytes) return;
  if (const auto peak = peak_memory(lower(model, *each.setup))) each.peak_bytes = peak->bytes;
} catch (const Error&) {
}

void refuse(Alternative& each, const Error& error) {
  if (error.code() == ErrorCode::interrupted) throw error;
  each.reason = error.what();
  each.remedy = error.remedy();
  each.remedy_about = error.about();
}

// Traced from something that is not at hand, so that nothing can be trained.
bool is_mere_program(const ChoiceTask& task, const Alternative& each) {
  return std::holds_alternative<Program>(task.candidates[each.candidate].how) &&
         (task.model == nullptr || !each.setup);
}

// Candidates on one device after the other.
class Weighing {
 public:
  Weighing(const Session& session, const ChoiceTask& task, Rig* rig)
      : session_(session), task_(task), rig_(rig) {
    if (task.candidates.empty())
      throw Error(ErrorCode::usage, "there is nothing to choose from: name at least one candidate");
    for (const Candidate& candidate : task.candidates)
      if (std::holds_alternative<Setup>(candidate.how) && task.model == nullptr)
        throw Error(ErrorCode::usage, "a setup needs a model to be trained with it");
  }

  Choices run() {
    const ProfileQuery& query = task_.query;
    if (task_.every_device) {
      targets_ = every_device(session_.store());
      if (targets_.empty()) throw_no_profile();
    } else if (session_.store().profiles().empty() && query.device.empty() &&
               query.profile.empty()) {
      throw_no_profile();
    }
    trace_scripts();
    if (!task_.every_device) add_all(nullptr);
    for (const Target& target : targets_) add_all(&target);
    judge(choices_, task_.goal);
    return std::move(choices_);
  }

 private:
  // Once, whatever the number of devices.
  void trace_scripts() {
    traced_.resize(task_.candidates.size());
    for (std::size_t i = 0; i < task_.candidates.size(); ++i) {
      const Candidate& candidate = task_.candidates[i];
      const auto* script = std::get_if<Script>(&candidate.how);
      if (script == nullptr || !candidate.refused.empty()) continue;
      if (rig_ == nullptr)
        throw Error(ErrorCode::usage, "a step of your own needs a rig to be traced on");
      stop_if_asked();
      try {
        TraceRequest request;
        request.step = *script;
        traced_[i].program = rig_->trace(request).program;
      } catch (const Error& error) {
        if (error.code() == ErrorCode::interrupted) throw;
        traced_[i].failure = error.what();
      }
    }
  }

  void add_all(const Target* target) {
    for (std::size_t i = 0; i < task_.candidates.size(); ++i) {
      stop_if_asked();
      choices_.alternatives.push_back(weigh(i, target));
      const auto& estimate = choices_.alternatives.back().estimate;
      if (!estimate) continue;
      for (const std::string& warning : estimate->warnings)
        if (told_.insert(warning).second) choices_.warnings.push_back(warning);
    }
  }

  Alternative weigh(std::size_t index, const Target* target) {
    const Candidate& candidate = task_.candidates[index];
    Alternative each;
    each.candidate = index;
    each.name = target == nullptr
                    ? candidate.name
                    : fmt::format("{} on {}", candidate.name, target->any.device.name);
    if (target != nullptr) each.profile = target->any;
    if (const auto* setup = std::get_if<Setup>(&candidate.how)) each.setup = *setup;
    if (const Program* program = program_of(index)) {
      each.setup = program->setup;
      each.compiled = program->origin.way == TraceWay::kernels;
    } else if (each.setup) {
      each.compiled = each.setup->options.compiled;
    }
    if (!candidate.refused.empty()) {
      each.reason = candidate.refused;
      return each;
    }
    if (target == nullptr) {
      estimate(each, task_.query);
      return each;
    }
    for (const std::string& profile : target->profiles) {
      ProfileQuery query = task_.query;
      query.profile = profile;
      query.device.clear();
      query.rig.clear();
      Alternative attempt = each;
      estimate(attempt, query);
      if (attempt.estimate) return attempt;
      if (each.reason.empty()) each = std::move(attempt);
    }
    return each;
  }

  void estimate(Alternative& each, ProfileQuery query) {
    const Candidate& candidate = task_.candidates[each.candidate];
    const bool is_setup = std::holds_alternative<Setup>(candidate.how);
    try {
      if (is_setup)
        estimate_model(each, query);
      else
        estimate_program(each, query);
    } catch (const Error& error) {
      refuse(each, error);
    }
    if (is_setup) find_peak(each, *task_.model);
  }

  void estimate_model(Alternative& each, ProfileQuery& query) {
    query.setup = *each.setup;
    set_samples(each, task_.goal, each.setup->batch * each.setup->options.accumulation);
    take(each, session_.estimate(*task_.model, query, each.workload));
  }

  void estimate_program(Alternative& each, const ProfileQuery& query) {
    const Program* program = program_of(each.candidate);
    if (program == nullptr) throw Error(ErrorCode::failed, traced_[each.candidate].failure);
    set_samples(each, task_.goal, samples_of(*program));
    take(each, session_.estimate(*program, query, each.workload));
  }

  // Of a candidate that is one or was traced; nothing of a setup, and where tracing failed.
  const Program* program_of(std::size_t candidate) const {
    if (const auto* program = std::get_if<Program>(&task_.candidates[candidate].how))
      return program;
    const auto& traced = traced_[candidate].program;
    return traced ? &*traced : nullptr;
  }

  void stop_if_asked() const {
    if (session_.stop().stop_requested())
      throw Error(ErrorCode::interrupted, "interrupted before every candidate was estimated");
  }

  struct Traced {
    std::optional<Program> program;
    std::string failure;
  };

  const Session& session_;
  const ChoiceTask& task_;
  Rig* rig_;
  std::vector<Target> targets_;
  std::vector<Traced> traced_;  // by candidate
  std::set<std::string> told_;
  Choices choices_;
};

}  // namespace

Choices Session::weigh(const ChoiceTask& task, Rig* rig) const {
  return Weighing(*this, task, rig).run();
}

OrderCheck Session::check_order(const ChoiceTask& task, const Choices& choices, int count,
                                const Precision& precision, const NamedRig& rig,
                                Learning learning) {
  std::vector<std::size_t> order = most_promising(choices, task.goal);
  order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
  for (const std::size_t i : order) {
    const Alternative& each = choices.alternatives[i];
    if (is_mere_program(task, each))
      throw Error(ErrorCode::usage,
                  fmt::format("{} is one traced iteration, which nothing can be trained from; to "
                              "measure it, name the network or the script",
                              each.name));
    if (each.profile.device.name != rig.rig.device().name)
      throw Error(ErrorCode::usage,
                  fmt::format("{} was estimated for {}, and the rig is {}", each.name,
                              each.profile.device.name, rig.rig.device().name));
  }
  OrderCheck result;
  for (const std::size_t i : order) {
    const Alternative& each = choices.alternatives[i];
    const Candidate& candidate = task.candidates[each.candidate];
    CheckedAlternative checked;
    checked.alternative = i;
    try {
      if (const auto* script = std::get_if<Script>(&candidate.how))
        checked.measured = rig.rig.measure(*script, precision).measurement;
      else
        checked.measured = run(*task.model, *each.setup, precision, rig, learning);
      const auto iterations = static_cast<double>(each.workload.iterations);
      checked.energy = {checked.measured->energy_j.mean * iterations};
      checked.time = Seconds(checked.measured->time_s.mean * iterations);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      checked.failure = error.what();
    }
    result.checked.push_back(std::move(checked));
  }
  judge(result, choices, task.goal.wish);
  return result;
}

}  // namespace ampere
