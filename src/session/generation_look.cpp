#include "session/generation_look.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "method/operations/host_look.h"
#include "session/at_hand.h"

namespace ampere {
namespace {

// A decode at this context reads little beside the weights, and is often traced anyway.
constexpr std::int64_t kShortContext = 512;
// As many rows of a product cost a device no more than one.
constexpr std::int64_t kShortPrompt = 16;

// With as few tokens as the calls of its stage have, or fewer. Nothing where there are none.
std::optional<GenerationStep> small_call(GenerationStage stage,
                                         const std::vector<Program>& programs) {
  const bool decodes = stage == GenerationStage::decode;
  std::optional<GenerationStep> small;
  for (const Program& program : programs) {
    const GenerationStep& call = program.generation.value();
    if (call.stage != stage) continue;
    if (!small) small = GenerationStep{stage, 1, kShortPrompt, decodes ? kShortContext : 0};
    small->tokens = std::min(small->tokens, call.tokens);
    small->context = std::min(small->context, call.context);
  }
  return small;
}

bool is_call(const Program& program, const GenerationStep& call) {
  const GenerationStep& its = program.generation.value();  // whose cache has a size
  return its.stage == call.stage && its.batch == call.batch && its.tokens == call.tokens &&
         its.context == call.context;
}

Program traced(const GenerationStep& call, const std::vector<Program>& programs,
               const ModelScript& script, Rig& rig) {
  const auto known = std::ranges::find_if(
      programs, [&](const Program& program) { return is_call(program, call); });
  if (known != programs.end()) return *known;
  TraceRequest request;
  request.step = script.script;
  request.generation = call;
  request.number_format = script.number_format;
  return rig.trace(request).program;
}

}  // namespace

GenerationLook::GenerationLook(const std::vector<Program>& programs, const ModelScript& script,
                               const OperationsProfile& profile,
                               const std::vector<TimedOperation>& timed, Rig& rig,
                               std::vector<std::string>& warnings) {
  for (const GenerationStage stage : {GenerationStage::prefill, GenerationStage::decode}) {
    const auto call = small_call(stage, programs);
    if (!call) continue;
    try_to_measure_host(
        [&] {
          const Program program = traced(*call, programs, script, rig);
          const double device_s =
              compose_program(program, profile, {.timed = timed, .host_s = {}}).device.seconds;
          const Measurement measured = rig.measure(ScriptRequest{script.script, host_precision(),
                                                                 call, script.number_format})
                                           .measurement;
          const double time_s = measured.time_s.mean;
          const bool waits = waits_for_host(time_s, device_s);
          looks_.push_back({*call, measured.time_s, measured.energy_j, waits});
          if (waits)
            hosts_.push_back({stage, time_s, host_by_law(program, profile)});
          else
            warnings.push_back(
                fmt::format("a {} takes {:.3g} ms and keeps the device busy for {:.3g} ms of it, "
                            "so the host of "
                            "this machine is not known by it",
                            to_string(*call), 1e3 * time_s, 1e3 * device_s));
        },
        warnings);
  }
}

std::optional<double> GenerationLook::waiting_s(const Program& program,
                                                const OperationsProfile& profile) const {
  if (hosts_.empty()) return std::nullopt;
  const auto same = std::ranges::find(hosts_, program.generation.value().stage, &Host::stage);
  const Host& host = same == hosts_.end() ? hosts_.front() : *same;
  // A CPU has no time of the host apart.
  const double by_law_s = host_by_law(program, profile);
  if (!(host.by_law_s > 0 && by_law_s > 0)) return host.time_s;
  return host.time_s * by_law_s / host.by_law_s;
}

}  // namespace ampere
