#include <fmt/format.h>

#include <filesystem>

#include "base/gzip.h"
#include "base/json_text.h"
#include "base/read_file.h"
#include "base/whole_file.h"
#include "program/cut_program.h"
#include "program/json_shape.h"
#include "program/program_json.h"

namespace ampere {
namespace {

constexpr std::uint64_t kLargestProgram = std::uint64_t{64} << 20;  // unpacked
constexpr std::size_t kMostValues = 16'000'000;                     // a million steps have 4 each
constexpr int kDeepestBracket = 16;

// Nothing when something is wrong, which the whole text is then asked for.
std::optional<Program> parse_quickly(std::string_view text) try {
  auto cut = cut_program(text);
  if (!cut) return std::nullopt;
  const Json json = parse_json(cut->rest, "");
  return read_program({json, ""}, std::move(*cut));
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace

std::string to_json(const Program& program) { return json_text(program_json(program)); }

Program parse_program(std::string_view text, const std::string& origin) {
  std::string unpacked;
  if (is_gzip(text)) text = unpacked = gunzip(text, origin, kLargestProgram);
  if (text.empty()) throw Error(ErrorCode::usage, origin + ": is empty, not a program");
  if (text.size() > kLargestProgram)
    throw Error(ErrorCode::usage, fmt::format("{}: is larger than {}, the most that is read",
                                              origin, size_text(kLargestProgram)));
  check_json_shape(text, origin, kMostValues, kDeepestBracket);
  if (auto program = parse_quickly(text)) return std::move(*program);
  const Json json = parse_json(text, origin);
  return read_program({json, origin + ": "});
}

Program load_program(const std::string& path) {
  std::error_code unreachable;
  if (!std::filesystem::exists(path, unreachable))
    throw Error(ErrorCode::unknown, fmt::format("{}: there is no such program", path));
  return parse_program(read_file(path, kLargestProgram), path);
}

void save_program(const std::string& path, const Program& program) {
  write_whole_file(path, gzip(to_json(program)));
}

}  // namespace ampere
