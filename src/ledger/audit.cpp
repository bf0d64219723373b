// The ledger recomputed from its journal.
#include <fmt/format.h>

#include <map>

#include "ledger/accounts.h"
#include "ledger/amount.h"
#include "ledger/ledger.h"
#include "ledger/names.h"

namespace ampere {
namespace {

// One statement, so that everything is seen at one moment whatever others do meanwhile. Each row
// begins with what it tells.
constexpr const char* kEverything = R"(
SELECT 'account', name, '', granted_mj, reserved_mj, spent_mj FROM ledger_account
UNION ALL SELECT 'journal', account, '', CAST(SUM(granted_mj) AS BIGINT),
  CAST(SUM(reserved_mj) AS BIGINT), CAST(SUM(spent_mj) AS BIGINT)
  FROM ledger_journal WHERE account <> '' GROUP BY account
UNION ALL SELECT 'lowest', account, '', MIN(free_mj), 0, 0 FROM
  (SELECT account, CAST(SUM(granted_mj - reserved_mj - spent_mj)
     OVER (PARTITION BY account ORDER BY number) AS BIGINT) AS free_mj
   FROM ledger_journal WHERE account <> '') AS history GROUP BY account
UNION ALL SELECT state, job, accounts, most_mj, drawn_mj, spent_mj FROM ledger_reservation
UNION ALL SELECT 'booked', job, account, 0, CAST(SUM(reserved_mj) AS BIGINT),
  CAST(SUM(spent_mj) AS BIGINT)
  FROM ledger_journal WHERE account <> '' AND job <> '' GROUP BY job, account
UNION ALL SELECT 'drawn', entry.job, '', entry.amount_mj, 0, 0 FROM ledger_journal AS entry JOIN
  (SELECT MAX(number) AS latest FROM ledger_journal WHERE what IN ('draw', 'return') GROUP BY job)
  AS draws ON draws.latest = entry.number
UNION ALL SELECT 'entries', '', '', COUNT(*), 0, 0 FROM ledger_journal)";

struct Reserved {
  std::string state;
  std::vector<std::string> accounts;
  std::int64_t most_mj = 0, drawn_mj = 0, spent_mj = 0;
};

struct Booked {
  std::int64_t reserved_mj = 0, spent_mj = 0;
  friend bool operator==(const Booked&, const Booked&) = default;
};

struct Everything {
  std::map<std::string, AccountRow> accounts, journal;
  std::map<std::string, std::int64_t> lowest_mj;  // what was ever free, by account
  std::map<std::string, Reserved> reservations;
  std::map<std::pair<std::string, std::string>, Booked> booked;  // by job and account
  std::map<std::string, std::int64_t> drawn_mj;                  // by job
  std::int64_t entries = 0;
};

void add_row(Everything& all, const SqlRows& row) {
  const std::string what = row.text(0), name = row.text(1), other = row.text(2);
  const std::int64_t a = row.integer(3), b = row.integer(4), c = row.integer(5);
  if (what == "account") {
    all.accounts[name] = {name, a, b, c};
  } else if (what == "journal") {
    all.journal[name] = {name, a, b, c};
  } else if (what == "lowest") {
    all.lowest_mj[name] = a;
  } else if (what == "booked") {
    all.booked[{name, other}] = {b, c};
  } else if (what == "drawn") {
    all.drawn_mj[name] = a;
  } else if (what == "entries") {
    all.entries = a;
  } else {
    all.reservations[name] = {what, split_accounts(other), a, b, c};
  }
}

Everything read_everything(SqlDatabase& database) {
  Everything all;
  const auto row = rows(database, kEverything);
  while (row->next()) add_row(all, *row);
  return all;
}

class Auditor {
 public:
  explicit Auditor(const Everything& all) : all_(all) {
    audit_.entries = all.entries;
    audit_.accounts = std::ssize(all.accounts);
    audit_.reservations = std::ssize(all.reservations);
  }

  Audit run() {
    for (const auto& [name, account] : all_.accounts) check_account(account);
    for (const auto& [name, journal] : all_.journal)
      if (!all_.accounts.contains(name))
        differ("{}: the journal has an account that is gone", name);
    for (const auto& [job, reserved] : all_.reservations) check_reservation(job, reserved);
    for (const auto& [key, booked] : all_.booked)
      if (!all_.reservations.contains(key.first))
        differ("{}: the journal has a reservation that is gone", key.first);
    return std::move(audit_);
  }

 private:
  template <class... Values>
  void differ(fmt::format_string<Values...> text, Values&&... values) {
    audit_.differences.push_back(fmt::format(text, std::forward<Values>(values)...));
  }

  void compare(const std::string& name, const char* what, std::int64_t has_mj,
               std::int64_t should_mj, const char* by) {
    if (has_mj != should_mj)
      differ("{}: {} {}, and {} by {}", name, mj_text(has_mj), what, mj_text(should_mj), by);
  }

  void check_account(const AccountRow& account) {
    const auto found = all_.journal.find(account.name);
    const AccountRow journal = found == all_.journal.end() ? AccountRow{} : found->second;
    compare(account.name, "granted", account.granted_mj, journal.granted_mj, "the journal");
    compare(account.name, "reserved", account.reserved_mj, journal.reserved_mj, "the journal");
    compare(account.name, "spent", account.spent_mj, journal.spent_mj, "the journal");
    const Booked jobs = of_jobs(account.name);
    compare(account.name, "reserved", account.reserved_mj, jobs.reserved_mj, "its jobs");
    compare(account.name, "spent", account.spent_mj, jobs.spent_mj, "its jobs");
    const auto lowest = all_.lowest_mj.find(account.name);
    if (lowest != all_.lowest_mj.end() && lowest->second < 0)
      audit_.overdrawn.push_back(
          fmt::format("{}: was {} beyond its grant", account.name, mj_text(-lowest->second)));
  }

  // Σ over all jobs that the account bears.
  Booked of_jobs(const std::string& account) {
    if (sums_.empty())
      for (const auto& [job, reserved] : all_.reservations)
        for (const std::string& each : reserved.accounts) {
          sums_[each].reserved_mj += reserved.state == "open" ? reserved.most_mj : 0;
          sums_[each].spent_mj += reserved.state == "settled" ? reserved.spent_mj : 0;
        }
    return sums_[account];
  }

  void check_reservation(const std::string& job, const Reserved& reserved) {
    const bool open = reserved.state == "open", settled = reserved.state == "settled";
    const Booked expected{open ? reserved.most_mj : 0, settled ? reserved.spent_mj : 0};
    for (const std::string& account : reserved.accounts) {
      const auto found = all_.booked.find({job, account});
      const Booked booked = found == all_.booked.end() ? Booked{-1, -1} : found->second;
      if (booked != expected)
        differ("{}: is {}, and the journal has not booked it so for {}", job, reserved.state,
               account);
    }
    const auto drawn = all_.drawn_mj.find(job);
    compare(job, "drawn", reserved.drawn_mj, drawn == all_.drawn_mj.end() ? 0 : drawn->second,
            "the journal");
    if (settled && reserved.spent_mj > reserved.drawn_mj)
      audit_.overspent.push_back(fmt::format("{}: spent {}, drawn {}, reserved {}", job,
                                             mj_text(reserved.spent_mj), mj_text(reserved.drawn_mj),
                                             mj_text(reserved.most_mj)));
  }

  const Everything& all_;
  std::map<std::string, Booked> sums_;  // by account
  Audit audit_;
};

}  // namespace

Audit Ledger::audit() { return Auditor(read_everything(*database_)).run(); }

}  // namespace ampere
