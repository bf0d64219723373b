#include "serve/feed_api.h"

#include <fmt/format.h>

#include <sstream>

#include "ampere/error.h"
#include "base/json.h"
#include "base/text.h"
#include "serve/api.h"
#include "serve/stdio.h"

namespace ampere {
namespace {

// One for all inputs: opening it takes longer than most requests.
Api& api() {
  static Api instance({.store = "memory:", .defaults = {}, .meters = {"modelled"}});
  return instance;
}

std::string fault_of(const std::string& line) {
  const Json answer = parse_json(line, "answer");
  if (answer.contains("event")) return "";
  const int status = answer.at("status").get<int>();
  return status >= 500 && status != 503 ? line : "";
}

}  // namespace

std::string feed_api(std::string_view lines) {
  std::istringstream in{std::string(lines)};
  std::ostringstream out;
  serve_lines(in, out, api(), {});
  std::size_t asked = 0, answered = 0;
  for (const std::string& line : split(lines, '\n')) asked += trim(line).empty() ? 0 : 1;
  for (const std::string& line : split(out.str(), '\n')) {
    if (line.empty()) continue;
    ++answered;
    if (const std::string fault = fault_of(line); !fault.empty()) return fault;
  }
  if (answered < asked) return fmt::format("{} answers to {} lines", answered, asked);
  return "";
}

}  // namespace ampere
