// Small helpers for text that people read or write.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ampere {

std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
std::string lower_case(std::string text);  // its ASCII letters

// A whole number and nothing else; throws Error(usage) with `what` and the text in the message.
std::int64_t parse_integer(std::string_view text, const std::string& what);
double parse_number(std::string_view text, const std::string& what);

// "; did you mean 'cnn5'?" for the nearest of `names`, or "" when none is near.
std::string suggestion(std::string_view wrong, std::span<const std::string> names);

// "1 profile", "2 profiles": the plural is the noun with an s.
std::string counted(std::int64_t number, std::string_view noun);

// Whether they differ in the case of ASCII letters at most.
bool equal_ignoring_case(std::string_view a, std::string_view b);
bool contains_ignoring_case(std::string_view text, std::string_view part);

// The whole file. Throws Error(usage) naming the path and the reason.
std::string read_text_file(const std::string& path);

std::string utc_now();  // "2026-01-31T12:00:00Z"

// Every occurrence of `part`, which is not empty, replaced by another text.
std::string replaced(std::string text, std::string_view part, std::string_view by);

}  // namespace ampere
