#include <fmt/format.h>

#include "ampere/error.h"
#include "data/formats.h"

namespace ampere {
namespace {

// Two zero bytes, 8 for unsigned bytes, and the number of axes.
constexpr std::uint32_t kImagesMagic = 0x803, kLabelsMagic = 0x801;
constexpr std::uint32_t kLongestSide = 1 << 14;

struct Names {
  std::vector<std::string> images, labels;
};
const Names kTraining{{"train-images-idx3-ubyte", "train-images.idx3-ubyte"},
                      {"train-labels-idx1-ubyte", "train-labels.idx1-ubyte"}};
const Names kTest{{"t10k-images-idx3-ubyte", "t10k-images.idx3-ubyte"},
                  {"t10k-labels-idx1-ubyte", "t10k-labels.idx1-ubyte"}};

void expect_magic(ByteReader& file, std::uint32_t expected, const char* what) {
  const std::uint32_t magic = file.big_endian("the magic number");
  if (magic != expected)
    file.fail(fmt::format("the magic number before it is {:#010x}; a file of {} has {:#010x}",
                          magic, what, expected));
}

std::uint32_t read_side(ByteReader& file, const char* what) {
  const std::uint32_t side = file.big_endian(what);
  if (side < 1 || side > kLongestSide)
    file.fail(fmt::format("{} before it is {}; it must be from 1 to {}", what, side, kLongestSide));
  return side;
}

struct Images {
  std::int64_t count = 0, height = 0, width = 0;
  Bytes pixels;
};

Images read_images(const std::string& path) {
  ByteReader file(path);
  expect_magic(file, kImagesMagic, "images");
  Images images;
  images.count = file.big_endian("the number of images");
  images.height = read_side(file, "the height");
  images.width = read_side(file, "the width");
  images.pixels =
      file.take(images.count * images.height * images.width,
                fmt::format("{} images of {}x{}", images.count, images.height, images.width));
  file.expect_end("the images");
  return images;
}

std::vector<std::int64_t> read_labels(const std::string& path) {
  ByteReader file(path);
  expect_magic(file, kLabelsMagic, "labels");
  const std::int64_t count = file.big_endian("the number of labels");
  const Bytes labels = file.take(count, fmt::format("{} labels", count));
  file.expect_end("the labels");
  return {labels.begin(), labels.end()};
}

RawSamples read_half(const Folder& folder, const Names& names, TensorShape& sample) {
  RawSamples half;
  half.values_file = need_file(folder, names.images);
  half.labels_file = need_file(folder, names.labels);
  Images images = read_images(half.values_file);
  sample = image(1, images.height, images.width);
  half.count = images.count;
  half.values = std::move(images.pixels);
  half.labels = read_labels(half.labels_file);
  return half;
}

}  // namespace

bool has_idx(const Folder& folder) { return find_file(folder, kTraining.images).has_value(); }

RawData read_idx(const Folder& folder) {
  RawData data;
  data.training = read_half(folder, kTraining, data.sample);
  TensorShape test;
  data.test = read_half(folder, kTest, test);
  if (test != data.sample)
    throw Error(ErrorCode::usage,
                fmt::format("{}: images of {}, and those of {} are {}", data.test.values_file,
                            to_string(test), data.training.values_file, to_string(data.sample)));
  return data;
}

}  // namespace ampere
