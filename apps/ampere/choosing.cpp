#include "choosing.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "front_door.h"
#include "remedies.h"
#include "rig/rig_spec.h"
#include "terminal.h"

namespace ampere {
namespace {

constexpr const char* kHowToCompile =
    "`ampere trace MODEL --compile --rig torch -o FILE.program` with the same settings on the "
    "device, and FILE.program behind MODEL here; or `ampere profile MODEL --compile --rig torch`";

bool has_estimate(const Alternative& each) { return each.estimate.has_value(); }

// Where only tracing needs the rig, it does not matter which meter it has.
std::unique_ptr<Rig> rig_for(const RigSelection& selection, bool measures, bool traces) {
  if (measures) return selection.open();
  return traces ? open_rig(selection.rig, selection.options()) : nullptr;
}

}  // namespace

ChoiceReport Chosen::report() const {
  ChoiceReport report{subject.name, task, choices, checked, {}};
  for (const Alternative& each : choices.alternatives) report.remedies.push_back(remedy_of(each));
  return report;
}

std::string remedy_of(const Alternative& alternative) {
  if (has_estimate(alternative)) return "";
  // What the compiler makes of a network is known only where it ran.
  if (alternative.setup && alternative.compiled.value_or(false)) return kHowToCompile;
  return remedy_text(alternative.remedy);
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
  chosen.choices = session.weigh(task, rig.get());
  if (checks.count > 0)
    chosen.checked = session.check_order(task, chosen.choices, checks.count, checks.precision,
                                         {*rig, selection.rig}, checks.learning);
  listener.finish();
}

void require_best(const Choices& choices) {
  if (choices.best) return;
  const std::vector<Alternative>& all = choices.alternatives;
  if (std::ranges::any_of(all, has_estimate)) throw Error(ErrorCode::failed, choices.why_no_best);
  const auto helped =
      std::ranges::find_if(all, [](const Alternative& each) { return !remedy_of(each).empty(); });
  const Alternative& each = helped == all.end() ? all.front() : *helped;
  throw Error(ErrorCode::unknown, with_remedy_text(fmt::format("nothing could be estimated; {}: {}",
                                                               each.name, each.reason),
                                                   remedy_of(each)));
}

}  // namespace ampere
