#include "written.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>

#include "data/data_set.h"

namespace ampere::testing_support {
namespace {

std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift);
  return bytes;
}

}  // namespace

void DataFolder::write(const std::string& name, const std::string& bytes) const {
  const std::string path = *this / name;
  if (!name.ends_with(".gz")) {
    std::ofstream(path, std::ios::binary) << bytes;
    return;
  }
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
}

void DataFolder::remove(const std::string& name) const { std::filesystem::remove(*this / name); }

std::string idx_images(std::uint32_t count, std::uint32_t height, std::uint32_t width) {
  std::string bytes =
      big_endian(0x803) + big_endian(count) + big_endian(height) + big_endian(width);
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::uint32_t p = 0; p < height * width; ++p) bytes += static_cast<char>(i + p);
  return bytes;
}

std::string idx_labels(std::uint32_t count) {
  std::string bytes = big_endian(0x801) + big_endian(count);
  for (std::uint32_t i = 0; i < count; ++i) bytes += static_cast<char>(i % 3);
  return bytes;
}

void write_idx(const DataFolder& folder, std::uint32_t training, std::uint32_t test,
               const std::string& ending) {
  folder.write("train-images-idx3-ubyte" + ending, idx_images(training));
  folder.write("train-labels-idx1-ubyte" + ending, idx_labels(training));
  folder.write("t10k-images-idx3-ubyte" + ending, idx_images(test));
  folder.write("t10k-labels-idx1-ubyte" + ending, idx_labels(test));
}

std::string cifar_record(int label, int pixel) {
  return static_cast<char>(label) + std::string(3 * 32 * 32, static_cast<char>(pixel));
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string npy_bytes(const std::string& type, const std::string& shape, const std::string& numbers,
                      int version, const std::string& fortran) {
  const std::string header =
      "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    bytes += static_cast<char>(header.size() >> (8 * i));
  return bytes + header + numbers;
}

Error open_error(const std::string& spec) {
  return error_of([&] { open_data(spec); });
}

}  // namespace ampere::testing_support
