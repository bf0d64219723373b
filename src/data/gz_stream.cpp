#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "ampere/error.h"
#include "data/byte_reader.h"

namespace ampere {
namespace {

struct CloseGz {
  void operator()(gzFile file) const { gzclose(file); }
};

class GzStream final : public ByteStream {
 public:
  explicit GzStream(const std::string& path) : path_(path), file_(gzopen(path.c_str(), "rbe")) {
    if (!file_)
      throw Error(ErrorCode::permission,
                  fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
    gzbuffer(file_.get(), 1 << 17);
  }

  std::size_t read(unsigned char* into, std::size_t size) override {
    std::size_t done = 0;
    while (done < size) {
      const auto piece = static_cast<unsigned>(std::min<std::size_t>(size - done, 1 << 30));
      const int got = gzread(file_.get(), into + done, piece);
      check(got);
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

 private:
  // zlib takes what was cut off for an end with a remark.
  void check(int got) const {
    int code = Z_OK;
    const std::string why = gzerror(file_.get(), &code);
    if (got < 0 || (got == 0 && code == Z_BUF_ERROR))
      throw Error(ErrorCode::usage,
                  fmt::format("{}: cannot be unpacked: {}", path_,
                              code == Z_BUF_ERROR ? "the file was cut off" : why));
  }

  std::string path_;
  std::unique_ptr<gzFile_s, CloseGz> file_;
};

}  // namespace

std::unique_ptr<ByteStream> open_gz_stream(const std::string& path) {
  return std::make_unique<GzStream>(path);
}

}  // namespace ampere
