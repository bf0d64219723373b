// Text from outside that will be shown: names in files, answers of devices, messages of others. A
// terminal obeys control characters, and JSON can only hold UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace ampere {

// Why `text` cannot be shown as it is: "is not UTF-8 text" or "contains a control character".
// Empty when it can. Newlines and tabs are control characters too.
std::string text_fault(std::string_view text);

// Every control character and every byte that is not UTF-8 replaced by U+FFFD.
std::string plain_text(std::string_view text);
// The same for several lines: newlines and tabs stay.
std::string plain_lines(std::string_view text);

}  // namespace ampere
