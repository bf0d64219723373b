#include "onnx/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "ampere/error.h"

namespace ampere::onnx {

MappedFile::MappedFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    throw Error(errno == EACCES ? ErrorCode::permission : ErrorCode::usage,
                fmt::format("{}: {}", path, std::strerror(errno)));
  struct stat info {};
  const bool regular = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
  size_ = regular ? static_cast<std::size_t>(info.st_size) : 0;
  if (size_ > 0) start_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (!regular) throw Error(ErrorCode::usage, fmt::format("{}: is not a file", path));
  if (start_ == MAP_FAILED)
    throw Error(ErrorCode::failed, fmt::format("{}: {}", path, std::strerror(errno)));
}

MappedFile::~MappedFile() {
  if (start_ != nullptr) munmap(start_, size_);
}

}  // namespace ampere::onnx
