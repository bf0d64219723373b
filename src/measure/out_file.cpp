#include "measure/out_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "ampere/error.h"
#include "base/whole_file.h"

namespace ampere {
namespace {

// The names of open files, such as /dev/stdout, are links that only the system makes.
bool is_name_of_system(const std::string& path) {
  return path.starts_with("/dev/") || path.starts_with("/proc/");
}

// A row is written as soon as it is known, so the file cannot be made beside its place and take it
// when it is complete. A link that somebody else may have made is not followed.
int open_unlinked(const std::string& path) {
  const int follow = is_name_of_system(path) ? 0 : O_NOFOLLOW;
  return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | follow, 0666);
}

}  // namespace

OutFile open_out_file(const std::string& path, const std::string& what) {
  const int descriptor = open_unlinked(path);
  if (descriptor >= 0)
    if (OutFile file{::fdopen(descriptor, "w")}) return file;
  throw Error(write_error_code(errno),
              fmt::format("{} {} cannot be written: {}", what, path,
                          errno == ELOOP ? "it is a symbolic link; name the file it leads to"
                                         : std::strerror(errno)));
}

}  // namespace ampere
