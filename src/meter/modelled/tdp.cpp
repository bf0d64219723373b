#include "meter/modelled/tdp.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "meter/lower_case.h"
#include "meter/modelled/tdp_table.h"

namespace ampere {
namespace {

void erase_all(std::string& text, std::string_view piece) {
  for (std::size_t at; (at = text.find(piece)) != std::string::npos;) text.erase(at, piece.size());
}

// What follows it says nothing about which processor it is.
void cut_from(std::string& text, std::string_view piece) {
  text.erase(std::min(text.find(piece), text.size()));
}

bool is_filler(const std::string& word) {
  static const std::set<std::string> kFillers = {"",     "cpu",  "processor", "gen",  "apu", "soc",
                                                 "10th", "11th", "12th",      "13th", "14th"};
  return kFillers.contains(word) || word.ends_with("-core") || word.ends_with("-cores");
}

// "/proc/cpuinfo" is thousands of lines on a large machine, so it does not fit sysfs::read_text.
std::vector<std::string> cpuinfo_lines(const sysfs::Path& proc) {
  try {
    return split(read_text_file(proc / "cpuinfo"), '\n');
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace

CpuInfo read_cpu_info(const sysfs::Path& proc) {
  CpuInfo info;
  int processors = 0;
  std::set<std::string> packages;
  std::string board;
  for (const std::string& line : cpuinfo_lines(proc)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string_view key = trim(std::string_view(line).substr(0, colon));
    const std::string value(trim(std::string_view(line).substr(colon + 1)));
    if (key == "processor") ++processors;
    if (key == "physical id") packages.insert(value);
    if (key == "model name" && info.name.empty()) info.name = value;
    if (key == "Model") board = value;
  }
  if (board.empty()) board = sysfs::try_text(proc / "device-tree/model").value_or("");
  // Arm kernels name the core ("ARMv7 Processor rev 4") or nothing; the board says more.
  if (!board.empty()) info.name = board.c_str();  // the device tree ends its text with a 0
  info.logical_cores = std::max(1, processors);
  info.packages = std::max(1, static_cast<int>(packages.size()));
  return info;
}

std::string normal_cpu_name(std::string_view name) {
  std::string text = lower_case(name);
  for (const char* mark : {"(r)", "(tm)", "(c)"}) erase_all(text, mark);
  for (const char* tail : {"@", " with ", " w/ ", "radeon"}) cut_from(text, tail);
  std::string result;
  for (const std::string& word : split(text, ' '))
    if (!is_filler(word)) result += (result.empty() ? "" : " ") + word;
  return result;
}

std::optional<Tdp> find_tdp(std::string_view cpu_name) {
  const std::string name = normal_cpu_name(cpu_name);
  for (const Tdp& row : processor_tdps())
    if (row.name == name) return row;
  for (const Tdp& row : board_tdps())
    if (name == row.name || name.starts_with(std::string(row.name) + " ")) return row;
  return std::nullopt;
}

}  // namespace ampere
