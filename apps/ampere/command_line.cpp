#include "command_line.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ampere {
namespace {

std::vector<std::string>& remembered() {
  static std::vector<std::string> words;
  return words;
}

// What a repetition has to choose for itself.
constexpr std::array<std::string_view, 7> kLeftOut{
    "--rig", "--record", "--store", "--output-folder", "--out", "--meter", "--runner"};

bool is_left_out(std::string_view word) {
  return std::ranges::find(kLeftOut, word.substr(0, word.find('='))) != kLeftOut.end();
}

// As a shell has to be given it.
std::string in_quotes(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? "'\\''" : std::string(1, letter);
  return text + "'";
}

}  // namespace

void remember_command_line(std::vector<std::string> words) { remembered() = std::move(words); }

std::string command_on_a_recording() {
  std::string command = "ampere";
  const std::vector<std::string>& words = remembered();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_left_out(words[i]))
      command += " " + in_quotes(words[i]);
    else if (words[i].find('=') == std::string::npos)
      ++i;  // its value
  }
  return command + " --rig recorded:";
}

}  // namespace ampere
