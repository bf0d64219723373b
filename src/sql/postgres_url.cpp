#include "sql/postgres_url.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "ampere/error.h"
#include "base/text.h"
#include "sql/sql.h"

namespace ampere {
namespace {

constexpr std::string_view kMask = "***";
constexpr std::array<std::string_view, 2> kSecrets = {"password", "sslpassword"};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
                        hex_digit(text[i + 2]) >= 0;
    plain +=
        escape ? static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])) : text[i];
    if (escape) i += 2;
  }
  return plain;
}

// Where something is in the URL.
struct Part {
  std::size_t from, size;
};

bool is_secret(std::string_view option) {
  const std::string key = unescaped(option);
  for (const std::string_view secret : kSecrets)
    if (key == secret) return true;
  return false;
}

// Between "user:" and "@". The last "@" counts, so that rather too much is taken for a password.
std::vector<Part> secrets_of(const std::string& url) {
  std::vector<Part> secrets;
  const std::size_t scheme = url.find("://");
  if (!is_postgres_url(url) || scheme == std::string::npos) return secrets;
  const std::size_t start = scheme + 3, options = std::min(url.find('?'), url.size());
  const std::size_t colon = url.find(':', start), at = url.rfind('@', options);
  if (colon < at && at != std::string::npos && at > start)
    secrets.push_back({colon + 1, at - colon - 1});
  for (std::size_t from = options; from < url.size();) {
    ++from;  // behind "?" or "&"
    const std::size_t end = std::min(url.find('&', from), url.size());
    const std::size_t equals = url.find('=', from);
    if (equals < end && is_secret(std::string_view(url).substr(from, equals - from)))
      secrets.push_back({equals + 1, end - equals - 1});
    from = end;
  }
  return secrets;
}

void mask(std::string& text, std::string_view secret) {
  if (!secret.empty()) text = replaced(std::move(text), secret, kMask);
}

}  // namespace

bool is_postgres_url(std::string_view url) {
  return url.starts_with("postgresql://") || url.starts_with("postgres://");
}

void check_postgres_url(const std::string& url) {
  if (url.find('\0') != std::string::npos)
    throw Error(ErrorCode::usage, "the URL of a store must not contain a NUL character");
  const std::size_t start = url.find("://") + 3, at = url.rfind('@', url.find('?'));
  if (at == std::string::npos || at < start) return;
  if (url.find_first_of("/@", start) < at)
    throw Error(ErrorCode::usage,
                fmt::format("{}: user and password must be escaped where they contain '/' or '@': "
                            "write %2F and %40, or keep the password out of the URL",
                            masked_url(url)));
}

std::string without_passwords(std::string text, const std::string& url) {
  for (const Part& secret : secrets_of(url)) {
    const std::string raw = url.substr(secret.from, secret.size);
    mask(text, raw);
    mask(text, unescaped(raw));
  }
  return text;
}

std::string masked_url(const std::string& url) {
  std::string masked;
  std::size_t done = 0;
  for (const Part& secret : secrets_of(url)) {
    masked += url.substr(done, secret.from - done);
    masked += kMask;
    done = secret.from + secret.size;
  }
  return masked + url.substr(done);
}

}  // namespace ampere
