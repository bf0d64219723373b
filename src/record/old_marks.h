// How observations were marked before they had a purpose: by texts in their kind and in the notes
// of their measurement. Profiles exported as version 1 and stores up to version 3 hold such marks.
#pragma once

#include <string>
#include <vector>

#include "ampere/store.h"

namespace ampere {

struct OldKind {
  Purpose purpose;
  std::string kind;
};

// What the kind of an old observation says.
OldKind read_old_kind(const std::string& kind);

// Whether the notes of an old measurement say that it was at round widths. The note that said so is
// removed.
inline constexpr const char* kOldRoundWidthsNote = "at round widths, for its profile";
bool take_old_round_widths(std::vector<std::string>& notes);

}  // namespace ampere
