// An output stream on a file descriptor.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <ostream>
#include <streambuf>

namespace ampere {

class FdBuffer final : public std::streambuf {
 public:
  explicit FdBuffer(int fd) : fd_(fd) {}

 protected:
  int_type overflow(int_type c) override {
    const char byte = traits_type::to_char_type(c);
    return xsputn(&byte, 1) == 1 ? c : traits_type::eof();
  }

  std::streamsize xsputn(const char* data, std::streamsize size) override {
    std::streamsize done = 0;
    while (done < size) {
      const ssize_t written = write(fd_, data + done, static_cast<std::size_t>(size - done));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) break;
      done += written;
    }
    return done;
  }

 private:
  int fd_;
};

}  // namespace ampere
