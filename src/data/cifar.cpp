#include <fmt/format.h>

#include "ampere/error.h"
#include "data/formats.h"

namespace ampere {
namespace {

constexpr std::int64_t kSide = 32, kPixels = 3 * kSide * kSide;

// A record is a label or two (the last one counts) and the pixels of an image, red first.
struct Kind {
  std::int64_t labels = 1, classes = 10;
  std::int64_t record() const { return labels + kPixels; }
};

void append(RawSamples& half, const std::string& path, const Kind& kind) {
  const Bytes bytes = ByteReader(path).take_rest();
  const auto size = static_cast<std::int64_t>(bytes.size());
  if (size % kind.record() != 0)
    throw Error(
        ErrorCode::usage,
        fmt::format("{}: byte {}: cut off: an image should be {} bytes, and {} are there", path,
                    size / kind.record() * kind.record(), kind.record(), size % kind.record()));
  auto& pixels = std::get<Bytes>(half.values);
  for (auto record = bytes.begin(); record != bytes.end(); record += kind.record()) {
    const std::int64_t label = record[kind.labels - 1];
    if (label >= kind.classes)
      throw Error(ErrorCode::usage,
                  fmt::format("{}: byte {}: label {}; labels are below {}", path,
                              record - bytes.begin() + kind.labels - 1, label, kind.classes));
    half.labels.push_back(label);
    pixels.insert(pixels.end(), record + kind.labels, record + kind.record());
  }
  half.count += size / kind.record();
  half.values_file = half.labels_file = path;
}

}  // namespace

bool has_cifar(const Folder& folder) {
  return find_file(folder, {"data_batch_1.bin", "train.bin"}).has_value();
}

RawData read_cifar(const Folder& folder) {
  RawData data;
  data.sample = image(3, kSide, kSide);
  if (find_file(folder, {"train.bin"})) {
    constexpr Kind kind{2, 100};
    data.classes = kind.classes;
    append(data.training, need_file(folder, {"train.bin"}), kind);
    append(data.test, need_file(folder, {"test.bin"}), kind);
    return data;
  }
  constexpr Kind kind{1, 10};
  data.classes = kind.classes;
  for (int batch = 1; batch <= 5; ++batch)
    append(data.training, need_file(folder, {fmt::format("data_batch_{}.bin", batch)}), kind);
  append(data.test, need_file(folder, {"test_batch.bin"}), kind);
  return data;
}

}  // namespace ampere
