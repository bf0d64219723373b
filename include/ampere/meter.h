// Cumulative energy of named domains, read at a moment. A meter never substitutes: it reads what
// it says it reads, or it throws.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
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

// How the joules come about: counted by the hardware, summed from samples of power, or from a
// model.
enum class Sensing { counter, sampled, modelled };
const char* to_string(Sensing sensing);

struct MeterDomain {
  std::string name;       // "gpu0", "package-0", "cpu (modelled)"
  bool in_total = false;  // domains that overlap another one are not
  // Where it is, from outside in: "machine", "machine/package-0", "machine/package-0/core". A place
  // contains every place below it.
  std::string place = "machine";
  std::string contains = {};  // for people: "cores, caches and memory controllers, not the memory"
};

struct MeterInfo {
  std::string name;  // the spec that opens it again: "nvml:0", "modelled"
  std::vector<MeterDomain> domains;
  Source source = Source::measured;
  std::string method;       // "energy counter", "integrated power", "static + cpu time x watts"
  Seconds update_period{};  // how often the reading moves; 0 when it moves with every read
  Sensing sensing = Sensing::counter;
  Joules resolution{};                    // the smallest step it can show; 0 when unknown
  std::vector<std::string> caveats = {};  // what one must know to trust its numbers
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

// May be read from several threads at once.
class Meter {
 public:
  virtual ~Meter() = default;
  virtual const MeterInfo& info() const = 0;
  // At most two periods old; may wait for it that long unless the meter is attentive.
  // Throws Error(failed) when the source disappeared.
  virtual Reading read() = 0;
  virtual MeterState state() { return {}; }

  // While somebody measures with the meter, its last step is kept at hand, so that reading never
  // waits; this may take a few per cent of a core. Idle meters rest.
  virtual void attend(bool) {}
};

// Attentive as long as it lives.
class Attention {
 public:
  explicit Attention(Meter& meter) : meter_(meter) { meter_.attend(true); }
  ~Attention() { meter_.attend(false); }
  Attention(const Attention&) = delete;
  Attention& operator=(const Attention&) = delete;

 private:
  Meter& meter_;
};

Joules total(const MeterInfo& info, const Reading& reading);

struct MeterProbe {
  std::string name;  // the spec that opens it
  bool available = false;
  std::string reason;                 // why not (file and error), or what it is
  std::vector<std::string> remedies;  // what to do about it, the best first
};

// A kind of meter: what stands before the ':' of a spec, and how it is opened and looked for.
struct MeterKind {
  std::string name;
  // The argument is what stands after the ':', or empty. Throws as open_meter does.
  std::function<std::unique_ptr<Meter>(std::string_view argument)> open;
  std::function<std::vector<MeterProbe>()> probe;  // never throws for a missing source
};

// From then on open_meter and probe_meters know this kind too. Throws Error(usage) when the name is
// taken or cannot stand in a spec.
void add_meter_kind(MeterKind kind);

// "rapl", "nvml:0", "nvml:GPU-<uuid>", "replay:trace.csv", "modelled:static=5,core=12"; several
// joined by '+' are one meter whose total counts nothing twice: "rapl+nvml:0". Throws
// Error(no_meter), Error(permission) or Error(usage).
std::unique_ptr<Meter> open_meter(std::string_view spec);
std::vector<MeterProbe> probe_meters();

struct Usage {
  Seconds time{};
  std::vector<Joules> energy;  // one per domain of the meter
  Joules total{};              // of the domains that do not overlap
  // How far the total may be off, as a share of it, by the meter's period T and resolution r alone:
  // T/t + n·r/E for n domains in the total. Each end is late by 0 to T and short by 0 to r, so
  // under a steady load their difference is off by no more. Absent for a model, whose error nobody
  // knows.
  std::optional<double> uncertainty;

  Watts mean_power() const { return {total.value / time.count()}; }
};

// Never 0 J for a counter that did not move: throws Error(failed) that says whether it is stuck or
// was not given the time, Error(usage) when `before` is the later one or they are not of this
// meter.
Usage used(const MeterInfo& info, const Reading& before, const Reading& after);

// The same for the sum of `windows` windows that took `time` together; the errors of their ends are
// independent, so their uncertainty is √windows · T/t + n·r/E.
Usage used_in(const MeterInfo& info, Seconds time, std::vector<Joules> energy,
              std::int64_t windows = 1);

}  // namespace ampere
