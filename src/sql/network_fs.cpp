#include "sql/network_fs.h"

#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

namespace ampere {
namespace {

namespace fs = std::filesystem;

struct Magic {
  std::uint32_t number;
  const char* name;
};

// From statfs(2), linux/magic.h and the sources of those that are not part of Linux.
constexpr std::array kNetworks = std::to_array<Magic>({
    {0x6969, "NFS"},
    {0x517b, "SMB"},
    {0xff534d42, "CIFS"},
    {0xfe534d42, "SMB"},
    {0x01021997, "9p"},
    {0x0bd00bd0, "Lustre"},
    {0x47504653, "GPFS"},
    {0x19830326, "BeeGFS"},
    {0x00c36400, "CephFS"},
    {0x5346414f, "AFS"},
    {0x6b414653, "AFS"},
    {0x73757245, "Coda"},
    {0x564c, "NCP"},
    {0x01161970, "GFS2"},
    {0x7461636f, "OCFS2"},
    {0x20030528, "OrangeFS"},
    {0xaad7aaea, "PanFS"},
    {0x786f4256, "a shared folder"},
    {0x7c7c6673, "a shared folder"},
    {0xbacbacbc, "a shared folder"},
});

// FUSE serves local disks as well, so that its mount decides.
constexpr std::uint32_t kFuse = 0x65735546;
constexpr std::array<std::string_view, 18> kFuseNetworks = {
    "sshfs",   "s3fs",      "gcsfuse",  "rclone", "glusterfs", "ceph-fuse",
    "davfs",   "curlftpfs", "smbnetfs", "goofys", "juicefs",   "mfs",
    "moosefs", "lizardfs",  "cvmfs2",   "lustre", "beegfs",    "mount.davfs"};

std::string nearest(const std::string& path) {
  std::error_code error;
  fs::path place = path;
  while (!fs::exists(place, error) && place.has_relative_path()) place = place.parent_path();
  return place.empty() ? "." : place.string();
}

// "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw": the type follows the dash.
std::string mount_type(dev_t device) {
  std::ifstream mounts("/proc/self/mountinfo");
  const std::string number = std::to_string(major(device)) + ":" + std::to_string(minor(device));
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string id, parent, place, word, type;
    words >> id >> parent >> place;
    while (words >> word && word != "-") continue;
    if (place == number && words >> type) return type;
  }
  return "";
}

}  // namespace

FileSystem file_system_of(const std::string& path) {
  const std::string place = nearest(path);
  struct statfs system {};
  struct stat file {};
  if (::statfs(place.c_str(), &system) != 0 || ::stat(place.c_str(), &file) != 0) return {};
  const auto magic = static_cast<std::uint32_t>(system.f_type);
  return {magic, magic == kFuse ? mount_type(file.st_dev) : ""};
}

std::optional<std::string> network_name(const FileSystem& system) {
  for (const Magic& known : kNetworks)
    if (known.number == system.magic) return known.name;
  if (system.magic != kFuse) return std::nullopt;
  const std::string_view type =
      std::string_view(system.type)
          .substr(system.type.starts_with("fuse.") ? std::string_view("fuse.").size() : 0);
  for (const std::string_view known : kFuseNetworks)
    if (type == known) return std::string(known);
  return std::nullopt;
}

}  // namespace ampere
