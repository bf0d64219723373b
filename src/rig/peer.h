// Talking in lines of JSON with a child process: what the runner protocol and the worker protocol
// have in common.
#pragma once

#include <string>
#include <string_view>

#include "ampere/error.h"
#include "base/json.h"
#include "rig/child.h"

namespace ampere {

// The first line that is an object with this key. Other lines before it, such as a login banner,
// are kept, because they may explain why no hello came. Throws Error(failed) after too many.
std::string wait_for_hello(Child& child, std::string_view key, Seconds timeout);

// Throws Error(failed) when the line is not JSON or answers another request.
Json parse_peer_answer(const std::string& line, int id, std::string_view role);

// The object {"code", "message"}. When the peer was interrupted, only this request failed.
Error read_peer_error(const JsonField& json);

}  // namespace ampere
