// Programs in place of Slurm's, in a PATH of their own.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "../support/temp_folder.h"
#include "base/text.h"

namespace ampere::testing_support {

class FakeSlurm {
 public:
  FakeSlurm() : path_(std::getenv("PATH")) {
    setenv("PATH", (folder_.path() + ":/usr/bin:/bin").c_str(), 1);
    unsetenv("SLURM_CONF");
  }
  ~FakeSlurm() { setenv("PATH", path_.c_str(), 1); }

  // A shell script of this name; $FOLDER is a folder of its own.
  void program(const std::string& name, const std::string& script) const {
    const std::string file = folder_ / name;
    std::ofstream(file) << "#!/bin/sh\nFOLDER='" << folder_.path() << "'\n" << script << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  // One that prints this text, whatever is in it.
  void prints(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / (name + ".out"), std::ios::binary) << text;
    program(name, "cat \"$FOLDER/" + name + ".out\"");
  }
  std::string read(const std::string& name) const { return read_text_file(folder_ / name); }
  std::string file(const std::string& name) const { return folder_ / name; }
  // Nothing but these programs: not even a Slurm that is installed.
  void hide_everything_else() const { setenv("PATH", folder_.path().c_str(), 1); }

 private:
  TempFolder folder_;
  std::string path_;
};

}  // namespace ampere::testing_support
