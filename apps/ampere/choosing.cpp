#include "choosing.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "base/shell_word.h"
#include "front_door.h"
#include "profile_command.h"
#include "remedies.h"
#include "rig/rig_spec.h"
#include "smaller_batch.h"
#include "terminal.h"

namespace ampere {
namespace {

bool has_estimate(const Alternative& each) { return each.estimate.has_value(); }

// What the compiler makes of a network is known only where it ran.
bool is_compiled(const Alternative& each) { return each.setup && each.compiled.value_or(false); }

std::string how_to_compile(const std::string& model, const Setup& setup) {
  return fmt::format(
      "`ampere trace {} --rig torch {} -o compiled.program` on the device, and compiled.program "
      "behind {} here; or `{}`",
      shell_word(model), setup_words(setup), model, profile_command({model, setup, "torch"}));
}

// What needs least memory, with a smaller batch that is accumulated; empty where none fits.
std::string smaller_batch(const Chosen& chosen) {
  const Goal& goal = chosen.task.goal;
  const Alternative* least = nullptr;
  for (const Alternative& each : chosen.choices.alternatives)
    if (each.setup && each.peak_bytes && (!least || *each.peak_bytes < *least->peak_bytes))
      least = &each;
  if (least == nullptr || chosen.task.model == nullptr) return "";
  const auto memory = goal.memory_bytes ? goal.memory_bytes : memory_of(least->profile.device);
  if (!memory) return "";
  const auto smaller = batch_that_fits(*chosen.task.model, *least->setup, *memory);
  if (!smaller) return "";
  return fmt::format("--batch {} --accumulate {}, or --batch {} --effective-batch {}",
                     smaller->batch, smaller->accumulation, smaller->batch,
                     smaller->batch * smaller->accumulation);
}

// Where only tracing needs the rig, it does not matter which meter it has.
std::unique_ptr<Rig> rig_for(const RigSelection& selection, bool measures, bool traces) {
  if (measures) return selection.open();
  return traces ? open_rig(selection.rig, selection.options()) : nullptr;
}

}  // namespace

ChoiceReport Chosen::report() const {
  ChoiceReport report{subject.name, task, choices, checked, {}};
  for (const Alternative& each : choices.alternatives)
    report.remedies.push_back(remedy_of(*this, each));
  return report;
}

std::string remedy_of(const Chosen& chosen, const Alternative& alternative) {
  if (has_estimate(alternative)) return "";
  if (is_compiled(alternative)) return how_to_compile(chosen.subject.name, *alternative.setup);
  if (alternative.remedy != Remedy::profile || !alternative.setup)
    return remedy_text(alternative.remedy, alternative.remedy_about);
  const std::string own = rig_of({alternative.profile});
  return fmt::format("`{}`", profile_command({chosen.subject.name, *alternative.setup,
                                              own.empty() ? chosen.rig : own},
                                             alternative.remedy_about));
}

bool have_like_remedies(const Chosen& chosen, const Alternative& one, const Alternative& other) {
  if (is_compiled(one) != is_compiled(other) || one.remedy != other.remedy) return false;
  return rig_of({one.profile}) == rig_of({other.profile}) &&
         remedy_of(chosen, one).empty() == remedy_of(chosen, other).empty();
}

void choose_by(const ChooseOptions& options, const ChoiceChecks& checks, Chosen& chosen) {
  ChoiceTask& task = chosen.task;
  task.goal = goal_of(options);
  task.query = query_of(options);
  task.every_device = !options.profiles.empty();
  chosen.subject = open_choice(options);
  if (chosen.subject.model) task.model = &*chosen.subject.model;
  task.candidates = chosen.subject.candidates;
  if (checks.count > 0 && task.every_device)
    throw Error(ErrorCode::usage,
                "--check measures on one device; leave --profiles out, or measure on each");

  RigSelection selection = options.rig;
  if (chosen.subject.has_scripts) selection.rig = torch_rig_of(selection.rig);
  const std::unique_ptr<Rig> rig = rig_for(selection, checks.count > 0, chosen.subject.has_scripts);
  if (rig && task.query.profile.empty() && task.query.device.empty() && !task.every_device) {
    // What is measured or traced here is compared with the profile of this device.
    task.query.profile = rig->device().fingerprint;
    task.query.rig.clear();
  }
  TerminalListener listener;
  Session session = checks.count > 0 ? open_session(options.store, Access::write, &listener)
                                     : open_preview_session(options.store);
  if (options.rig_given)
    chosen.rig = options.rig.rig;
  else if (options.device.empty() && options.profile.empty() && !task.every_device)
    chosen.rig = rig_of(session.store().profiles());
  chosen.choices = session.weigh(task, rig.get());
  if (checks.count > 0)
    chosen.checked = session.check_order(task, chosen.choices, checks.count, checks.precision,
                                         {*rig, selection.rig}, checks.learning);
  listener.finish();
}

void require_best(const Chosen& chosen) {
  const Choices& choices = chosen.choices;
  if (choices.best) return;
  const std::vector<Alternative>& all = choices.alternatives;
  if (std::ranges::any_of(all, has_estimate))
    throw Error(
        ErrorCode::failed,
        with_remedy_text(choices.why_no_best, choices.least_energy ? "" : smaller_batch(chosen)));
  const auto helped = std::ranges::find_if(
      all, [&](const Alternative& each) { return !remedy_of(chosen, each).empty(); });
  const Alternative& each = helped == all.end() ? all.front() : *helped;
  throw Error(ErrorCode::unknown, with_remedy_text(fmt::format("nothing could be estimated; {}: {}",
                                                               each.name, each.reason),
                                                   remedy_of(chosen, each)));
}

}  // namespace ampere
