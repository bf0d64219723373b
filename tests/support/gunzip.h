// Test data that is committed packed.
#pragma once

#include <zlib.h>

#include <stdexcept>
#include <string>

namespace ampere::testing_support {

// The contents of a .gz file; a plain file is read as it is.
inline std::string gunzip(const std::string& path) {
  const gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) throw std::runtime_error("no file " + path);
  std::string bytes, buffer(1 << 16, '\0');
  for (int read = 0; (read = gzread(file, buffer.data(), 1U << 16)) > 0;)
    bytes.append(buffer, 0, static_cast<std::size_t>(read));
  gzclose(file);
  return bytes;
}

}  // namespace ampere::testing_support
