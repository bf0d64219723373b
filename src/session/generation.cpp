// Language models that generate text, from a general profile.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "ampere/error.h"
#include "ampere/session.h"
#include "method/operations/number_formats.h"
#include "method/operations/operations_method.h"
#include "method/operations/program_origin.h"
#include "session/at_hand.h"
#include "session/generation_look.h"

namespace ampere {
namespace {

constexpr std::size_t kTimedOfAllCalls = 60;      // of all calls together
constexpr int kLooksBefore = 2, kLooksAfter = 2;  // at the host, before and after timing operations
constexpr double kGuessWorthWarning = 0.05;       // of the device's time of a call

void require_calls(const std::vector<Program>& programs) {
  if (programs.empty())
    throw Error(ErrorCode::usage, "there is no program of a language model that generates text");
  for (const Program& program : programs)
    if (!program.generation)
      throw Error(
          ErrorCode::usage,
          fmt::format("{}: is one training iteration, and neither a prefill nor a decode of "
                      "a language model that generates text",
                      program.name));
}

std::string formats_text(const std::vector<Program>& programs) {
  std::set<ElementType> formats;
  for (const Program& program : programs)
    for (const ElementType format : product_formats(program)) formats.insert(format);
  std::vector<std::string> words;
  for (const ElementType format : formats) words.emplace_back(to_string(format));
  return fmt::format("{}", fmt::join(words, ", "));
}

// What holds for several calls is said once.
class Warnings {
 public:
  void add(const std::string& text) {
    if (std::ranges::find(texts_, text) == texts_.end()) texts_.push_back(text);
  }
  void add_guesses(const IterationDetails& details) {
    for (const UncoveredName& each : details.uncovered)
      guesses_[each.name] = std::max(guesses_[each.name], each.share);
  }
  std::vector<std::string> all() const {
    std::vector<std::string> texts = texts_;
    for (const auto& [name, share] : guesses_)
      if (share >= kGuessWorthWarning)
        texts.push_back(fmt::format(
            "no operation {} was timed on this device: up to {:.0f} % of the device's time of a "
            "call are a guess",
            name, 100 * share));
    return texts;
  }

 private:
  std::vector<std::string> texts_;
  std::map<std::string, double> guesses_;  // the largest share of all calls
};

// Estimates the calls of one model and puts them together.
class Composer {
 public:
  Composer(const GenerationTask& task, ChosenProfile profile, GeneralProfile general)
      : task_(task), profile_(std::move(profile)), general_(std::move(general)) {
    if (!task_.memory_bytes) task_.memory_bytes = memory_of(general_.device);
  }

  template <class EvidenceOf>
  GenerationAnswer compose(const std::vector<Program>& programs,
                           const EvidenceOf& evidence_of) const {
    std::vector<CallCost> calls;
    Warnings warnings;
    for (const Program& program : programs) {
      if (program.name != programs.front().name)
        throw Error(ErrorCode::usage, fmt::format("{} and {} are programs of different models",
                                                  programs.front().name, program.name));
      for (const auto& differences :
           {differences_of_origin(program.origin, general_), differences_of_use(program, general_)})
        for (const std::string& difference : differences) warnings.add(difference);
      calls.push_back(
          {*program.generation,
           estimate_of_program(program, general_, evidence_of(program), {1, task_.confidence})});
      warnings.add_guesses(calls.back().estimate.iteration.value());
    }
    GenerationAnswer answer = described(programs);
    answer.costs = compose_generation(task_, calls);
    for (const std::string& warning : profile_.warnings) warnings.add(warning);
    for (const std::string& warning : answer.costs.warnings) warnings.add(warning);
    answer.costs.warnings = warnings.all();
    return answer;
  }

 private:
  GenerationAnswer described(const std::vector<Program>& programs) const {
    GenerationAnswer answer;
    answer.name = programs.front().name;
    answer.profile = profile_;
    answer.method = kOperationsMethod;
    answer.number_format = formats_text(programs);
    answer.source = profile_.row.device.source;
    answer.profiled_at = general_.taken_at;
    return answer;
  }

  GenerationTask task_;
  ChosenProfile profile_;
  GeneralProfile general_;
};

}  // namespace

GenerationAnswer Session::generation(const GenerationTask& task,
                                     const std::vector<Program>& programs,
                                     const ProfileQuery& query) const {
  require_calls(programs);
  const ChosenProfile profile = program_candidates(query).front();
  return Composer(task, profile, load_general_profile(store_of(profile.row), profile.row))
      .compose(programs, [](const Program&) { return ProgramEvidence{}; });
}

GenerationAnswer Session::refine_generation(const GenerationTask& task,
                                            const std::vector<Program>& programs,
                                            const std::optional<ModelScript>& script,
                                            const ProfileQuery& query, const NamedRig& rig) const {
  require_calls(programs);
  const ChosenProfile profile = program_candidates(query_at_hand(query, rig.rig)).front();
  std::vector<std::string> warnings;
  require_same_device(profile.row, rig.rig.device(), warnings);
  const GeneralProfile general = load_general_profile(store_of(profile.row), profile.row);
  std::optional<GenerationLook> look;
  if (script)
    look.emplace(programs, *script, rig.rig, warnings);
  else
    warnings.emplace_back(
        "the host was not measured, since only traced calls were given and not the model");
  // What lies between the looks takes some seconds, in which a host that others use changes. A CPU
  // has none apart.
  const bool has_host = general.is_gpu;
  if (look) look->take(has_host ? kLooksBefore : 1);
  const std::vector<TimedOperation> timed =
      time_operations(programs, general.fitted, rig.rig, kTimedOfAllCalls, warnings);
  if (look && has_host) look->take(kLooksAfter);
  if (look) look->conclude(general.fitted, timed);
  GenerationAnswer answer =
      Composer(task, profile, general).compose(programs, [&](const Program& program) {
        ProgramEvidence evidence;
        evidence.timed = timed;
        if (look) evidence.waiting = look->waiting(program, general.fitted);
        return evidence;
      });
  answer.at_hand = SeenAtHand{timed.size(), look ? look->looks() : std::vector<HostLook>{}};
  std::ranges::move(warnings, std::back_inserter(answer.costs.warnings));
  return answer;
}

}  // namespace ampere
