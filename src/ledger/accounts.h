// Changes of accounts. Callers are inside a transaction, and change accounts in the order of their
// names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ledger/ledger.h"
#include "sql/sql.h"

namespace ampere {

struct AccountRow {
  std::string name;
  std::int64_t granted_mj = 0, reserved_mj = 0, spent_mj = 0;
  std::int64_t free_mj() const { return granted_mj - reserved_mj - spent_mj; }
};

std::optional<AccountRow> find_account(SqlDatabase& database, const std::string& name);
std::vector<AccountRow> all_accounts(SqlDatabase& database);  // by name
Account as_account(const AccountRow& row);

// Error(unknown), with the most similar name.
[[noreturn]] void throw_no_account(SqlDatabase& database, const std::string& name);

// What a transaction does to one account, and why. Written to the journal after the account was
// changed, so that the entries of an account are in the order in which it changed.
struct Booking {
  std::string what, account, job, how;
  std::int64_t amount_mj = 0;
  std::int64_t granted_mj = 0, reserved_mj = 0, spent_mj = 0;  // changes
};
void write_journal(SqlDatabase& database, const std::vector<Booking>& bookings);

}  // namespace ampere
