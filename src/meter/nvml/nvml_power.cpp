#include "meter/nvml/nvml_power.h"

#include <fmt/format.h>

namespace ampere {
namespace {

std::optional<double> number(const nvml::FieldValue& field) {
  switch (field.type) {
    case nvml::ValueType::real:
      return field.value.real;
    case nvml::ValueType::word:
      return field.value.word;
    case nvml::ValueType::long_word:
      return static_cast<double>(field.value.long_word);
    case nvml::ValueType::longest_word:
      return static_cast<double>(field.value.longest_word);
  }
  return std::nullopt;
}

nvml::Result read_instant(const NvmlLibrary& nvml, nvml::Device gpu, double& power_mw) {
  if (nvml.field_values == nullptr) return nvml::kFunctionNotFound;
  nvml::FieldValue field{};
  field.field = nvml::kPowerInstant;
  const nvml::Result result = nvml.field_values(gpu, 1, &field);
  if (result != nvml::kSuccess) return result;
  if (field.result != nvml::kSuccess) return field.result;
  const auto value = number(field);
  power_mw = value.value_or(0);
  return value ? nvml::kSuccess : nvml::kNotSupported;
}

nvml::Result read_averaged(const NvmlLibrary& nvml, nvml::Device gpu, double& power_mw) {
  if (nvml.power_mw == nullptr) return nvml::kFunctionNotFound;
  unsigned value_mw = 0;
  const nvml::Result result = nvml.power_mw(gpu, &value_mw);
  power_mw = value_mw;
  return result;
}

nvml::Result read_as(const NvmlLibrary& nvml, nvml::Device gpu, NvmlPower power, double& power_mw) {
  return power == NvmlPower::instant ? read_instant(nvml, gpu, power_mw)
                                     : read_averaged(nvml, gpu, power_mw);
}

}  // namespace

std::optional<NvmlPower> find_nvml_power(const NvmlLibrary& nvml, nvml::Device gpu) {
  double power_mw = 0;
  for (const NvmlPower power : {NvmlPower::instant, NvmlPower::averaged}) {
    const nvml::Result result = read_as(nvml, gpu, power, power_mw);
    if (result == nvml::kSuccess) return power;
    if (result == nvml::kNoPermission) nvml.check(result, "reading power");
  }
  return std::nullopt;
}

Watts read_nvml_power(const NvmlLibrary& nvml, nvml::Device gpu, NvmlPower power,
                      const std::string& name) {
  double power_mw = 0;
  nvml.check(read_as(nvml, gpu, power, power_mw), fmt::format("{}: reading power", name));
  return Watts{power_mw * 1e-3};
}

}  // namespace ampere
