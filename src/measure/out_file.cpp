#include "measure/out_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "ampere/error.h"

namespace ampere {

OutFile open_out_file(const std::string& path, const std::string& what) {
  if (OutFile file{std::fopen(path.c_str(), "we")}) return file;
  const bool refused = errno == EACCES || errno == EPERM || errno == EROFS;
  throw Error(refused ? ErrorCode::permission : ErrorCode::usage,
              fmt::format("{} {} cannot be written: {}", what, path, std::strerror(errno)));
}

}  // namespace ampere
