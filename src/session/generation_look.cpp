#include "session/generation_look.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ampere/error.h"
#include "base/stats.h"
#include "method/operations/host_look.h"
#include "session/at_hand.h"
#include "session/scatter.h"

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

// The mean of all times, and their scatter; of a single one what its windows say.
Quantity over_times(const std::vector<double>& each, const Quantity& first) {
  const auto scatter = standard_deviation(each);
  return scatter ? Quantity{mean(each), *scatter} : first;
}

}  // namespace

GenerationLook::GenerationLook(const std::vector<Program>& programs, const ModelScript& script,
                               Rig& rig, std::vector<std::string>& warnings)
    : script_(script), rig_(rig), warnings_(warnings) {
  for (const GenerationStage stage : {GenerationStage::prefill, GenerationStage::decode})
    if (const auto call = small_call(stage, programs))
      try_to_measure_host(
          [&] {
            calls_.push_back({*call, traced(*call, programs, script, rig)});
          },
          warnings);
}

// False where it is the same once more: a recording that has no other look repeats its last one.
bool GenerationLook::run(SmallCall& call) {
  const ScriptRequest request{script_.script, host_precision(), call.step, script_.number_format};
  const Measurement measured = rig_.measure(request).measurement;
  if (!call.time_s.empty() && call.time_s.back() == measured.time_s.mean) return false;
  if (call.time_s.empty()) {
    call.first_time_s = measured.time_s;
    call.first_energy_j = measured.energy_j;
  }
  call.time_s.push_back(measured.time_s.mean);
  call.energy_j.push_back(measured.energy_j.mean);
  return true;
}

void GenerationLook::take(int times) {
  for (int i = 0; i < times; ++i)
    for (SmallCall& call : calls_) {
      if (std::exchange(call.ended, true)) continue;
      try_to_measure_host([&] { call.ended = !run(call); }, warnings_);
    }
}

void GenerationLook::conclude(const OperationsProfile& profile,
                              const std::vector<TimedOperation>& timed) {
  Scatter scatter;
  double times = 0;
  for (const SmallCall& call : calls_) {
    if (call.time_s.empty()) continue;
    const double device_s =
        compose_program(call.program, profile, {.timed = timed, .host_s = {}}).device.seconds;
    const Quantity time_s = over_times(call.time_s, call.first_time_s);
    const bool waits = waits_for_host(time_s.mean, device_s);
    looks_.push_back({call.step, static_cast<int>(call.time_s.size()), time_s,
                      over_times(call.energy_j, call.first_energy_j), waits});
    if (!waits) {
      warnings_.push_back(
          fmt::format("a {} takes {:.3g} ms and keeps the device busy for {:.3g} ms of it, so the "
                      "host of this machine is not known by it",
                      to_string(call.step), 1e3 * time_s.mean, 1e3 * device_s));
      continue;
    }
    hosts_.push_back({call.step.stage, time_s.mean, host_by_law(call.program, profile)});
    scatter.add(call.time_s);
    times = static_cast<double>(call.time_s.size());
  }
  deviation_ = scatter.of_another(times);
}

std::optional<WaitingTime> GenerationLook::waiting(const Program& program,
                                                   const OperationsProfile& profile) const {
  if (hosts_.empty()) return std::nullopt;
  const auto same = std::ranges::find(hosts_, program.generation.value().stage, &Host::stage);
  const Host& host = same == hosts_.end() ? hosts_.front() : *same;
  // A CPU has no time of the host apart.
  const double by_law_s = host_by_law(program, profile);
  if (!(host.by_law_s > 0 && by_law_s > 0)) return WaitingTime{host.time_s, deviation_};
  return WaitingTime{host.time_s * by_law_s / host.by_law_s, deviation_};
}

}  // namespace ampere
