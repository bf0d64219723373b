// Language models that generate text, from a general profile.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "ampere/error.h"
#include "ampere/session.h"
#include "method/operations/number_formats.h"
#include "method/operations/operations_method.h"
#include "method/operations/program_origin.h"

namespace ampere {
namespace {

constexpr double kGuessWorthWarning = 0.05;  // of the device's time of a call

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

}  // namespace

GenerationAnswer Session::generation(const GenerationTask& task,
                                     const std::vector<Program>& programs,
                                     const ProfileQuery& query) const {
  require_calls(programs);
  GenerationAnswer answer;
  answer.name = programs.front().name;
  answer.profile = program_candidates(query).front();
  answer.method = kOperationsMethod;
  answer.number_format = formats_text(programs);
  answer.source = answer.profile.row.device.source;
  const GeneralProfile general =
      load_general_profile(store_of(answer.profile.row), answer.profile.row);
  answer.profiled_at = general.taken_at;
  std::vector<CallCost> calls;
  Warnings warnings;
  for (const Program& program : programs) {
    if (program.name != answer.name)
      throw Error(ErrorCode::usage, fmt::format("{} and {} are programs of different models",
                                                answer.name, program.name));
    for (const auto& differences :
         {differences_of_origin(program.origin, general), differences_of_use(program, general)})
      for (const std::string& difference : differences) warnings.add(difference);
    calls.push_back(
        {*program.generation, estimate_of_program(program, general, {}, {1, task.confidence})});
    warnings.add_guesses(calls.back().estimate.iteration.value());
  }
  GenerationTask within = task;
  if (!within.memory_bytes) within.memory_bytes = memory_of(general.device);
  answer.costs = compose_generation(within, calls);
  for (const std::string& warning : answer.profile.warnings) warnings.add(warning);
  for (const std::string& warning : answer.costs.warnings) warnings.add(warning);
  answer.costs.warnings = warnings.all();
  return answer;
}

}  // namespace ampere
