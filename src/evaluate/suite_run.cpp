#include "evaluate/suite_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "evaluate/data_sheet.h"
#include "evaluate/evaluation.h"
#include "evaluate/suite_json.h"
#include "method/operations/device_look.h"
#include "method/operations/general_evidence.h"
#include "method/operations/host_look.h"
#include "method/operations/left_out.h"
#include "method/operations/number_formats.h"
#include "method/operations/program_estimate.h"
#include "program/tf32.h"

namespace ampere {
namespace {

// As if every operation ran at the stated peak or at the stated bandwidth of the memory.
double stated_s(const DataSheet& sheet, const DeviceWork& work, bool half) {
  return std::max(work.flops / (half ? sheet.half_flops : sheet.fp32_flops),
                  work.bytes / sheet.bytes_per_s);
}

// What the sums of a program are for baselines.
void describe(const Program& program, const OperationMap& map,
              const std::optional<DataSheet>& sheet, SuiteResult& result) {
  const std::vector<MappedOperation> mapped = map_operations(map, program);
  const std::vector<double> counts = call_counts(program);
  double half_flops = 0, sheet_s = 0;
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    if (mapped[i].source == TimeSource::none) continue;
    const DeviceWork& work = mapped[i].features.work;
    result.flops += counts[i] * work.flops;
    result.bytes += counts[i] * work.bytes;
    result.operations += counts[i];
    result.roofline_s += counts[i] * map.roofline.seconds(work);
    if (mapped[i].features.half) half_flops += counts[i] * work.flops;
    if (sheet) sheet_s += counts[i] * stated_s(*sheet, work, mapped[i].features.half);
  }
  if (sheet) {
    result.sheet_s = sheet_s;
    result.sheet_w = sheet->watts;
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
        methods_(bench.methods),
        sheet_(options.sheet ? options.sheet : find_data_sheet(rig_.device().name)),
        profiles_(read_general_evidence(store_, profile_), rig_.device(),
                  measured_elsewhere(store_, profile_)) {}

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
    Program program = rig_.trace({entry.step, {}}).program;
    if (program.origin.device == "cpu") program = without_tf32(std::move(program));
    result.family = family_of(program.name);
    result.program = program_hash(program);
    const OperationsProfile& whole = profiles_.whole();
    require_tf32_products(program, whole.map, rig_.device().name);
    describe(program, whole.map, sheet_, result);
    const OperationsProfile& without = profiles_.without(result.family);
    ProgramEvidence evidence, nothing;
    evidence.seen = was_seen_on(program, rig_.device());
    if (!evidence.seen) {
      if (program.origin.device != "cpu") evidence.host_s = host_of(entry);
      evidence.timed =
          time_dearest({&program, 1}, without, rig_, static_cast<std::size_t>(options_.timed))
              .timed;
    }
    result.estimates = {answer(program, without, nothing), answer(program, without, evidence),
                        answer(program, whole, nothing), answer(program, whole, evidence)};
    if (const auto* network = std::get_if<TraceRequest::Network>(&entry.step))
      ask_others(*network, result);
  }

  // Those whose profile of this setup covers the network. The network itself has no part in a fit.
  void ask_others(const TraceRequest::Network& step, SuiteResult& result) {
    for (const ProfileRow& row : store_.profiles()) {
      if (row.device.fingerprint != rig_.device().fingerprint || row.setup != step.setup) continue;
      for (const Method* method : methods_) {
        if (!method->has_plan() || !method->answers(store_, row)) continue;
        try {
          const auto estimator = method->load(store_, row, &step.model, {model_hash(step.model)});
          result.methods[method->name()] = estimate_network(*estimator, step.model);
        } catch (const Error& error) {
          if (error.code() == ErrorCode::interrupted) throw;
          result.methods[method->name()].reason = error.what();
        }
      }
    }
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
  const std::vector<const Method*>& methods_;
  std::optional<DataSheet> sheet_;
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
