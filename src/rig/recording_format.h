// The version of recordings (docs/recordings.md).
#pragma once

namespace ampere {

inline constexpr int kRecordingFormatVersion = 1;

}  // namespace ampere
