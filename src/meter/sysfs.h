// Files of /sys and /proc, one value each. Every complaint names the file and what the system said.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ampere {

namespace sysfs {

using Path = std::filesystem::path;

// The file's text without white space around it. Throws Error(permission) when the system refuses,
// Error(no_meter) when there is no such file, Error(failed) otherwise (a device that went away, a
// file longer than a page).
std::string read_text(const Path& path);

// A whole number and nothing else; throws Error(failed) for anything else in the file.
std::int64_t read_integer(const Path& path);
std::uint64_t read_count(const Path& path);  // not negative, up to 2^64-1

// Absent where the file cannot be read or holds something else: for what is nice to know.
std::optional<std::string> try_text(const Path& path);
std::optional<std::int64_t> try_integer(const Path& path);
std::optional<std::uint64_t> try_count(const Path& path);

// Names in a folder that begin with `prefix`, sorted with numbers in their natural order ("hwmon2"
// before "hwmon10", "zone2:0" before "zone10:0"); none when the folder is not there or not ours to
// look into.
std::vector<std::string> list(const Path& folder, const std::string& prefix = "");

}  // namespace sysfs

}  // namespace ampere
