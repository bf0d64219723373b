// Many rows in few statements: on the way to a server, a statement costs more than a row.
#pragma once

#include <string>
#include <vector>

#include "sql/sql.h"

namespace ampere {

struct Insertion {
  std::string into;    // "ledger_journal (what, job)"
  std::string ending;  // "ON CONFLICT (job) DO NOTHING RETURNING job"; may be empty
};

// Every row has the same number of values. Returns column 0 of what the ending returns.
std::vector<std::string> insert_rows(SqlDatabase& database, const Insertion& insertion,
                                     const std::vector<std::vector<SqlValue>>& rows);

}  // namespace ampere
