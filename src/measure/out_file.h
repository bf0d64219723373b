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

// Made anew. Throws Error(permission) or Error(usage) that begins with `what` and the path.
OutFile open_out_file(const std::string& path, const std::string& what);

}  // namespace ampere
