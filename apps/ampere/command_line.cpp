#include "command_line.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/shell_word.h"
#include "sql/sql.h"

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

// The URL of a store may be a word of its own, or the value of an option.
std::string without_password(const std::string& word) {
  const std::size_t value = word.starts_with("--") ? word.find('=') + 1 : 0;
  return word.substr(0, value) + masked_url(word.substr(value));
}

}  // namespace

void remember_command_line(std::vector<std::string> words) {
  std::ranges::transform(words, words.begin(), without_password);
  remembered() = std::move(words);
}

std::string command_as_typed() {
  std::string command = "ampere";
  for (const std::string& word : remembered()) command += " " + shell_word(word);
  return command;
}

std::string command_on_a_recording() {
  std::string command = "ampere";
  const std::vector<std::string>& words = remembered();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_left_out(words[i]))
      command += " " + shell_word(words[i]);
    else if (words[i].find('=') == std::string::npos)
      ++i;  // its value
  }
  return command + " --rig recorded:";
}

}  // namespace ampere
