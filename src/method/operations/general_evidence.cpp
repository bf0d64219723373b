#include "method/operations/general_evidence.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "base/json_text.h"
#include "base/number_before.h"
#include "base/or_null.h"
#include "method/operations/host_look.h"
#include "program/program_json.h"
#include "program/tensor_table.h"
#include "record/operations_json.h"
#include "record/record_json.h"

namespace ampere {
namespace {

constexpr std::string_view kTimed = "timed ";
constexpr std::string_view kMeasured = "measured ";
constexpr double kMostMultiprocessors = 1e6;  // that a profile may have

std::string name_of(const TimedSweep& sweep) {
  OperationKey all = 0;
  for (const SweepOperation& each : sweep.operations) all = all * 31 + each.key;
  return fmt::format("{}{:016x}", kTimed, all);
}

Json sweep_json(const TimedSweep& sweep) {
  TensorTable table;
  OperationTimesRequest request;
  Json families = Json::array();
  for (const SweepOperation& each : sweep.operations) {
    request.operations.push_back(table.add(each.operation, each.tensors));
    families.push_back(each.families);
  }
  request.tensors = table.types();
  Json json = operations_request_json(request);
  json["families"] = std::move(families);
  json["times"] = operation_times_json(sweep.times);
  json["taken_at"] = sweep.taken_at;
  return json;
}

TimedSweep read_sweep(const JsonField& json) {
  const OperationTimesRequest request = read_operations_request(json);
  const std::vector<OperationKey> keys = operation_keys(request.operations, request.tensors);
  const std::vector<JsonField> families = json.at("families").items();
  TimedSweep sweep;
  sweep.times = read_operation_times(json.at("times"));
  sweep.taken_at = json.at("taken_at").text();
  if (families.size() != keys.size()) json.at("families").fail("has not one entry per operation");
  if (sweep.times.each.size() != keys.size())
    json.at("times").fail("has not one entry per operation");
  for (std::size_t i = 0; i < keys.size(); ++i) {
    SweepOperation operation = taken_out(request.operations[i], request.tensors, keys[i]);
    for (const JsonField& family : families[i].items()) operation.families.push_back(family.text());
    sweep.operations.push_back(std::move(operation));
  }
  return sweep;
}

Json measured_json(const MeasuredProgram& measured) {
  Program program = measured.program;
  program.storages.clear();  // nothing is fitted to them
  Json json{{"program", program_json(program)},
            {"host_s", or_null(measured.host_s)},
            {"taken_at", measured.taken_at}};
  if (measured.measurement)
    json["measurement"] = measurement_json(*measured.measurement);
  else
    json["failure"] = measured.failure;
  if (measured.timing) json["timing"] = timing_json(*measured.timing);
  return json;
}

MeasuredProgram read_measured(const JsonField& json) {
  MeasuredProgram measured;
  measured.program = read_program(json.at("program"));
  measured.host_s = json.optional_number("host_s");
  measured.taken_at = json.at("taken_at").text();
  if (json.has("measurement"))
    measured.measurement = read_measurement(json.at("measurement"));
  else
    measured.failure = json.at("failure").text();
  if (json.has("timing")) measured.timing = read_timing(json.at("timing"));
  return measured;
}

// How long the device was busy: as it was timed, or else the sum of the operations, which cannot be
// more than the whole.
double busy_s(const MeasuredProgram& measured, const OperationMap& map) {
  const double whole = measured.measurement->time_s.mean;
  if (measured.timing && measured.timing->device_s > 0)
    return std::min(measured.timing->device_s, whole);
  const std::vector<MappedOperation> mapped = map_operations(map, measured.program);
  return std::min(sum_of_operations(mapped, call_counts(measured.program)).seconds, whole);
}

}  // namespace

std::set<OperationKey> GeneralEvidence::asked() const {
  std::set<OperationKey> keys;
  for (const TimedSweep& sweep : sweeps)
    for (const SweepOperation& each : sweep.operations) keys.insert(each.key);
  return keys;
}

std::set<std::string> GeneralEvidence::measured() const {
  std::set<std::string> hashes;
  for (const MeasuredProgram& each : programs) hashes.insert(program_hash(each.program));
  return hashes;
}

std::vector<TimedOperation> GeneralEvidence::timed() const {
  std::vector<TimedOperation> all;
  for (const TimedSweep& sweep : sweeps)
    for (std::size_t i = 0; i < sweep.operations.size(); ++i) {
      const SweepOperation& each = sweep.operations[i];
      const auto* times = std::get_if<StepTimes>(&sweep.times.each[i]);
      if (times == nullptr) continue;
      for (const std::string& family : each.families)
        all.push_back({each.operation, each.tensors, times->device.count(),
                       times->host.count() > 0 ? std::optional(times->host.count()) : std::nullopt,
                       family});
    }
  return all;
}

std::string GeneralEvidence::latest() const {
  std::string latest;
  for (const TimedSweep& each : sweeps) latest = std::max(latest, each.taken_at);
  for (const MeasuredProgram& each : programs) latest = std::max(latest, each.taken_at);
  return latest;
}

void keep(Store& store, std::int64_t profile, const TimedSweep& sweep) {
  store.put_document(profile, {name_of(sweep), json_text(sweep_json(sweep))});
}

void keep(Store& store, std::int64_t profile, const MeasuredProgram& program) {
  store.put_document(profile, {std::string(kMeasured) + program_hash(program.program),
                               json_text(measured_json(program))});
}

GeneralEvidence read_general_evidence(const Store& store, std::int64_t profile) {
  GeneralEvidence evidence;
  for (const StoredDocument& document : store.documents(profile)) {
    const bool timed = document.name.starts_with(kTimed);
    if (!timed && !document.name.starts_with(kMeasured)) continue;
    const std::string origin = fmt::format("profile {}, {}", profile, document.name);
    const Json json = parse_json(document.text, origin);
    const JsonField root(json, origin + ": ");
    if (timed)
      evidence.sweeps.push_back(read_sweep(root));
    else
      evidence.programs.push_back(read_measured(root));
  }
  return evidence;
}

std::vector<WorkEnergyRow> measured_elsewhere(const Store& store, std::int64_t profile) {
  const auto text = store.document(profile, kGeneralDocument);
  if (!text) return {};
  std::vector<WorkEnergyRow> rows =
      parse_general_profile(*text, fmt::format("profile {}", profile)).fitted.laws.energy_rows;
  std::erase_if(rows, [](const WorkEnergyRow& row) { return !row.elsewhere; });
  return rows;
}

OperationDevice operation_device(const DeviceInfo& device) {
  OperationDevice about;
  about.power_limit_w = number_before(device.power_mode, " W");
  const auto multiprocessors = number_before(device.hardware, " multiprocessors");
  if (multiprocessors && *multiprocessors >= 1 && *multiprocessors <= kMostMultiprocessors)
    about.multiprocessors = static_cast<int>(*multiprocessors);
  return about;
}

FittedEvidence fit_evidence(const GeneralEvidence& evidence, const DeviceInfo& device) {
  const OperationDevice about = operation_device(device);
  FittedEvidence fitted;
  fitted.timed = evidence.timed();
  fitted.maps = fit_operation_map(fitted.timed, about);
  for (const MeasuredProgram& each : evidence.programs) {
    if (!each.measurement) continue;
    const double device_s = busy_s(each, fitted.maps.map);
    fitted.windows.push_back(
        {each.program, each.measurement->time_s.mean, device_s, each.measurement->energy_j.mean,
         host_alone(each.host_s, each.program, device_s), family_of(each.program.name)});
  }
  return fitted;
}

GeneralProfile fit_general_profile(const GeneralEvidence& evidence, const DeviceInfo& device,
                                   bool is_gpu, std::span<const WorkEnergyRow> elsewhere) {
  const FittedEvidence fitted = fit_evidence(evidence, device);
  GeneralProfile profile;
  profile.device = device;
  profile.is_gpu = is_gpu;
  profile.taken_at = evidence.latest();
  profile.windows = std::ssize(fitted.windows);
  profile.operations = std::ssize(fitted.maps.map.known.entries());
  profile.fitted = {fitted.maps.map,
                    fit_operation_laws(fitted.windows, fitted.timed, fitted.maps, elsewhere)};
  return profile;
}

}  // namespace ampere
