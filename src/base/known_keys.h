// Tables of a file or a request that a person wrote: what is misspelt is named, with what was
// probably meant.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json.h"

namespace ampere {

// Throws Error(usage) for a key that is none of these.
void refuse_unknown_keys(const JsonField& table, std::span<const std::string> known);

std::vector<std::string> texts_of(const JsonField& list);
std::vector<std::string> texts_or_none(const JsonField& table, const std::string& key);

}  // namespace ampere
