#include "rig/peer.h"

#include <fmt/format.h>

#include "base/plain_text.h"

namespace ampere {
namespace {

constexpr int kMostLinesBeforeHello = 100;

bool is_hello(const std::string& line, std::string_view key) {
  if (!line.starts_with('{')) return false;
  const Json json = Json::parse(line, nullptr, false);
  return json.is_object() && json.contains(key);
}

}  // namespace

std::string wait_for_hello(Child& child, std::string_view key, Seconds timeout) {
  for (int lines = 0; lines < kMostLinesBeforeHello; ++lines) {
    const std::string line = child.receive(timeout);
    if (is_hello(line, key)) return line;
    child.remember(line);
  }
  throw Error(ErrorCode::failed,
              fmt::format("no hello in {} lines{}", kMostLinesBeforeHello, child.recent_log()));
}

Json parse_peer_answer(const std::string& line, int id, std::string_view role) {
  Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded())
    throw Error(ErrorCode::failed,
                fmt::format("the answer of {} is not JSON: {}", role, printable(line)));
  if (!json.is_object() || !json.contains("id") || json.at("id") != id)
    throw Error(ErrorCode::failed, fmt::format("the answer of {} does not belong to the request: "
                                               "{}",
                                               role, printable(line)));
  return json;
}

Error read_peer_error(const JsonField& json) {
  const ErrorCode code = parse_error_code(json.at("code").text());
  return {code == ErrorCode::interrupted ? ErrorCode::failed : code,
          plain_lines(json.at("message").text())};
}

}  // namespace ampere
