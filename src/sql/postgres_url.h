// The URL of a PostgreSQL database, as libpq understands it.
#pragma once

#include <string>
#include <string_view>

namespace ampere {

bool is_postgres_url(std::string_view url);  // begins with postgresql:// or postgres://

// Throws Error(usage) for a URL that libpq would cut in the wrong place, and might then quote a
// part of the password as something else.
void check_postgres_url(const std::string& url);

// The text without the passwords of the URL, be they written as they are or escaped.
std::string without_passwords(std::string text, const std::string& url);

}  // namespace ampere
