// Whether a file is on another machine. SQLite's write-ahead log needs memory that all its users
// share, which a network file system cannot give: two machines that write there damage the file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace ampere {

// What the system says of a place.
struct FileSystem {
  std::uint32_t magic = 0;  // f_type of statfs
  std::string type;         // of its mount, "fuse.sshfs"; empty when it is not known
};
using FileSystemOf = std::function<FileSystem(const std::string& path)>;

// Of the path, or of the nearest folder above it that is there. One that cannot be looked at counts
// as local: whoever opens the file then says what is wrong.
FileSystem file_system_of(const std::string& path);

// "NFS", "sshfs": the name of a file system whose files are on other machines, and nothing for all
// others.
std::optional<std::string> network_name(const FileSystem& system);

}  // namespace ampere
