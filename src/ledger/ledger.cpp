#include "ledger/ledger.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "ampere/error.h"
#include "ledger/accounts.h"
#include "ledger/amount.h"
#include "ledger/names.h"
#include "ledger/schema.h"
#include "ledger/turn.h"

namespace ampere {
namespace {

constexpr std::pair<Settled, const char*> kSettled[] = {{Settled::measured, "measured"},
                                                        {Settled::modelled, "modelled"},
                                                        {Settled::simulated, "simulated"},
                                                        {Settled::assumed, "assumed"}};
constexpr std::pair<ReservationState, const char*> kStates[] = {
    {ReservationState::open, "open"},
    {ReservationState::settled, "settled"},
    {ReservationState::released, "released"}};

template <class Value, std::size_t size>
std::optional<Value> find_word(const std::pair<Value, const char*> (&words)[size],
                               const std::string& text) {
  for (const auto& [value, word] : words)
    if (text == word) return value;
  return std::nullopt;
}

struct Ended {
  std::string job;
  std::vector<std::string> accounts;
  std::int64_t most_mj = 0;
};

// Frees the reservation and books what was spent.
void book_end(SqlDatabase& database, const Ended& ended, const char* what, std::int64_t spent_mj,
              const char* how) {
  std::vector<Booking> bookings;
  for (const std::string& account : ended.accounts) {
    run(database,
        "UPDATE ledger_account SET reserved_mj = reserved_mj - ?2, spent_mj = spent_mj + ?3 "
        "WHERE name = ?1",
        account, ended.most_mj, spent_mj);
    bookings.push_back({what, account, ended.job, how, spent_mj, 0, -ended.most_mj, spent_mj});
  }
  write_journal(database, bookings);
}

// Ends an open reservation; absent when it is not open.
std::optional<Ended> end_reservation(SqlDatabase& database, const std::string& job,
                                     ReservationState state, std::int64_t spent_mj,
                                     const char* how) {
  const auto row = rows(database,
                        "UPDATE ledger_reservation SET state = ?2, spent_mj = ?3, how = ?4 "
                        "WHERE job = ?1 AND state = 'open' RETURNING accounts, most_mj",
                        job, to_string(state), spent_mj, how);
  if (!row->next()) return std::nullopt;
  return Ended{job, split_accounts(row->text(0)), row->integer(1)};
}

// What an open reservation has drawn. Its row is locked, so that nobody draws in between.
std::optional<std::int64_t> locked_draw(SqlDatabase& database, const std::string& job) {
  const auto row = rows(database,
                        "UPDATE ledger_reservation SET spent_mj = 0 "
                        "WHERE job = ?1 AND state = 'open' RETURNING drawn_mj",
                        job);
  if (!row->next()) return std::nullopt;
  return row->integer(0);
}

[[noreturn]] void throw_no_reservation(const std::string& job) {
  throw Error(ErrorCode::unknown, fmt::format("the ledger has no reservation for {}", job));
}

[[noreturn]] void throw_not_open(const ReservationStatus& status) {
  throw Error(ErrorCode::failed,
              fmt::format("the reservation of {} was {} already{}", status.reservation.job,
                          to_string(status.state),
                          status.how ? fmt::format(" with {:.6g} J ({})", status.spent.value,
                                                   to_string(*status.how))
                                     : ""));
}

[[noreturn]] void throw_not_granted(SqlDatabase& database, const std::string& account,
                                    std::int64_t amount_mj) {
  const auto found = find_account(database, account);
  if (!found) throw_no_account(database, account);
  if (amount_mj > 0)
    throw Error(ErrorCode::usage,
                fmt::format("{}: it has a grant of {}, and with {} more it would exceed 1 TJ",
                            account, mj_text(found->granted_mj), mj_text(amount_mj)));
  throw Error(ErrorCode::failed,
              fmt::format("{}: {} cannot be taken back, because only {} is free of a grant of {} "
                          "({} reserved, {} spent)",
                          account, mj_text(-amount_mj), mj_text(found->free_mj()),
                          mj_text(found->granted_mj), mj_text(found->reserved_mj),
                          mj_text(found->spent_mj)));
}

}  // namespace

const char* to_string(Settled how) {
  for (const auto& [value, word] : kSettled)
    if (value == how) return word;
  return "";
}

const char* to_string(ReservationState state) {
  for (const auto& [value, word] : kStates)
    if (value == state) return word;
  return "";
}

Ledger::Ledger(std::shared_ptr<SqlDatabase> database) : database_(std::move(database)) {
  if (database_->writable())
    migrate(*database_, "ledger", ledger_migrations());
  else if (version_of(*database_, "ledger", ledger_migrations()) < ledger_migrations().size())
    throw Error(
        ErrorCode::unknown,
        fmt::format("{}: has no energy accounts yet; grant some energy first", database_->name()));
}

void Ledger::grant(const std::string& account, Joules amount) {
  check_account_name(account);
  const std::int64_t amount_mj = nearest_mj(amount, account);
  if (amount_mj == 0)
    throw Error(ErrorCode::usage,
                fmt::format("{}: {} J is less than a millijoule", account, amount.value));
  // An account that is beyond its grant may be granted more.
  const std::int64_t least_free_mj =
      amount_mj > 0 ? std::numeric_limits<std::int64_t>::min() : -amount_mj;
  database_->atomically(
      [&] {
        if (amount_mj > 0)
          run(*database_,
              "INSERT INTO ledger_account (name, granted_mj, reserved_mj, spent_mj) "
              "VALUES (?1, 0, 0, 0) ON CONFLICT (name) DO NOTHING",
              account);
        const auto granted = rows(*database_,
                                  "UPDATE ledger_account SET granted_mj = granted_mj + ?2 "
                                  "WHERE name = ?1 AND granted_mj + ?2 <= ?3 "
                                  "AND granted_mj - reserved_mj - spent_mj >= ?4 RETURNING name",
                                  account, amount_mj, kMostMillijoules, least_free_mj);
        if (!granted->next()) throw_not_granted(*database_, account, amount_mj);
        write_journal(*database_, {{"grant", account, "", "", amount_mj, amount_mj, 0, 0}});
      },
      kLedgerTurn);
}

std::vector<Account> Ledger::accounts() {
  std::vector<Account> accounts;
  for (const AccountRow& row : all_accounts(*database_)) accounts.push_back(as_account(row));
  return accounts;
}

Account Ledger::account(const std::string& name) {
  const auto found = find_account(*database_, name);
  if (!found) throw_no_account(*database_, name);
  return as_account(*found);
}

std::optional<ReservationStatus> Ledger::find(const std::string& job) {
  const auto row = rows(*database_,
                        "SELECT accounts, most_mj, drawn_mj, spent_mj, state, how "
                        "FROM ledger_reservation WHERE job = ?1",
                        job);
  if (!row->next()) return std::nullopt;
  const auto state = find_word(kStates, row->text(4));
  if (!state)
    throw Error(ErrorCode::usage, fmt::format("{}: the reservation of {} is in the unknown state "
                                              "'{}'",
                                              database_->name(), job, row->text(4)));
  return ReservationStatus{{job, from_mj(row->integer(1)), split_accounts(row->text(0))},
                           *state,
                           from_mj(row->integer(2)),
                           from_mj(row->integer(3)),
                           find_word(kSettled, row->text(5))};
}

Joules Ledger::draw(const std::string& job, Joules in_all) {
  const std::int64_t asked_mj = mj_rounded_up(in_all, job);
  std::int64_t drawn_mj = 0;
  database_->atomically([&] {
    const auto row = rows(*database_,
                          "UPDATE ledger_reservation SET drawn_mj = CASE "
                          "WHEN ?2 < drawn_mj THEN drawn_mj WHEN ?2 > most_mj THEN most_mj "
                          "ELSE ?2 END WHERE job = ?1 AND state = 'open' RETURNING drawn_mj",
                          job, asked_mj);
    if (!row->next()) {
      const auto status = find(job);
      status ? throw_not_open(*status) : throw_no_reservation(job);
    }
    drawn_mj = row->integer(0);
    write_journal(*database_, {{"draw", "", job, "", drawn_mj, 0, 0, 0}});
  });
  return from_mj(drawn_mj);
}

void Ledger::return_drawn(const std::string& job, Joules spent) {
  const std::int64_t spent_mj = mj_rounded_up(spent, job);
  database_->atomically([&] {
    const auto row = rows(*database_,
                          "UPDATE ledger_reservation SET drawn_mj = ?2 "
                          "WHERE job = ?1 AND state = 'open' AND drawn_mj >= ?2 RETURNING job",
                          job, spent_mj);
    if (!row->next()) {
      const auto status = find(job);
      if (!status) throw_no_reservation(job);
      if (status->state != ReservationState::open) throw_not_open(*status);
      throw Error(ErrorCode::failed, fmt::format("{} has used {}, and it had drawn only {:.6g} J",
                                                 job, mj_text(spent_mj), status->drawn.value));
    }
    write_journal(*database_, {{"return", "", job, "", spent_mj, 0, 0, 0}});
  });
}

void Ledger::settle(const std::string& job, Joules spent, Settled how) {
  const std::int64_t spent_mj = mj_rounded_up(spent, job);
  database_->atomically(
      [&] {
        const auto ended =
            end_reservation(*database_, job, ReservationState::settled, spent_mj, to_string(how));
        if (ended) return book_end(*database_, *ended, "settle", spent_mj, to_string(how));
        const auto status = find(job);
        if (!status) throw_no_reservation(job);
        const bool same = status->state == ReservationState::settled &&
                          status->spent == from_mj(spent_mj) && status->how == how;
        if (!same) throw_not_open(*status);
      },
      kLedgerTurn);
}

void Ledger::settle_assumed(const std::string& job) {
  database_->atomically(
      [&] {
        if (const auto drawn_mj = locked_draw(*database_, job))
          return settle(job, from_mj(*drawn_mj), Settled::assumed);
        const auto status = find(job);
        if (!status) throw_no_reservation(job);
        if (status->how != Settled::assumed) throw_not_open(*status);
      },
      kLedgerTurn);
}

void Ledger::release(const std::string& job) {
  database_->atomically(
      [&] {
        const auto ended = end_reservation(*database_, job, ReservationState::released, 0, "");
        const auto status = find(job);
        if (!status) throw_no_reservation(job);
        if (!ended && status->state != ReservationState::released) throw_not_open(*status);
        if (status->drawn.value > 0)
          throw Error(ErrorCode::failed,
                      fmt::format("{} cannot be released, because it has drawn {:.6g} J: settle it",
                                  job, status->drawn.value));
        if (ended) book_end(*database_, *ended, "release", 0, "");
      },
      kLedgerTurn);
}

}  // namespace ampere
