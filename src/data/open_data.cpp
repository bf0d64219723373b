#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ampere/error.h"
#include "data/data_set.h"
#include "data/formats.h"

namespace ampere {
namespace {

struct Format {
  const char* name;
  bool (*is_there)(const Folder&);
  RawData (*read)(const Folder&);
};
constexpr std::array<Format, 3> kFormats{
    {{"idx", has_idx, read_idx}, {"cifar", has_cifar, read_cifar}, {"npy", has_npy, read_npy}}};

struct Package {  // a data set that Debian has
  const char* name;
  const char* package;
};
constexpr std::array<Package, 1> kPackages{{{"fashion-mnist", "dataset-fashion-mnist"}}};

void check_folder(const Folder& folder) {
  std::error_code unreachable;
  if (!std::filesystem::exists(folder, unreachable))
    throw Error(ErrorCode::unknown,
                fmt::format("data set {}: there is no such folder on the machine of the device",
                            folder.string()));
  if (!std::filesystem::is_directory(folder, unreachable))
    throw Error(ErrorCode::usage,
                fmt::format("data set {}: is a file; name the folder it is in", folder.string()));
}

RawData read_folder(const Folder& folder) {
  check_folder(folder);
  for (const Format& format : kFormats)
    if (format.is_there(folder)) return format.read(folder);
  throw Error(
      ErrorCode::usage,
      fmt::format("data set {}: no file says what it is; there must be "
                  "train-images-idx3-ubyte (IDX), data_batch_1.bin or train.bin (CIFAR), or "
                  "x_train.npy, with the others that belong to it",
                  folder.string()));
}

RawData read_package(const Package& package, const Folder& folder) {
  std::error_code unreachable;
  if (!std::filesystem::is_directory(folder, unreachable))
    throw Error(ErrorCode::unknown,
                fmt::format("data set {}: {} is not there on the machine of the device; install "
                            "the Debian package {}, or name the folder of your own copy",
                            package.name, folder.string(), package.package));
  return read_folder(folder);
}

RawData read_spec(const std::string& spec, const std::string& packaged) {
  for (const Format& format : kFormats) {
    const std::string prefix = std::string(format.name) + ':';
    if (!spec.starts_with(prefix)) continue;
    const Folder folder = spec.substr(prefix.size());
    check_folder(folder);
    return format.read(folder);
  }
  for (const Package& package : kPackages)
    if (spec == package.name) return read_package(package, Folder(packaged) / spec);
  return read_folder(spec);
}

void check_counts(const RawSamples& half, std::int64_t labels_each) {
  if (half.count == 0)
    throw Error(ErrorCode::usage, fmt::format("{}: holds no samples", half.values_file));
  const auto labels = static_cast<std::int64_t>(half.labels.size()) / labels_each;
  if (labels != half.count)
    throw Error(ErrorCode::usage,
                fmt::format("{}: holds {} samples, and {} holds labels for {}", half.values_file,
                            half.count, half.labels_file, labels));
}

std::int64_t highest(const std::vector<std::int64_t>& numbers) {
  return *std::ranges::max_element(numbers);
}

std::int64_t classes_of(const std::vector<std::int64_t>& labels) {
  return std::clamp<std::int64_t>(highest(labels), 0, kMostClasses - 1) + 1;
}

// Classes that were never shown cannot be told.
void check_labels(const RawSamples& half, std::int64_t labels_each, std::int64_t classes) {
  for (std::size_t i = 0; i < half.labels.size(); ++i)
    if (half.labels[i] < 0 || half.labels[i] >= classes)
      throw Error(ErrorCode::usage,
                  fmt::format("{}: label {} of sample {}; labels must be from 0 to {}, as in the "
                              "training samples",
                              half.labels_file, half.labels[i],
                              static_cast<std::int64_t>(i) / labels_each, classes - 1));
}

Samples take(RawSamples& half, std::vector<float> values) {
  Samples samples;
  samples.count = half.count;
  samples.values = std::move(values);
  if (auto* ids = std::get_if<std::vector<std::int64_t>>(&half.values))
    samples.tokens = std::move(*ids);
  samples.labels = std::move(half.labels);
  return samples;
}

}  // namespace

std::optional<std::string> find_file(const Folder& folder, const std::vector<std::string>& names) {
  std::error_code unreachable;
  for (const std::string& name : names)
    for (const char* ending : {"", ".gz"})
      if (const Folder path = folder / (name + ending);
          std::filesystem::is_regular_file(path, unreachable))
        return path.string();
  return std::nullopt;
}

std::string need_file(const Folder& folder, const std::vector<std::string>& names) {
  if (auto path = find_file(folder, names)) return *path;
  throw Error(ErrorCode::usage, fmt::format("data set {}: {} is missing (or {}.gz)",
                                            folder.string(), names[0], names[0]));
}

DataSet open_data(const std::string& spec, const std::string& packaged) {
  RawData raw = read_spec(spec, packaged);
  check_counts(raw.training, raw.labels_each);
  check_counts(raw.test, raw.labels_each);
  DataSet data;
  data.name = spec;
  data.sample = raw.sample;
  data.labels_each = raw.labels_each;
  data.classes = raw.classes.value_or(classes_of(raw.training.labels));
  check_labels(raw.training, raw.labels_each, data.classes);
  check_labels(raw.test, raw.labels_each, data.classes);
  Normalised values;
  if (const auto* ids = std::get_if<std::vector<std::int64_t>>(&raw.training.values))
    data.sample.channels =
        1 + std::max(highest(*ids), highest(std::get<std::vector<std::int64_t>>(raw.test.values)));
  else
    values = normalise(raw);
  data.training = take(raw.training, std::move(values.training));
  data.test = take(raw.test, std::move(values.test));
  return data;
}

}  // namespace ampere
