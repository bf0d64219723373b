// Reserving: many jobs in one transaction, with few statements.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "ampere/error.h"
#include "base/text.h"
#include "ledger/accounts.h"
#include "ledger/amount.h"
#include "ledger/insert_rows.h"
#include "ledger/ledger.h"
#include "ledger/names.h"
#include "ledger/turn.h"

namespace ampere {
namespace {

struct Wanted {
  std::string job;
  std::int64_t most_mj = 0;
  std::vector<std::string> accounts;  // sorted
};

// In the order of their names, in which all transactions insert them.
std::vector<Wanted> checked(const std::vector<Reservation>& reservations) {
  std::vector<Wanted> all;
  for (const Reservation& each : reservations) {
    check_job_name(each.job);
    all.push_back(
        {each.job, mj_rounded_up(each.most, each.job), sorted_accounts(each.accounts, each.job)});
  }
  std::ranges::sort(all, {}, &Wanted::job);
  const auto twice = std::ranges::adjacent_find(all, {}, &Wanted::job);
  if (twice != all.end())
    throw Error(ErrorCode::usage, fmt::format("{}: two reservations are asked for", twice->job));
  return all;
}

// Inserts those that are not there yet, and returns them.
std::vector<Wanted> insert_new(SqlDatabase& database, const std::vector<Wanted>& all) {
  std::vector<std::vector<SqlValue>> lines;
  for (const Wanted& each : all)
    lines.push_back({each.job, joined_accounts(each.accounts), each.most_mj, std::int64_t{0},
                     std::int64_t{0}, "open", ""});
  const std::vector<std::string> inserted =
      insert_rows(database,
                  {"ledger_reservation (job, accounts, most_mj, drawn_mj, spent_mj, state, how)",
                   "ON CONFLICT (job) DO NOTHING RETURNING job"},
                  lines);
  const std::unordered_set<std::string> names(inserted.begin(), inserted.end());
  std::vector<Wanted> fresh;
  for (const Wanted& each : all)
    if (names.contains(each.job)) fresh.push_back(each);
  return fresh;
}

void require_same(const Wanted& wanted, const ReservationStatus& there) {
  const Reservation& reservation = there.reservation;
  if (nearest_mj(reservation.most, wanted.job) == wanted.most_mj &&
      reservation.accounts == wanted.accounts)
    return;
  throw Error(ErrorCode::failed,
              fmt::format("{} has a reservation already, of {:.6g} J from {}, and now {} from {} "
                          "is asked for: a job has one reservation",
                          wanted.job, reservation.most.value, fmt::join(reservation.accounts, ", "),
                          mj_text(wanted.most_mj), fmt::join(wanted.accounts, ", ")));
}

// How many of the reservations, in the order in which they were asked for, the account could bear.
std::size_t fitting(const AccountRow& account, const std::vector<Reservation>& asked,
                    const std::set<std::string>& fresh) {
  std::int64_t sum_mj = 0;
  std::size_t count = 0;
  for (const Reservation& each : asked) {
    if (!fresh.contains(each.job) ||
        std::ranges::find(each.accounts, account.name) == each.accounts.end())
      continue;
    sum_mj = added_mj(sum_mj, mj_rounded_up(each.most, each.job));
    if (sum_mj > account.free_mj()) break;
    ++count;
  }
  return count;
}

std::string lack_text(const AccountRow& account, std::int64_t asked_mj,
                      const std::vector<Reservation>& asked, const std::set<std::string>& fresh) {
  std::string text =
      fmt::format("{} lacks {}: {} is asked for, and {} is free of a grant of {}", account.name,
                  mj_text(asked_mj - account.free_mj()), mj_text(asked_mj),
                  mj_text(account.free_mj()), mj_text(account.granted_mj));
  if (fresh.size() > 1)
    text += fmt::format(" (the first {} of its jobs would fit)", fitting(account, asked, fresh));
  return text;
}

// `sums_mj` is what is asked of each account, and those before `taken` have given it already.
[[noreturn]] void throw_lacking(SqlDatabase& database,
                                const std::map<std::string, std::int64_t>& sums_mj,
                                const std::string& taken, const std::vector<Reservation>& asked,
                                const std::vector<Wanted>& wanted) {
  std::set<std::string> fresh;
  for (const Wanted& each : wanted) fresh.insert(each.job);
  std::vector<std::string> lacking;
  for (const auto& [name, sum_mj] : sums_mj) {
    auto account = find_account(database, name);
    if (!account) throw_no_account(database, name);
    if (name < taken) account->reserved_mj -= sum_mj;
    if (account->free_mj() < sum_mj) lacking.push_back(lack_text(*account, sum_mj, asked, fresh));
  }
  throw Error(ErrorCode::failed,
              fmt::format("{} cannot be reserved: {}",
                          fresh.size() == 1 ? *fresh.begin() : counted(std::ssize(fresh), "job"),
                          fmt::join(lacking, "; ")));
}

void take(SqlDatabase& database, const std::map<std::string, std::int64_t>& sums_mj,
          const std::vector<Reservation>& asked, const std::vector<Wanted>& fresh) {
  for (const auto& [name, sum_mj] : sums_mj) {
    const auto row = rows(database,
                          "UPDATE ledger_account SET reserved_mj = reserved_mj + ?2 "
                          "WHERE name = ?1 AND granted_mj - reserved_mj - spent_mj >= ?2 "
                          "RETURNING name",
                          name, sum_mj);
    if (!row->next()) throw_lacking(database, sums_mj, name, asked, fresh);
  }
}

}  // namespace

void Ledger::reserve(const std::string& job, Joules most,
                     const std::vector<std::string>& accounts) {
  reserve({{job, most, accounts}});
}

void Ledger::reserve(const std::vector<Reservation>& reservations) {
  const std::vector<Wanted> all = checked(reservations);
  database_->atomically(
      [&] {
        const std::vector<Wanted> fresh = insert_new(*database_, all);
        if (fresh.size() < all.size())
          for (const Wanted& each : all)
            if (const auto there = find(each.job)) require_same(each, *there);
        std::map<std::string, std::int64_t> sums_mj;
        std::vector<Booking> bookings;
        for (const Wanted& each : fresh)
          for (const std::string& account : each.accounts) {
            sums_mj[account] = added_mj(sums_mj[account], each.most_mj);
            bookings.push_back(
                {"reserve", account, each.job, "", each.most_mj, 0, each.most_mj, 0});
          }
        take(*database_, sums_mj, reservations, fresh);
        write_journal(*database_, bookings);
      },
      kLedgerTurn);
}

}  // namespace ampere
