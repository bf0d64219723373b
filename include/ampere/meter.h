// Cumulative energy of named domains, read at a moment. A meter never substitutes: it reads what
// it says it reads, or it throws.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ampere/units.h"

namespace ampere {

enum class Source { measured, modelled, simulated };
const char* to_string(Source source);
Source parse_source(const std::string& text);

struct MeterDomain {
  std::string name;       // "gpu0", "package-0", "cpu (modelled)"
  bool in_total = false;  // domains that overlap another one are not
};

struct MeterInfo {
  std::string name;  // the spec that opens it again: "nvml:0", "modelled"
  std::vector<MeterDomain> domains;
  Source source = Source::measured;
  std::string method;       // "energy counter", "integrated power", "static + cpu time x watts"
  Seconds update_period{};  // how often the reading moves; 0 when it moves with every read
};

// State of the device beside the energy, where it can be read.
struct MeterState {
  std::optional<double> temperature_c;
  std::optional<double> clock_mhz;
  std::optional<std::string> throttle;  // why clocks are held down; absent when they are not
  std::optional<int> other_processes;   // other users of the device
};

struct Reading {
  // Monotonic clock: when the energy had this value. The step of a counter that moves in steps
  // where it is known, else when the read returned.
  Seconds time{};
  std::vector<Joules> energy;  // one per domain, never decreasing
};

class Meter {
 public:
  virtual ~Meter() = default;
  virtual const MeterInfo& info() const = 0;
  virtual Reading read() = 0;  // throws Error(failed) when the source disappeared
  virtual MeterState state() { return {}; }
};

Joules total(const MeterInfo& info, const Reading& reading);

struct MeterProbe {
  std::string name;
  bool available = false;
  std::string reason;  // why not, or what it is
  std::string remedy;  // what to do about it
};

// "nvml:0", "nvml:GPU-<uuid>", "modelled", "modelled:static=5,core=12". Throws Error(no_meter),
// Error(permission) or Error(usage).
std::unique_ptr<Meter> open_meter(std::string_view spec);
std::vector<MeterProbe> probe_meters();

}  // namespace ampere
