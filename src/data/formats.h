// The file formats of data sets: what stands in the files, checked against itself alone.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ampere/layer.h"
#include "data/byte_reader.h"

namespace ampere {

struct RawSamples {
  // Pixels, other numbers, or tokens.
  std::variant<Bytes, std::vector<float>, std::vector<std::int64_t>> values;
  std::int64_t count = 0;
  std::string values_file;
  std::vector<std::int64_t> labels;
  std::string labels_file;
};

struct RawData {
  TensorShape sample;  // of tokens without the vocabulary
  std::int64_t labels_each = 1;
  std::optional<std::int64_t> classes;  // where the format says so
  RawSamples training, test;
};

inline constexpr std::int64_t kMostClasses = std::int64_t{1} << 24;  // and tokens

using Folder = std::filesystem::path;

// The first of these files that is there, packed or not.
std::optional<std::string> find_file(const Folder& folder, const std::vector<std::string>& names);
// Error(usage) that names the first of them, when there is none.
std::string need_file(const Folder& folder, const std::vector<std::string>& names);

bool has_idx(const Folder& folder);
RawData read_idx(const Folder& folder);

bool has_cifar(const Folder& folder);
RawData read_cifar(const Folder& folder);

bool has_npy(const Folder& folder);
RawData read_npy(const Folder& folder);

// Numbers from 0 to 1 for pixels, and then (x − mean)/deviation by channel, with those of the
// training samples.
struct Normalised {
  std::vector<float> training, test;
};
Normalised normalise(const RawData& data);

}  // namespace ampere
