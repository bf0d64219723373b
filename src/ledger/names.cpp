#include "ledger/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "base/text.h"

namespace ampere {
namespace {

constexpr std::size_t kLongestName = 200, kLongestShown = 60;
constexpr char kBetweenAccounts = ' ';

bool is_name_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') ||
         std::string_view("._-@+").find(letter) != std::string_view::npos;
}

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_name_letter);
}

std::string shown(const std::string& name) { return plain_text(name.substr(0, kLongestShown)); }

}  // namespace

void check_account_name(const std::string& name) {
  const std::size_t colon = name.find(':');
  const std::string_view text = name;
  if (name.size() <= kLongestName && colon != std::string::npos && is_word(text.substr(0, colon)) &&
      is_word(text.substr(colon + 1)))
    return;
  throw Error(ErrorCode::usage,
              fmt::format("'{}' is not the name of an account: write a kind and a name, such as "
                          "project:vision, of at most {} letters, digits and . _ - @ +",
                          shown(name), kLongestName));
}

void check_job_name(const std::string& name) {
  const auto printable = [](char letter) { return letter > ' ' && letter <= '~'; };
  if (!name.empty() && name.size() <= kLongestName && std::ranges::all_of(name, printable)) return;
  throw Error(ErrorCode::usage,
              fmt::format("'{}' is not the name of a job in the ledger: it must have 1 to {} "
                          "printable characters and no spaces",
                          shown(name), kLongestName));
}

std::vector<std::string> sorted_accounts(std::vector<std::string> accounts,
                                         const std::string& job) {
  if (accounts.empty())
    throw Error(ErrorCode::usage,
                fmt::format("{}: no account is named that bears its energy", job));
  for (const std::string& account : accounts) check_account_name(account);
  std::ranges::sort(accounts);
  const auto twice = std::ranges::adjacent_find(accounts);
  if (twice != accounts.end())
    throw Error(ErrorCode::usage, fmt::format("{}: the account {} is named twice", job, *twice));
  return accounts;
}

std::string joined_accounts(const std::vector<std::string>& accounts) {
  return fmt::format("{}", fmt::join(accounts, std::string(1, kBetweenAccounts)));
}

std::vector<std::string> split_accounts(const std::string& text) {
  return split(text, kBetweenAccounts);
}

}  // namespace ampere
