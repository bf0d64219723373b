#include <fmt/format.h>

#include <cmath>
#include <set>

#include "ampere/error.h"
#include "base/parallel.h"
#include "method/operations/operation_map.h"

namespace ampere {
namespace {

constexpr double kLeastTime = 1e-7;  // seconds: no kernel is so short

// All times of equal operations, and the families whose programs contain them.
struct Merged {
  const TimedOperation* first = nullptr;
  double log_sum = 0;
  int count = 0;
  std::set<std::string> families;

  // 0 where nothing was launched after all.
  double seconds() const { return count > 0 ? std::exp(log_sum / count) : 0; }
};
using MergedOperations = std::map<OperationKey, Merged>;

void check_time(const TimedOperation& timed) {
  if (std::isfinite(timed.device_s) && timed.device_s >= 0) return;
  throw Error(ErrorCode::failed, fmt::format("{}: {} s is no time of an operation",
                                             timed.operation.name, timed.device_s));
}

MergedOperations merge(const std::vector<TimedOperation>& timed) {
  MergedOperations merged;
  for (const TimedOperation& each : timed) {
    check_time(each);
    Merged& its = merged[operation_key(each.operation, each.tensors)];
    if (its.first == nullptr) its.first = &each;
    its.families.insert(each.family);
    if (each.device_s <= 0) continue;
    its.log_sum += std::log(each.device_s);
    ++its.count;
  }
  return merged;
}

struct Evidence {
  std::vector<TimedFeatures> timed;
  std::array<PartEvidence, kOperationParts> parts;
};

Evidence evidence_of(const MergedOperations& merged, const OperationDevice& device) {
  Evidence evidence;
  for (const auto& [key, its] : merged) {
    if (its.seconds() < kLeastTime) continue;
    auto features = operation_features(its.first->operation, its.first->tensors, device);
    if (!features) continue;
    evidence.timed.push_back({*features, its.seconds()});
    PartEvidence& part = evidence.parts[static_cast<std::size_t>(features->part)];
    part.features.push_back(std::move(*features));
    part.names.push_back(name_in_part(its.first->operation));
    part.device_s.push_back(its.seconds());
    part.only_family.push_back(its.families.size() == 1 ? *its.families.begin() : "");
  }
  return evidence;
}

// Without views, and without the operations that only one family has, where one is given.
KnownTimes known_times(const MergedOperations& merged, const std::string* family) {
  std::map<OperationKey, double> known;
  for (const auto& [key, its] : merged)
    if (its.first->operation.launches && (family == nullptr || its.families != std::set{*family}))
      known[key] = its.seconds();
  return KnownTimes(known);
}

}  // namespace

FittedMap fit_operation_map(const std::vector<TimedOperation>& timed, const OperationDevice& device,
                            const MapFitOptions& options) {
  const MergedOperations merged = merge(timed);
  const Evidence evidence = evidence_of(merged, device);
  if (evidence.timed.empty())
    throw Error(ErrorCode::unknown, "no operation was timed on this device", Remedy::profile);
  std::array<FittedPart, kOperationParts> parts;
  const Roofline roofline = fit_roofline(evidence.timed);
  in_parallel(kOperationParts, [&](std::size_t i) {
    PartFitOptions of_part = options.part;
    of_part.like = options.like == nullptr ? nullptr : &options.like->parts[i];
    parts[i] = fit_part(evidence.parts[i], roofline, of_part);
  });

  FittedMap fitted;
  fitted.map = {device, roofline, {}, known_times(merged, nullptr)};
  for (std::size_t i = 0; i < kOperationParts; ++i) fitted.map.parts[i] = parts[i].model;
  std::set<std::string> families;
  for (const TimedOperation& each : timed)
    if (!each.family.empty()) families.insert(each.family);
  for (const std::string& family : families) {
    OperationMap& without = fitted.without[family];
    without = {device, roofline, {}, known_times(merged, &family)};
    for (std::size_t i = 0; i < kOperationParts; ++i) {
      without.parts[i] = parts[i].model;
      for (auto& [its_family, model] : parts[i].without)
        if (its_family == family) without.parts[i] = std::move(model);
    }
  }
  return fitted;
}

}  // namespace ampere
