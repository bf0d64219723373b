// Data sets with labels, read whole: samples ready to be trained on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ampere/train.h"

namespace ampere {

// Sample after sample, as they lie in memory.
struct Samples {
  std::int64_t count = 0;
  std::vector<float> values;         // normalised; none where there are tokens
  std::vector<std::int64_t> tokens;  // none where there are values
  std::vector<std::int64_t> labels;
};

struct DataSet {
  std::string name;  // as it was asked for
  TensorShape sample;
  std::int64_t classes = 0;
  std::int64_t labels_each = 1;  // of a sample: one, or one a token
  Samples training, test;
};

// Where Debian's packages put theirs.
inline constexpr const char* kPackagedData = "/usr/share/datasets";

// "idx:DIR", "cifar:DIR", "npy:DIR", "fashion-mnist", or a folder whose files say what they are.
// Throws Error(unknown) when there is no such folder, Error(permission) when a file may not be read
// and Error(usage) naming the file and the place for everything that is not as it should be.
DataSet open_data(const std::string& spec, const std::string& packaged = kPackagedData);

DataInfo describe(const DataSet& data);

// Throws Error(usage) naming both when the network cannot be trained on it: one input of this shape
// (or a flat one of as many numbers), and an output for every class.
void check_fits(const DataSet& data, const Model& model);

// A random order of 0 … count − 1: the same on every machine, and another for every seed.
std::vector<std::int64_t> shuffled(std::int64_t count, std::uint64_t seed);

}  // namespace ampere
