// Moments of UTC as text, and back.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace ampere {

using UtcMoment = std::chrono::sys_time<std::chrono::milliseconds>;

std::string utc_text(std::chrono::sys_seconds moment);  // "2026-01-31T12:00:00Z"
std::string utc_text(UtcMoment moment);                 // "2026-01-31T12:00:00.250Z"

// Reads both, with any number of decimals, of which three count. The seconds and the Z may be left
// out, the T may be a space, and +00:00 may stand for the Z. Nothing for any other text, as for
// days that do not exist.
std::optional<UtcMoment> parse_utc(std::string_view text);

}  // namespace ampere
