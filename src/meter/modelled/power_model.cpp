#include "meter/modelled/power_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"

namespace ampere {
namespace {

// Of small machines 5 W at rest would be most of the TDP.
constexpr double kIdleShare = 0.25;

// core = (TDP − static) / logical cores
PowerModel from_tdp(const MeterSettings& settings, double tdp, int threads, std::string origin) {
  PowerModel model;
  model.idle = {std::min(model.idle.value, kIdleShare * tdp)};
  if (const auto watts = settings.not_negative("static")) model.idle = {*watts};
  if (model.idle.value >= tdp)
    throw Error(ErrorCode::usage,
                fmt::format("meter '{}': static ({:.4g} W) must be less than the TDP of {:.4g} W",
                            settings.spec(), model.idle.value, tdp));
  model.core = {(tdp - model.idle.value) / threads};
  model.origin = std::move(origin);
  return model;
}

}  // namespace

PowerModel choose_power_model(const MeterSettings& settings, const CpuInfo& cpu) {
  const auto idle = settings.not_negative("static"), core = settings.not_negative("core");
  const auto tdp = settings.not_negative("tdp");
  if (core && tdp)
    throw Error(ErrorCode::usage,
                fmt::format("meter '{}': core and tdp both say what a core draws; give one",
                            settings.spec()));
  if (tdp)
    return from_tdp(
        settings, *tdp, cpu.logical_cores,
        fmt::format("TDP {:.4g} W over {} logical cores, given", *tdp, cpu.logical_cores));
  const auto known = core ? std::nullopt : find_tdp(cpu.name);
  // A virtual machine shows only some of the processor's cores: the TDP is shared by all of them.
  if (known)
    return from_tdp(settings, known->watts * cpu.packages,
                    std::max(cpu.logical_cores, known->threads * cpu.packages),
                    fmt::format("TDP {} W of {}, looked up", known->watts, cpu.name));
  PowerModel model;
  model.origin = core ? "given" : "assumed";
  if (idle) model.idle = {*idle};
  if (core) model.core = {*core};
  if (model.idle.value + model.core.value <= 0)
    throw Error(ErrorCode::usage,
                fmt::format("meter '{}': a device that draws nothing measures nothing; give static "
                            "or core some watts",
                            settings.spec()));
  return model;
}

}  // namespace ampere
