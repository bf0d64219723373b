// JSON whose long texts (packed numbers) stand on lines of their own below it, each without quotes,
// and in it only which line: {"line": 3}. A reader of JSON looks at every character it passes, and
// a long text would be most of what there is to read.
#pragma once

#include "base/json.h"

namespace ampere {

std::string dump_with_long_texts(Json json);

// Plain JSON on one line is read too. Throws Error(usage) as parse_json does, and for a line that
// is not there.
Json parse_with_long_texts(std::string_view text, const std::string& origin);

}  // namespace ampere
