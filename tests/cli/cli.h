// The real program, run as a user would, in a home of its own.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/json.h"

namespace ampere::testing_support {

inline constexpr const char* kTwoBlocks = AMPERE_TEST_DATA "/programs/two_blocks.program";

struct Ran {
  int status = 0;  // 128 + signal when it was killed
  std::string out, err;
  Json json() const { return Json::parse(out); }
};

class Cli {
 public:
  Cli();
  ~Cli();
  Cli(const Cli&) = delete;
  Cli& operator=(const Cli&) = delete;

  // `arguments` as typed in a shell; `input` is standard input.
  Ran run(const std::string& arguments, const std::string& input = "") const;
  Ran shell(
      const std::string& command) const;  // with $AMPERE as the program and the home as folder

  std::filesystem::path path(const std::string& name) const { return home_ / name; }
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;

  std::map<std::string, std::string> environment;

 private:
  std::filesystem::path home_;
};

}  // namespace ampere::testing_support
