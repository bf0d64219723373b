// What stands before the numbers of a .npy file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/byte_reader.h"

namespace ampere {

struct NpyHeader {
  char kind = 'u';         // 'u' and 'i' whole numbers, 'f' others
  std::int64_t bytes = 1;  // of one of them
  std::vector<std::int64_t> shape;

  std::string type() const;       // "u1", "f4"
  std::int64_t elements() const;  // of all axes
  std::int64_t each() const;      // of all but the first
};

// Versions 1 to 3, little-endian, row after row. Throws Error(usage) for everything else.
NpyHeader read_npy_header(ByteReader& file);

}  // namespace ampere
