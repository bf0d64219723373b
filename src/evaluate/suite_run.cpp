#include "evaluate/suite_run.h"

#include <fmt/format.h>

#include <map>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "evaluate/suite_json.h"
#include "method/operations/device_look.h"
#include "method/operations/general_evidence.h"
#include "method/operations/host_look.h"
#include "method/operations/left_out.h"
#include "method/operations/program_estimate.h"

namespace ampere {
namespace {

// What the sums of a program are for baselines.
void describe(const Program& program, const OperationMap& map, SuiteResult& result) {
  const std::vector<MappedOperation> mapped = map_operations(map, program);
  const std::vector<double> counts = call_counts(program);
  double half_flops = 0;
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    if (mapped[i].source == TimeSource::none) continue;
    const DeviceWork& work = mapped[i].features.work;
    result.flops += counts[i] * work.flops;
    result.bytes += counts[i] * work.bytes;
    result.operations += counts[i];
    result.roofline_s += counts[i] * map.roofline.seconds(work);
    if (mapped[i].features.half) half_flops += counts[i] * work.flops;
  }
  result.half = half_flops > 0.5 * result.flops;
}

SuiteEstimate answer(const Program& program, const OperationsProfile& profile,
                     const ProgramEvidence& evidence) {
  const ProgramEstimate estimate = estimate_program(program, profile, evidence);
  return {estimate.energy_j, estimate.time_s, estimate.host_s, estimate.device_s.mean};
}

class SuiteRun {
 public:
  SuiteRun(const Suite& suite, const SuiteOptions& options, const SuiteBench& bench)
      : suite_(suite),
        options_(options),
        rig_(bench.rig),
        store_(bench.store),
        stop_(bench.stop),
        listener_(bench.listener),
        profile_(bench.profile),
        profiles_(read_general_evidence(store_, profile_), rig_.device()) {}

  std::vector<SuiteResult> run() {
    std::vector<SuiteResult> results;
    for (const SuiteEntry& entry : suite_.entries) {
      stop_.throw_if_stopped();
      results.push_back(result_of(entry));
      listener_.progress({.step = "steps measured",
                          .title = entry.name,
                          .done = std::ssize(results),
                          .of = std::ssize(suite_.entries),
                          .failures = failures_,
                          .uncertainty = {},
                          .left = {},
                          .finished = results.size() == suite_.entries.size()});
    }
    return results;
  }

 private:
  std::string document_of(const SuiteEntry& entry) const {
    return fmt::format("suite {}: {}", suite_.name, entry.name);
  }

  SuiteResult result_of(const SuiteEntry& entry) {
    const std::string document = document_of(entry);
    if (const auto known = store_.document(profile_, document)) {
      const Json json = parse_json(*known, document);
      SuiteResult result = read_suite_result({json, document + ": "});
      if (result.measured || !result.failure.empty()) return result;
    }
    SuiteResult result;
    result.entry = entry.name;
    try {
      estimate(entry, result);
      result.estimated_at = utc_now();
      keep(document, result);
      result.measured = measure(entry);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      result.failure = error.what();
      ++failures_;
      listener_.warning(fmt::format("{}: {}", entry.name, error.what()));
    }
    result.measured_at = utc_now();
    keep(document, result);
    return result;
  }

  void keep(const std::string& document, const SuiteResult& result) {
    store_.put_document(profile_, {document, json_text(suite_result_json(result))});
  }

  void estimate(const SuiteEntry& entry, SuiteResult& result) {
    const Program program = rig_.trace({entry.step, {}}).program;
    result.family = family_of(program.name);
    result.program = program_hash(program);
    const OperationsProfile& whole = profiles_.whole();
    describe(program, whole.map, result);
    const OperationsProfile& without = profiles_.without(result.family);
    ProgramEvidence evidence;
    evidence.host_s = host_of(entry);
    evidence.timed =
        time_dearest(program, without, rig_, static_cast<std::size_t>(options_.timed)).timed;
    ProgramEvidence nothing;
    result.estimates = {answer(program, without, nothing), answer(program, without, evidence),
                        answer(program, whole, nothing), answer(program, whole, evidence)};
  }

  // Steps that differ only in their batch share it.
  std::optional<double> host_of(const SuiteEntry& entry) {
    const auto* script = std::get_if<Script>(&entry.step);
    if (script == nullptr) {
      const auto& network = std::get<TraceRequest::Network>(entry.step);
      return look_at_host(rig_, network.model, network.setup);
    }
    const std::optional<Script> small = with_small_batch(*script);
    if (!small) return std::nullopt;
    const std::string key = small->path + small->function + small->arguments;
    if (!host_s_.contains(key)) host_s_[key] = look_at_host(rig_, *script).value();
    return host_s_.at(key);
  }

  Measurement measure(const SuiteEntry& entry) {
    if (const auto* script = std::get_if<Script>(&entry.step))
      return rig_.measure(*script, options_.precision).measurement;
    const auto& network = std::get<TraceRequest::Network>(entry.step);
    return rig_.measure(network.model, network.setup, options_.precision);
  }

  const Suite& suite_;
  const SuiteOptions& options_;
  Rig& rig_;
  Store& store_;
  StopToken stop_;
  Listener& listener_;
  std::int64_t profile_;
  LeftOutProfiles profiles_;
  std::map<std::string, double> host_s_;  // by the arguments of the small step
  std::int64_t failures_ = 0;
};

}  // namespace

std::vector<SuiteResult> run_suite(const Suite& suite, const SuiteOptions& options,
                                   const SuiteBench& bench) {
  return SuiteRun(suite, options, bench).run();
}

}  // namespace ampere
