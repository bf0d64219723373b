#include "meter/modelled/modelled.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "ampere/error.h"
#include "base/family.h"
#include "base/steady_now.h"
#include "meter/kinds.h"
#include "meter/modelled/cpu_time.h"
#include "meter/modelled/power_model.h"

namespace ampere {
namespace {

std::string describe(const PowerModel& model) {
  return fmt::format("{:.4g} W + {:.4g} W x cpu time ({})", model.idle.value, model.core.value,
                     model.origin);
}

class ModelledMeter final : public Meter {
 public:
  ModelledMeter(MeterInfo info, PowerModel model, std::function<Seconds()> cpu_time)
      : model_(std::move(model)), cpu_time_(std::move(cpu_time)), info_(std::move(info)) {
    last_ = {steady_now(), {Joules{0}}};
    last_cpu_ = cpu_time_();
  }

  const MeterInfo& info() const override { return info_; }

  Reading read() override {
    const std::scoped_lock lock(mutex_);
    // The kernel's CPU times may lag behind each other by a tick: never count one backwards.
    const Seconds cpu = std::max(cpu_time_(), last_cpu_);
    const Seconds now = steady_now();
    last_.energy[0] =
        last_.energy[0] + model_.idle * (now - last_.time) + model_.core * (cpu - last_cpu_);
    last_.time = now;
    last_cpu_ = cpu;
    return last_;
  }

 private:
  PowerModel model_;
  std::function<Seconds()> cpu_time_;
  MeterInfo info_;
  std::mutex mutex_;  // guards what follows
  Reading last_;
  Seconds last_cpu_{};
};

}  // namespace

std::unique_ptr<Meter> open_modelled_meter(std::string_view argument,
                                           const ModelledOptions& options) {
  const MeterSettings settings("modelled", argument, {"core", "cpu", "static", "tdp"});
  if (!settings.subject().empty())
    throw Error(ErrorCode::usage,
                fmt::format("meter '{}': '{}' is not one of its settings (write "
                            "modelled:static=5,core=10 or modelled:tdp=65, in watts)",
                            settings.spec(), settings.subject()));
  PowerModel model = choose_power_model(settings, read_cpu_info(options.proc));
  const bool machine = settings.choice("cpu", {"process", "machine"}) == "machine";
  MeterInfo info;
  info.name = settings.spec();
  info.domains = {{"cpu (modelled)", true, "machine/package-0",
                   machine
                       ? "everything that runs on the cores, and a share of the rest"
                       : "this process and its children on the cores, and a share of the rest"}};
  info.source = Source::modelled;
  info.sensing = Sensing::modelled;
  info.method = describe(model) + (machine ? ", of the whole machine" : "");
  info.caveats = {"a model, not a measurement"};
  if (!machine)
    return std::make_unique<ModelledMeter>(std::move(info), std::move(model), family_cpu_time);
  info.update_period = machine_cpu_tick();
  return std::make_unique<ModelledMeter>(std::move(info), std::move(model),
                                         [proc = options.proc] { return machine_cpu_time(proc); });
}

std::vector<MeterProbe> probe_modelled(const ModelledOptions& options) {
  const PowerModel model =
      choose_power_model(MeterSettings("modelled", "", {}), read_cpu_info(options.proc));
  return {{"modelled",
           true,
           "a model, not a measurement: " + describe(model),
           {"set the watts of this machine with modelled:static=W,core=W or modelled:tdp=W"}}};
}

MeterKind modelled_meter_kind() {
  return {"modelled", [](std::string_view argument) { return open_modelled_meter(argument); },
          [] { return probe_modelled(); }};
}

}  // namespace ampere
