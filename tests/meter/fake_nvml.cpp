// A libnvidia-ml whose devices do as the test says.
#include "fake_nvml.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>

namespace {

ampere::testing_support::FakeNvml fake;
int devices[8];
int slice;  // of the last device

using Device = int*;
int index_of(Device device) { return static_cast<int>(device - devices); }

int copy(const std::string& text, char* out, unsigned size) {
  if (text.size() + 1 > size) return 7;
  std::memcpy(out, text.c_str(), text.size() + 1);
  return 0;
}

std::string uuid(int index) { return "GPU-0000000" + std::to_string(index) + "-fake"; }

unsigned long long steps() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const auto step = now / std::chrono::milliseconds(fake.step_ms.load());
  if (fake.stands_still && fake.still_at == 0) fake.still_at = step;
  return static_cast<unsigned long long>(fake.stands_still ? fake.still_at.load() : step);
}

struct FieldValue {  // as nvml.h lays it out
  unsigned field, scope;
  long long timestamp, latency;
  int type, result;
  union {
    double real;
    unsigned word;
    unsigned long long longest;
  } value;
};

struct Process {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu, compute;
};

}  // namespace

extern "C" {

ampere::testing_support::FakeNvml* fake_nvml_switches() { return &fake; }

int nvmlInit_v2() {
  if (fake.init_result == 0) ++fake.open;
  return fake.init_result;
}
int nvmlShutdown() {
  --fake.open;
  return 0;
}
const char* nvmlErrorString(int result) {
  switch (result) {
    case 3:
      return "Not Supported";
    case 4:
      return "Insufficient Permissions";
    case 9:
      return "Driver Not Loaded";
    case 15:
      return "GPU is lost";
    default:
      return "Unknown Error";
  }
}
int nvmlSystemGetDriverVersion(char* out, unsigned size) { return copy("550.1", out, size); }
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(fake.device_count.load());
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* device) {
  if (static_cast<int>(index) >= fake.device_count) return 2;
  *device = devices + index;
  return 0;
}
int nvmlDeviceGetHandleByUUID(const char* text, Device* device) {
  if (std::string(text) == "MIG-5555-fake") {
    *device = &slice;
    return 0;
  }
  for (int i = 0; i < fake.device_count; ++i)
    if (uuid(i) == text) return nvmlDeviceGetHandleByIndex_v2(static_cast<unsigned>(i), device);
  return 6;
}
int nvmlDeviceGetName(Device device, char* out, unsigned size) {
  return copy("Fake GPU " + std::to_string(index_of(device)), out, size);
}
int nvmlDeviceGetUUID(Device device, char* out, unsigned size) {
  return copy(uuid(index_of(device)), out, size);
}
int nvmlDeviceGetTotalEnergyConsumption(Device device, unsigned long long* energy_mj) {
  fake.last_energy_device = index_of(device);
  if (fake.energy_result != 0) return fake.energy_result;
  const auto per_step = static_cast<unsigned long long>(fake.step_ms * fake.power_w);
  const unsigned long long counted = steps() * per_step;
  *energy_mj = fake.runs_backwards ? ~0ull / 2 - counted : counted;
  return 0;
}
int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(Device device, Device* gpu) {
  if (device != &slice) return 2;
  *gpu = devices + fake.device_count - 1;
  return 0;
}
int nvmlDeviceGetPowerUsage(Device device, unsigned* power_mw) {
  fake.last_power_device = index_of(device);
  // Never twice the same, as a real sensor.
  *power_mw = static_cast<unsigned>(fake.power_w * 1000) + static_cast<unsigned>(steps() % 2);
  return fake.power_result;
}
int nvmlDeviceGetFieldValues(Device device, int count, FieldValue* values) {
  if (count != 1 || values->field != 186) return 2;
  values->result = fake.instant_result;
  values->type = fake.instant_type;
  unsigned power_mw = 0;
  nvmlDeviceGetPowerUsage(device, &power_mw);
  power_mw += 2000;  // so that the two can be told apart
  if (values->type == 0)
    values->value.real = power_mw;
  else if (values->type == 1)
    values->value.word = power_mw;
  else
    values->value.longest = power_mw;
  return fake.fields_result;
}
int nvmlDeviceGetTemperature(Device, int, unsigned* celsius) {
  *celsius = 41;
  return 0;
}
int nvmlDeviceGetClockInfo(Device, int, unsigned* mhz) {
  *mhz = 1980;
  return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(Device, unsigned long long* bits) {
  *bits = fake.clock_reasons;
  return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(Device, unsigned* count, Process* out) {
  ++fake.process_lists;
  if (fake.processes_result != 0) return fake.processes_result;
  unsigned used = 0;
  if (fake.lists_self) out[used++].pid = static_cast<unsigned>(getpid());
  for (int i = 0; i < fake.other_processes; ++i) out[used++].pid = 4'000'000u;
  *count = used;
  return 0;
}
int nvmlDeviceGetEnforcedPowerLimit(Device, unsigned* limit_mw) {
  *limit_mw = 700'000;
  return 0;
}
int nvmlDeviceGetMigMode(Device, unsigned* current, unsigned* pending) {
  *current = *pending = static_cast<unsigned>(fake.mig.load());
  return 0;
}

}  // extern "C"
