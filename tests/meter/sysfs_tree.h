// A folder that looks like /sys or /proc to the code under test.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>

#include "meter/ticker.h"

namespace ampere::testing_support {

class SysfsTree {
 public:
  SysfsTree() {
    static int count = 0;
    root_ = std::filesystem::temp_directory_path() /
            ("ampere_tree_" + std::to_string(getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(root_);
  }
  ~SysfsTree() {
    std::error_code none;
    std::filesystem::remove_all(root_, none);
  }
  SysfsTree(const SysfsTree&) = delete;
  SysfsTree& operator=(const SysfsTree&) = delete;

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path operator/(const std::string& path) const { return root_ / path; }

  // A reader in another thread sees the old text or the new one, never half of it.
  void write(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root_ / path;
    std::filesystem::create_directories(file.parent_path());
    std::string name = "draft " + path;
    std::ranges::replace(name, '/', ' ');
    const std::filesystem::path draft = root_ / name;
    std::ofstream(draft, std::ios::binary) << text;
    std::filesystem::rename(draft, file);
  }
  void write(const std::string& path, long long value) const {
    write(path, std::to_string(value) + "\n");
  }

  void remove(const std::string& path) const { std::filesystem::remove_all(root_ / path); }

  // As the kernel's trees do, from a class to a device.
  void link(const std::string& path, const std::string& target) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::filesystem::create_directory_symlink(root_ / target, root_ / path);
  }

 private:
  std::filesystem::path root_;
};

// A file whose number rises every millisecond, as an energy counter's does, or swings about one
// value, as a sensor's of power does.
class MovingFile {
 public:
  MovingFile(const SysfsTree& tree, std::string path, long long start, long long rise)
      : MovingFile(tree, std::move(path), [=](long long i) { return start + i * rise; }) {}
  static MovingFile swinging(const SysfsTree& tree, std::string path, long long about) {
    return {tree, std::move(path), [=](long long i) { return about + i % 2; }};
  }

 private:
  MovingFile(const SysfsTree& tree, std::string path, std::function<long long(long long)> value)
      : tree_(tree), path_(std::move(path)), value_(std::move(value)) {
    move();
    ticker_.emplace(Seconds{0.001}, [this] { move(); });
  }

  void move() { tree_.write(path_, value_(moves_++)); }

  const SysfsTree& tree_;
  std::string path_;
  std::function<long long(long long)> value_;
  long long moves_ = 0;
  std::optional<Ticker> ticker_;  // last: uses what is above
};

}  // namespace ampere::testing_support
