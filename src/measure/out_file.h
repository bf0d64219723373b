// Files that are written while something else goes on.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace ampere {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OutFile = std::unique_ptr<std::FILE, CloseFile>;

// Made anew. A symbolic link is refused, except in /dev and /proc. Throws Error(permission),
// Error(usage) or Error(failed) that begins with `what` and the path.
OutFile open_out_file(const std::string& path, const std::string& what);

}  // namespace ampere
