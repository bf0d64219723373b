#include <fmt/format.h>

#include "ampere/error.h"
#include "data/byte_reader.h"

namespace ampere {

std::unique_ptr<ByteStream> open_gz_stream(const std::string& path) {
  throw Error(
      ErrorCode::usage,
      fmt::format("{}: this program was built without zlib and cannot unpack it; gunzip the "
                  "file, or build again where zlib is installed",
                  path));
}

}  // namespace ampere
