// A file's bytes without reading those that are not looked at.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ampere::onnx {

class MappedFile {
 public:
  explicit MappedFile(const std::string& path);  // throws Error(usage) naming the path
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {static_cast<const char*>(start_), size_}; }

 private:
  void* start_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ampere::onnx
