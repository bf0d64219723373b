// The switches of the fake libnvidia-ml. A test opens the same library, so the meter under test and
// the test share them.
#pragma once

#include <atomic>
#include <string>

namespace ampere::testing_support {

struct FakeNvml {
  std::atomic<int> init_result{0};
  std::atomic<int> energy_result{0};
  std::atomic<int> device_count{2};
  std::atomic<int> step_ms{4};
  std::atomic<int> power_w{100};
  std::atomic<int> mig{0};
  std::atomic<int> processes_result{0};
  std::atomic<bool> lists_self{true};
  std::atomic<int> other_processes{0};
  std::atomic<unsigned long long> clock_reasons{0};
  std::atomic<bool> runs_backwards{false};
  std::atomic<int> open{0};  // init calls without their shutdown
  std::atomic<int> last_energy_device{-1};
  std::atomic<bool> stands_still{false};  // the counter, from when it is next read
  std::atomic<long long> still_at{0};
  std::atomic<int> power_result{0};    // of the averaged power
  std::atomic<int> fields_result{0};   // of the call for fields as a whole
  std::atomic<int> instant_result{0};  // of the field of instantaneous power, 2 W above the average
  std::atomic<int> instant_type{1};
  std::atomic<int> last_power_device{-1};
  std::atomic<int> process_lists{0};  // how often the processes were asked for
};

// Every switch back to where it was. The library stays loaded for the life of the program.
FakeNvml& fresh_fake_nvml();
std::string fake_nvml_path();

}  // namespace ampere::testing_support
