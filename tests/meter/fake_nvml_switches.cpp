#include <dlfcn.h>

#include <stdexcept>

#include "fake_nvml.h"

namespace ampere::testing_support {

std::string fake_nvml_path() { return AMPERE_FAKE_NVML; }

FakeNvml& fresh_fake_nvml() {
  static void* library = dlopen(AMPERE_FAKE_NVML, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  using Switches = FakeNvml* (*)();
  FakeNvml& fake = *reinterpret_cast<Switches>(dlsym(library, "fake_nvml_switches"))();
  fake.init_result = fake.energy_result = fake.mig = fake.processes_result = 0;
  fake.device_count = 2;
  fake.step_ms = 4;
  fake.power_w = 100;
  fake.lists_self = true;
  fake.other_processes = 0;
  fake.clock_reasons = 0;
  fake.runs_backwards = false;
  fake.last_energy_device = fake.last_power_device = -1;
  fake.stands_still = false;
  fake.still_at = 0;
  fake.power_result = fake.fields_result = fake.instant_result = 0;
  fake.instant_type = 1;
  fake.process_lists = 0;
  return fake;
}

}  // namespace ampere::testing_support
