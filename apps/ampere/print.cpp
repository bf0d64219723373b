#include "print.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/plain_text.h"
#include "base/text.h"
#include "colour.h"

namespace ampere {
namespace {

struct Prefix {
  double factor;
  const char* symbol;
};
constexpr std::array kPrefixes{Prefix{1e12, "T"}, Prefix{1e9, "G"}, Prefix{1e6, "M"},
                               Prefix{1e3, "k"},  Prefix{1, ""},    Prefix{1e-3, "m"},
                               Prefix{1e-6, "µ"}, Prefix{1e-9, "n"}};

const Prefix& prefix_for(double value) {
  for (const Prefix& prefix : kPrefixes)
    if (std::abs(value) >= prefix.factor * 0.9995) return prefix;
  return kPrefixes.back();
}

std::size_t columns_of(const std::string& text) {  // code points, so that µ counts once
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

bool starts_like_number(const std::string& text) {
  return !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) != 0 ||
                           text[0] == '-' || text[0] == '+');
}

bool everything = false;

// 0 where lines may be as long as they like.
std::size_t terminal_columns() {
  winsize size{};
  if (everything || isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
    return 0;
  return size.ws_col;
}

// The widest columns first, and none below what can be told apart.
void narrow(std::vector<std::size_t>& widths, std::size_t most) {
  constexpr std::size_t kLeast = 4, kGap = 2;
  std::size_t line = kGap * (widths.size() - 1);
  for (const std::size_t width : widths) line += width;
  while (line > most) {
    const auto widest = std::ranges::max_element(widths);
    if (*widest <= kLeast) return;
    --*widest;
    --line;
  }
}

std::string cut(const std::string& text, std::size_t most) {
  if (columns_of(text) <= most) return text;
  std::size_t end = 0, columns = 0;
  for (; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
    if (begins && ++columns == most) break;
  }
  return text.substr(0, end) + "…";
}

}  // namespace

std::string with_unit(double value, const std::string& unit) {
  if (value == 0) return "0 " + unit;
  const Prefix& prefix = prefix_for(value);
  const double scaled = value / prefix.factor;
  const int decimals = std::abs(scaled) < 9.995 ? 2 : std::abs(scaled) < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}{}", scaled, decimals, prefix.symbol, unit);
}

std::string large_count(double value) {
  return value < 10000 ? fmt::format("{:.0f}", value) : with_unit(value, "");
}

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string signed_percent(double share) { return fmt::format("{:+.1f} %", share * 100); }

std::string duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string feature_text(const std::vector<std::string>& names,
                         const std::vector<std::int64_t>& values) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : " ", names[i], values[i]);
  return text;
}

std::vector<std::string> feature_names(const std::vector<Feature>& features) {
  std::vector<std::string> names;
  for (const Feature& feature : features) names.push_back(feature.name);
  return names;
}

// Cells hold names from files, devices and other people's profiles: made harmless here for all.
std::string table_text(const std::vector<std::vector<std::string>>& given, std::size_t most) {
  std::vector<std::vector<std::string>> rows = given;
  for (auto& row : rows)
    for (std::string& cell : row) cell = plain_lines(cell);
  std::vector<std::size_t> widths;
  std::vector<bool> right;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == widths.size()) {
        widths.push_back(0);
        right.push_back(rows.size() > 1 && i < rows[1].size() && starts_like_number(rows[1][i]));
      }
      widths[i] = std::max(widths[i], columns_of(row[i]));
    }
  if (most > 0) narrow(widths, most);
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string cell = cut(row[i], widths[i]);
      const std::string padding(widths[i] - columns_of(cell), ' ');
      line += (i == 0 ? "" : "  ") + (right[i] ? padding + cell : cell + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

void print_table(const std::vector<std::vector<std::string>>& rows) {
  const std::string text = table_text(rows, terminal_columns());
  const std::size_t end = text.find('\n');
  fmt::print("{}{}", toned(text.substr(0, end), Tone::heading, stdout), text.substr(end));
}

void print_wrapped(const std::string& text, std::size_t indent) {
  const std::size_t most = terminal_columns();
  std::string line;
  const auto start = text.find_first_not_of(' ');
  bool begins = true;
  if (start != std::string::npos) line = text.substr(0, start);
  for (const std::string& word : split(text.substr(line.size()), ' ')) {
    if (most > 0 && !begins && columns_of(line) + 1 + columns_of(word) > most) {
      fmt::print("{}\n", line);
      line = std::string(indent, ' ') + word;
    } else {
      line += (begins ? "" : " ") + word;
    }
    begins = false;
  }
  fmt::print("{}\n", line);
}

void show_everything() { everything = true; }

bool shows_everything() { return terminal_columns() == 0; }

}  // namespace ampere
