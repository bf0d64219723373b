// Data sets written by tests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "../support/error_of.h"
#include "../support/temp_folder.h"
#include "ampere/error.h"

namespace ampere::testing_support {

class DataFolder : public testing_support::TempFolder {
 public:
  void write(const std::string& name, const std::string& bytes) const;  // packed if it ends in .gz
  void remove(const std::string& name) const;
};

// Files of a few images of 2 x 3 pixels: pixel p of image i is i + p, its label i % 3.
std::string idx_images(std::uint32_t count, std::uint32_t height = 2, std::uint32_t width = 3);
std::string idx_labels(std::uint32_t count);
void write_idx(const DataFolder& folder, std::uint32_t training, std::uint32_t test,
               const std::string& ending = "");

std::string cifar_record(int label, int pixel);
std::string repeated(const std::string& text, int times);

// A .npy file: "<f4", "(2, 3)", and the bytes of the numbers.
std::string npy_bytes(const std::string& type, const std::string& shape, const std::string& numbers,
                      int version = 1, const std::string& fortran = "False");

template <class Number>
std::string npy(const std::string& type, const std::string& shape,
                const std::vector<Number>& numbers) {
  return npy_bytes(
      type, shape,
      {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)});
}

// What opening a data set says.
Error open_error(const std::string& spec);

}  // namespace ampere::testing_support
