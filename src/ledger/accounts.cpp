#include "ledger/accounts.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "base/text.h"
#include "ledger/amount.h"
#include "ledger/insert_rows.h"

namespace ampere {
namespace {

AccountRow read_account(const SqlRows& row) {
  return {row.text(0), row.integer(1), row.integer(2), row.integer(3)};
}

}  // namespace

std::optional<AccountRow> find_account(SqlDatabase& database, const std::string& name) {
  const auto row = rows(
      database,
      "SELECT name, granted_mj, reserved_mj, spent_mj FROM ledger_account WHERE name = ?1", name);
  if (!row->next()) return std::nullopt;
  return read_account(*row);
}

std::vector<AccountRow> all_accounts(SqlDatabase& database) {
  std::vector<AccountRow> accounts;
  const auto row = rows(
      database, "SELECT name, granted_mj, reserved_mj, spent_mj FROM ledger_account ORDER BY name");
  while (row->next()) accounts.push_back(read_account(*row));
  return accounts;
}

Account as_account(const AccountRow& row) {
  return {row.name, from_mj(row.granted_mj), from_mj(row.reserved_mj), from_mj(row.spent_mj)};
}

void throw_no_account(SqlDatabase& database, const std::string& name) {
  std::vector<std::string> names;
  for (const AccountRow& row : all_accounts(database)) names.push_back(row.name);
  throw Error(ErrorCode::unknown, fmt::format("there is no account {}{}; grant it energy first",
                                              name, suggestion(name, names)));
}

void write_journal(SqlDatabase& database, const std::vector<Booking>& bookings) {
  std::vector<std::vector<SqlValue>> entries;
  for (const Booking& each : bookings)
    entries.push_back({each.what, each.account, each.job, each.how, each.amount_mj, each.granted_mj,
                       each.reserved_mj, each.spent_mj});
  insert_rows(database,
              {"ledger_journal (what, account, job, how, amount_mj, granted_mj, reserved_mj, "
               "spent_mj)",
               ""},
              entries);
}

}  // namespace ampere
