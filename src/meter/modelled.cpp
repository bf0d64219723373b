// Energy where nothing can be measured: E = static power · wall time + core power · CPU seconds.
// The watts are assumptions, so everything that comes from here is `modelled`, never `measured`.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <mutex>

#include "ampere/error.h"
#include "base/text.h"
#include "meter/kinds.h"
#include "meter/ticker.h"

namespace ampere {
namespace {

struct PowerModel {
  Watts idle{5};
  Watts core{10};  // of one busy core
};

PowerModel parse_power_model(std::string_view text) {
  static const std::vector<std::string> kKeys{"static", "core"};
  PowerModel model;
  if (text.empty()) return model;
  for (const std::string& part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    const std::string key = part.substr(0, equals);
    if (key != "static" && key != "core")
      throw Error(ErrorCode::usage,
                  fmt::format("meter 'modelled:{}': '{}' is not one of its settings{} (write "
                              "modelled:static=5,core=10, in watts)",
                              text, key, suggestion(key, kKeys)));
    const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
    const double watts = parse_number(value, fmt::format("meter 'modelled:{}': {}", text, key));
    if (watts < 0)
      throw Error(ErrorCode::usage,
                  fmt::format("meter 'modelled:{}': {} must not be negative", text, key));
    (key == "static" ? model.idle : model.core) = Watts{watts};
  }
  if (model.idle.value + model.core.value <= 0)
    throw Error(ErrorCode::usage,
                fmt::format("meter 'modelled:{}': a device that draws nothing measures nothing; "
                            "give static or core some watts",
                            text));
  return model;
}

Seconds seconds(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

Seconds cpu_time(int who) {
  rusage usage{};
  if (getrusage(who, &usage) != 0) return Seconds{0};
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

class ModelledMeter final : public Meter {
 public:
  ModelledMeter(const PowerModel& model, std::string_view argument) : model_(model) {
    info_.name = argument.empty() ? "modelled" : fmt::format("modelled:{}", argument);
    info_.domains = {{"cpu (modelled)", true, "machine/package-0",
                      "this process on the cores, and a share of the rest"}};
    info_.source = Source::modelled;
    info_.sensing = Sensing::modelled;
    info_.method = fmt::format("{} W + {} W x cpu time", model.idle.value, model.core.value);
    last_ = {steady_now(), {Joules{0}}};
    last_cpu_ = process_cpu();
  }

  const MeterInfo& info() const override { return info_; }

  Reading read() override {
    const std::scoped_lock lock(mutex_);
    // The kernel's CPU times may lag behind each other by a tick: never count one backwards.
    const Seconds cpu = std::max(process_cpu(), last_cpu_);
    const Seconds now = steady_now();
    last_.energy[0] =
        last_.energy[0] + model_.idle * (now - last_.time) + model_.core * (cpu - last_cpu_);
    last_.time = now;
    last_cpu_ = cpu;
    return last_;
  }

 private:
  // Children count from when they were waited for, so a metered command is in the sum at its end.
  static Seconds process_cpu() { return cpu_time(RUSAGE_SELF) + cpu_time(RUSAGE_CHILDREN); }

  PowerModel model_;
  MeterInfo info_;
  std::mutex mutex_;  // guards what follows
  Reading last_;
  Seconds last_cpu_{};
};

std::unique_ptr<Meter> open_modelled(std::string_view argument) {
  return std::make_unique<ModelledMeter>(parse_power_model(argument), argument);
}

std::vector<MeterProbe> probe_modelled() {
  const PowerModel model;
  return {{"modelled",
           true,
           fmt::format("a model, not a measurement: {} W + {} W x cpu time", model.idle.value,
                       model.core.value),
           {"set the watts of this machine with modelled:static=W,core=W"}}};
}

}  // namespace

MeterKind modelled_meter_kind() { return {"modelled", open_modelled, probe_modelled}; }

}  // namespace ampere
