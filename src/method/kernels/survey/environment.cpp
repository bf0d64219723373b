#include "method/kernels/survey/environment.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {
namespace {

struct Line {
  const char* key;
  std::string DeviceInfo::*field;
};
constexpr Line kDevice[] = {
    {"device", &DeviceInfo::name},   {"hardware", &DeviceInfo::hardware},
    {"driver", &DeviceInfo::driver}, {"runtime", &DeviceInfo::framework},
    {"meter", &DeviceInfo::meter},   {"power_mode", &DeviceInfo::power_mode},
};

// Of one inference, in the units of tables.
struct OverheadLine {
  const char *mean, *stddev;
  Quantity InferenceOverhead::*quantity;
};
constexpr OverheadLine kOverhead[] = {
    {"overhead_mj", "overhead_mj_stddev", &InferenceOverhead::energy_j},
    {"overhead_ms", "overhead_ms_stddev", &InferenceOverhead::time_s},
};

const std::string* find(const Environment& environment, const std::string& key) {
  const auto found = environment.find(key);
  return found == environment.end() ? nullptr : &found->second;
}

}  // namespace

Environment environment_of(const DeviceInfo& device, const Setup& setup,
                           const std::optional<FusionFindings>& findings) {
  Environment environment{{"source", to_string(device.source)},
                          {"batch", std::to_string(setup.batch)},
                          {"precision", setup.precision}};
  for (const Line& line : kDevice)
    if (!(device.*line.field).empty()) environment[line.key] = device.*line.field;
  if (!findings) return environment;
  environment["fusion"] = to_text(findings->rules);
  if (findings->overhead)
    for (const OverheadLine& line : kOverhead) {
      const Quantity& overhead = (*findings->overhead).*line.quantity;
      environment[line.mean] = fmt::format("{:.12g}", 1e3 * overhead.mean);
      if (overhead.stddev)
        environment[line.stddev] = fmt::format("{:.12g}", 1e3 * *overhead.stddev);
    }
  return environment;
}

DeviceInfo device_of(const Environment& environment) {
  DeviceInfo device;
  for (const Line& line : kDevice)
    if (const std::string* text = find(environment, line.key)) device.*line.field = *text;
  if (const std::string* delegate = find(environment, "delegate"))
    device.framework += (device.framework.empty() ? "" : ", ") + *delegate;
  if (const std::string* source = find(environment, "source"))
    device.source = parse_source(*source);
  device.fingerprint = fingerprint_of(device);
  return device;
}

Setup setup_of(const Environment& environment) {
  Setup setup = inference_setup();
  if (const std::string* batch = find(environment, "batch"))
    setup.batch = parse_integer(*batch, "batch");
  if (setup.batch < 1)
    throw Error(ErrorCode::usage, fmt::format("batch: {} is not at least 1", setup.batch));
  if (const std::string* precision = find(environment, "precision"))
    setup.precision = lower_case(*precision);
  return setup;
}

std::optional<FusionFindings> findings_of(const Environment& environment) {
  const std::string* fusion = find(environment, "fusion");
  FusionFindings findings;
  if (fusion != nullptr) findings.rules = parse_fusion_rules(*fusion, "fusion");
  for (const OverheadLine& line : kOverhead) {
    const std::string *mean = find(environment, line.mean),
                      *spread = find(environment, line.stddev);
    if (mean == nullptr && spread == nullptr) continue;
    if (!findings.overhead) findings.overhead.emplace();
    Quantity& overhead = (*findings.overhead).*line.quantity;
    if (mean != nullptr) overhead.mean = parse_number(*mean, line.mean) / 1e3;
    if (spread != nullptr) overhead.stddev = parse_number(*spread, line.stddev) / 1e3;
  }
  if (fusion == nullptr && !findings.overhead) return std::nullopt;
  return findings;
}

}  // namespace ampere
