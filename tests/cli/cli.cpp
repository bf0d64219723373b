#include "cli.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <fstream>
#include <sstream>

#include "base/text.h"

namespace ampere::testing_support {

namespace fs = std::filesystem;

Cli::Cli() {
  std::string folder = (fs::temp_directory_path() / "ampere-cli-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
  home_ = folder;
}

Cli::~Cli() {
  std::error_code ignored;
  fs::remove_all(home_, ignored);
}

Ran Cli::shell(const std::string& command) const {
  std::string script =
      "cd '" + home_.string() + "' && env -i PATH=\"$PATH\" HOME='" + home_.string() +
      "' AMPERE='" AMPERE_BINARY_DIR "/ampere' FAKE_RUNNER='" AMPERE_BINARY_DIR "/fake_runner' ";
  for (const char* sanitizer : {"ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"})
    if (const char* options = std::getenv(sanitizer))
      script += sanitizer + std::string("='") + options + "' ";
  // AMPERE and FAKE_RUNNER are for the script's own use; the program itself must not see them as
  // settings.
  for (const auto& [name, value] : environment) script += name + "='" + value + "' ";
  write("script",
        "ampere() { env -u AMPERE -u FAKE_RUNNER \"$AMPERE\" \"$@\"; }\n" + command + "\n");
  script += "bash '" + path("script").string() + "' >'" + path("out").string() + "' 2>'" +
            path("err").string() + "'";
  const int status = std::system(script.c_str());
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), read("out"),
          read("err")};
}

Ran Cli::run(const std::string& arguments, const std::string& input) const {
  write("input", input);
  return shell("ampere " + arguments + " < input");
}

void Cli::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name), std::ios::binary) << text;
}

std::string Cli::read(const std::string& name) const { return read_text_file(path(name).string()); }

}  // namespace ampere::testing_support
