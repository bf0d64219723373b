#include "ledger/insert_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace ampere {
namespace {

constexpr std::size_t kMostRows = 256;

// Statements are prepared, so there should be few different ones.
std::size_t rows_at_once(std::size_t left) {
  std::size_t count = kMostRows;
  while (count > left) count /= 2;
  return count;
}

std::string statement(const Insertion& insertion, std::size_t rows, std::size_t columns) {
  std::string sql = fmt::format("INSERT INTO {} VALUES ", insertion.into);
  for (std::size_t i = 0; i < rows * columns; ++i)
    sql += fmt::format("{}?{}{}",
                       i % columns > 0 ? ", "
                       : i > 0         ? ", ("
                                       : "(",
                       i + 1, i % columns + 1 == columns ? ")" : "");
  return sql + " " + insertion.ending;
}

}  // namespace

std::vector<std::string> insert_rows(SqlDatabase& database, const Insertion& insertion,
                                     const std::vector<std::vector<SqlValue>>& rows) {
  std::vector<std::string> returned;
  for (std::size_t done = 0; done < rows.size();) {
    const std::size_t count = rows_at_once(rows.size() - done);
    std::vector<SqlValue> values;
    for (const auto& row : std::span(rows).subspan(done, count))
      values.insert(values.end(), row.begin(), row.end());
    const auto given =
        database.query(statement(insertion, count, rows.front().size()), std::move(values));
    while (given->next()) returned.push_back(given->text(0));
    done += count;
  }
  return returned;
}

}  // namespace ampere
