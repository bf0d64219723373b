#include "meter/hwmon/jetson.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "ampere/error.h"
#include "base/text.h"
#include "meter/hwmon/hwmon_sensor.h"
#include "meter/kinds.h"
#include "meter/sampled_meter.h"
#include "meter/with_state.h"

namespace ampere {
namespace {

using Names = std::vector<std::string>;

constexpr Seconds kRailSampleEvery{0.1};  // a sample is up to 12 transfers on a slow bus

// Rails that feed the whole module, on the boards that measure it: Nano, TX1, TX2, Xavier NX, Orin
// NX, Orin Nano.
constexpr std::array kInputRails{"VDD_IN", "POM_5V_IN"};
constexpr const char* kCarrierInput = "VDD_MUX";  // of TX1's and TX2's carrier: contains VDD_IN

// Boards that measure no input: rails that lie side by side and together are the module.
struct Board {
  const char* model;
  Names rails;
};
const std::vector<Board>& summed_boards() {
  static const std::vector<Board> boards{
      {"AGX Orin", {"VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0"}},
      {"AGX Xavier", {"GPU", "CPU", "SOC", "CV", "VDDRQ", "SYS5V"}},
      {"Jetson-AGX", {"GPU", "CPU", "SOC", "CV", "VDDRQ", "SYS5V"}},  // Xavier, as JetPack calls it
  };
  return boards;
}

bool has_rail(const std::vector<JetsonRail>& rails, std::string_view name) {
  return std::ranges::any_of(rails, [&](const JetsonRail& rail) { return rail.name == name; });
}

Names names_of(const std::vector<JetsonRail>& rails) {
  Names names;
  for (const JetsonRail& rail : rails) names.push_back(rail.name);
  return names;
}

// The memory's rail of AGX Orin hangs on the 5 V one.
std::string place_of(const std::string& rail) {
  if (std::ranges::find(kInputRails, rail) != kInputRails.end() || rail == kCarrierInput)
    return "machine";
  if (rail == "VDDQ_VDD2_1V8AO") return "machine/VIN_SYS_5V0/" + rail;
  std::string name = rail;
  std::ranges::replace(name, '/', '-');
  return "machine/" + name;
}

bool overlap(const std::string& a, const std::string& b) {
  return a == b || a.starts_with(b + "/") || b.starts_with(a + "/");
}

Names parse_total(const std::string& spec, const std::vector<JetsonRail>& rails) {
  constexpr std::string_view kKey = "total=";
  if (!spec.starts_with(kKey))
    throw Error(ErrorCode::usage,
                fmt::format("meter 'jetson:{}': write jetson, or jetson:total=RAIL "
                            "or jetson:total=RAIL,RAIL (there are: {})",
                            spec, fmt::join(names_of(rails), ", ")));
  const Names total = split(std::string_view(spec).substr(kKey.size()), ',');
  for (std::size_t i = 0; i < total.size(); ++i) {
    if (!has_rail(rails, total[i]))
      throw Error(
          ErrorCode::usage,
          fmt::format("meter 'jetson:{}': there is no rail '{}'{} (there are: {})", spec, total[i],
                      suggestion(total[i], names_of(rails)), fmt::join(names_of(rails), ", ")));
    for (std::size_t j = 0; j < i; ++j)
      if (overlap(place_of(total[i]), place_of(total[j])))
        throw Error(ErrorCode::usage,
                    fmt::format("meter 'jetson:{}': {} and {} contain each other: their sum would "
                                "count twice",
                                spec, total[j], total[i]));
  }
  return total;
}

[[noreturn]] void no_total(const std::string& board, const std::string& why, const Names& rails) {
  throw Error(ErrorCode::no_meter,
              fmt::format("jetson: {} ({}); say which rail is the input, or which make it up, with "
                          "jetson:total=RAIL,RAIL (there are: {})",
                          why, board.empty() ? "unknown board" : board, fmt::join(rails, ", ")));
}

Names find_total(const std::string& board, const std::vector<JetsonRail>& rails) {
  for (const char* input : kInputRails)
    if (has_rail(rails, input)) return {input};
  for (const auto& [model, sum] : summed_boards()) {
    if (board.find(model) == std::string::npos) continue;
    for (const std::string& rail : sum)
      if (!has_rail(rails, rail))
        no_total(board, fmt::format("the rail {} is missing from the total", rail),
                 names_of(rails));
    return sum;
  }
  no_total(board, "this board's total is not known", names_of(rails));
}

std::vector<JetsonRail> require_rails(const JetsonOptions& options) {
  std::vector<JetsonRail> rails = list_jetson_rails(options);
  if (!rails.empty()) return rails;
  throw Error(
      ErrorCode::no_meter,
      fmt::format("jetson: no INA3221 in {} nor in {}", (options.sys / "class/hwmon").string(),
                  (options.sys / "bus/i2c/drivers/ina3221x").string()));
}

Names choose_total(const std::string& spec, const std::vector<JetsonRail>& rails,
                   const JetsonOptions& options) {
  return spec.empty() ? find_total(jetson_board(options), rails) : parse_total(spec, rails);
}

MeterDomain describe(const std::string& rail, bool in_total, bool alone) {
  const bool input = in_total && alone;
  return {rail, in_total, input ? "machine" : place_of(rail),
          input ? "all that this rail feeds: the module with processor, GPU and memory"
                : "what this rail feeds"};
}

// Rails beside the total may fail to be read (a part that is switched off) and are left out then.
bool answers(const JetsonRail& rail, MeterInfo& info) {
  try {
    rail.read();
    return true;
  } catch (const Error& error) {
    info.caveats.push_back(fmt::format("the rail {} is left out: {}", rail.name, error.what()));
    return false;
  }
}

MeterState read_thermal_state(const sysfs::Path& thermal) {
  MeterState state;
  for (const std::string& zone : sysfs::list(thermal, "thermal_zone")) {
    const std::string type = sysfs::try_text(thermal / zone / "type").value_or("");
    if (!type.starts_with("GPU") && !type.starts_with("gpu")) continue;
    const auto millidegrees = sysfs::try_integer(thermal / zone / "temp");
    // -256 degrees is how the firmware says that the part is off.
    if (millidegrees && *millidegrees > -100'000)
      state.temperature_c = static_cast<double>(*millidegrees) * 1e-3;
  }
  return state;
}

}  // namespace

std::unique_ptr<Meter> open_jetson_meter(const std::string& spec, const JetsonOptions& options) {
  const std::vector<JetsonRail> rails = require_rails(options);
  const Names total = choose_total(spec, rails, options);
  MeterInfo info;
  info.name = spec.empty() ? "jetson" : "jetson:" + spec;
  info.method = "integrated power";
  info.caveats = {
      "the rails are the module's: what the carrier board, its devices and the power "
      "supply take is not in them"};
  if (total.size() > 1)
    info.caveats.push_back(fmt::format(
        "the total is the sum of {}, as this board does not measure its input: what is lost before "
        "them is missing",
        fmt::join(total, ", ")));
  std::vector<PowerSensor> sensors;
  for (const JetsonRail& rail : rails) {
    const bool in_total = std::ranges::find(total, rail.name) != total.end();
    if (!in_total && !answers(rail, info)) continue;
    sensors.push_back({describe(rail.name, in_total, total.size() == 1), rail.read});
    if (in_total) info.resolution = std::max(info.resolution, rail.step * kRailSampleEvery);
  }
  SamplingOptions sampling;
  sampling.sample_every = kRailSampleEvery;
  sampling.patience = options.patience;
  return with_state(
      make_sampled_meter(std::move(info), std::move(sensors), sampling),
      [thermal = options.sys / "class/thermal"] { return read_thermal_state(thermal); });
}

std::vector<MeterProbe> probe_jetson(const JetsonOptions& options) {
  MeterProbe probe{"jetson", false, "", {}};
  try {
    const std::vector<JetsonRail> rails = require_rails(options);
    probe.remedies = {"jetson:total=RAIL names the rail that is the total"};
    const Names total = choose_total("", rails, options);
    for (const JetsonRail& rail : rails)
      if (std::ranges::find(total, rail.name) != total.end()) rail.read();
    probe.reason = fmt::format("{}: {}", jetson_board(options), fmt::join(total, " + "));
    probe.remedies.clear();
    probe.available = true;
  } catch (const Error& error) {
    probe.reason = error.what();
    probe.remedies = remedies_for(error, probe.remedies.empty()
                                             ? "NVIDIA's Jetson boards have it; use another meter"
                                             : probe.remedies.front());
  }
  return {probe};
}

MeterKind jetson_meter_kind() {
  return {"jetson", [](std::string_view spec) { return open_jetson_meter(std::string(spec)); },
          [] { return probe_jetson(); }};
}

}  // namespace ampere
