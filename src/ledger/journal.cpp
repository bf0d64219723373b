#include "ledger/amount.h"
#include "ledger/database_clock.h"
#include "ledger/ledger.h"

namespace ampere {

std::vector<JournalEntry> Ledger::journal(std::int64_t after, std::int64_t at_most) {
  std::vector<JournalEntry> entries;
  const auto row = rows(*database_,
                        "SELECT number, at_ms, what, account, job, how, amount_mj, granted_mj, "
                        "reserved_mj, spent_mj FROM ledger_journal "
                        "WHERE number > ?1 ORDER BY number LIMIT ?2",
                        after, at_most);
  while (row->next())
    entries.push_back({row->integer(0), utc_text(row->integer(1)), row->text(2), row->text(3),
                       row->text(4), row->text(5), from_mj(row->integer(6)),
                       from_mj(row->integer(7)), from_mj(row->integer(8)),
                       from_mj(row->integer(9))});
  return entries;
}

}  // namespace ampere
