// Values to put into stores, and a folder to put stores into.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "../support/temp_folder.h"
#include "ampere/error.h"
#include "ampere/store.h"

namespace ampere {

DeviceInfo sample_device(const std::string& name = "bench");
Setup sample_setup(std::int64_t batch = 10);
Model sample_model(std::int64_t channels = 4, const std::string& name = "sample");

// A variant of the kind, or a whole network when there is none.
Observation sample_observation(const std::string& kind = "conv", std::int64_t channels = 4,
                               double energy = 1.5);
// The same measurement for another purpose; without a kind where the purpose has none.
Observation sample_of(Purpose purpose, const std::string& kind = "conv");
Observation sample_failure(const std::string& why = "out of memory");

BlockTiming sample_timing(const std::string& kind = "conv", std::int64_t channels = 4,
                          double device_s = 1.5e-3);
BlockTiming sample_failed_timing(const std::string& why);

std::int64_t open_sample_profile(Store& store);  // of sample_device and sample_setup
inline Query all_of(std::int64_t profile) { return {.profile = profile}; }

std::string text_of(const Observation& observation);  // equal when the observations are
std::vector<std::string> texts_of(const std::vector<Observation>& observations);
std::vector<std::string> texts_of(const std::vector<BlockTiming>& timings);

// The error of a call that must throw one; any other end of it fails the test.
struct Thrown {
  ErrorCode code;
  std::string message;
};
Thrown thrown_by(const std::function<void()>& call);

using testing_support::TempFolder;

std::string bytes_of(const std::string& path);
void write_bytes(const std::string& path, const std::string& bytes);

// SQL on a file, without any store around it; the value of the first column of the last row.
std::int64_t run_sql(const std::string& path, const std::string& sql);

}  // namespace ampere
