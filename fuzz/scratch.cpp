#include "fuzz/scratch.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace ampere::fuzz {
namespace {

struct Scratch {
  Scratch() {
    std::string name = "/dev/shm/ampere_fuzz_XXXXXX";
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string path;
};

}  // namespace

const std::string& scratch_folder() {
  static const Scratch scratch;
  return scratch.path;
}

std::string scratch_file(const std::string& name, std::string_view bytes) {
  const std::filesystem::path path = std::filesystem::path(scratch_folder()) / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
  return path.string();
}

}  // namespace ampere::fuzz
