// The little of SQL that store, ledger and fleet need, over two engines: a file of SQLite, and a
// database of a PostgreSQL server. Statements are written once, in the subset that both understand:
// placeholders ?1 ?2 …, ON CONFLICT, RETURNING. Every failure is an ampere::Error with the file or
// the server in its text.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "ampere/progress.h"

namespace ampere {

// A value that is kept as it is, not as text.
struct Blob {
  std::string bytes;
};
using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string, Blob>;  // or NULL

// The rows that a statement gave, one after another. They must not outlive their database. Columns
// count from 0.
class SqlRows {
 public:
  virtual ~SqlRows() = default;
  virtual bool next() = 0;  // to the first row, then to further ones; false when there is none
  virtual std::int64_t integer(int column) const = 0;          // 0 where it is NULL
  virtual std::optional<double> number(int column) const = 0;  // absent where it is NULL
  virtual std::string text(int column) const = 0;              // empty where it is NULL
  virtual std::string blob(int column) const = 0;              // likewise
};

enum class SqlEngine { sqlite, postgresql };

// One connection, for one thread at a time.
class SqlDatabase {
 public:
  virtual ~SqlDatabase() = default;

  virtual SqlEngine engine() const = 0;
  virtual const std::string& name() const = 0;  // for messages: a path or a URL without password
  virtual bool writable() const = 0;

  // Runs one statement, which is prepared once per connection. It has taken effect on return. A
  // statement that changes anything belongs inside `atomically`; one that reads may be outside, and
  // is then run again when the connection to a server breaks.
  virtual std::unique_ptr<SqlRows> query(const std::string& sql, std::vector<SqlValue> values) = 0;

  // Runs statements without values, separated by semicolons.
  virtual void execute(const std::string& script) = 0;

  // Makes everything `changes` does to this database permanent on return, or nothing of it when it
  // throws. No other transaction is seen by half. Inside another call it is a savepoint. Throws
  // Error(permission) when the database was opened for reading.
  //
  // It happens exactly once. With a server, the outermost call is run again when the connection
  // breaks or the server asks for it (serialization failures, deadlocks), for as long as the
  // StoreWait allows; whether an interrupted commit happened is asked of the server. `changes` may
  // therefore run several times and must have no effect outside the database.
  //
  // Transactions that name the same `turn` wait for one another instead of colliding, which saves
  // repeating them when they change the same rows. No turn is needed for correctness.
  virtual void atomically(const std::function<void()>& changes, const std::string& turn = "") = 0;

  // A lock that lives as long as this connection unless it is released before: no other connection
  // to the same server gets it meanwhile. Returns false when another one holds it. A file of SQLite
  // has no such locks, and every one is granted. It is taken again when the connection was lost.
  virtual bool try_lock(const std::string& what) = 0;
  virtual void unlock(const std::string& what) = 0;
};

inline SqlValue sql_value(std::int64_t value) { return value; }
inline SqlValue sql_value(double value) { return value; }
inline SqlValue sql_value(std::string value) { return value; }
inline SqlValue sql_value(const char* value) { return std::string(value); }
inline SqlValue sql_value(Blob value) { return value; }
template <class Value>
SqlValue sql_value(const std::optional<Value>& value) {
  return value ? sql_value(*value) : SqlValue{};
}

// `rows(database, "SELECT a FROM b WHERE c = ?1 AND d = ?2", c, d)`
template <class... Values>
std::unique_ptr<SqlRows> rows(SqlDatabase& database, const std::string& sql, Values&&... values) {
  std::vector<SqlValue> all;
  all.reserve(sizeof...(values));
  (all.push_back(sql_value(std::forward<Values>(values))), ...);
  return database.query(sql, std::move(all));
}

// Runs a statement whose rows nobody wants.
template <class... Values>
void run(SqlDatabase& database, const std::string& sql, Values&&... values) {
  rows(database, sql, std::forward<Values>(values)...);
}

// "sqlite:<path>", or a URL of PostgreSQL as libpq understands it: "postgresql://host/database". A
// file is made when it is to be written; the database of a server must be there. Throws
// Error(usage) for another URL or file, Error(permission) when it may not be opened so,
// Error(unknown) when a file to read is not there, Error(failed) when a server does not answer.
std::unique_ptr<SqlDatabase> open_database(const std::string& url, Access access,
                                           const StoreWait& wait = {});
bool is_database_url(const std::string& url);
// Throws what opening it for writing would throw, and makes no file.
void check_database_can_be_written(const std::string& url);

// The URL as it may be printed: a password in it becomes "***".
std::string masked_url(const std::string& url);

[[noreturn]] void throw_read_only(const std::string& name);  // Error(permission)

// Migration i brings the tables of a component from version i to i + 1.
using Migration = std::function<void(SqlDatabase&)>;
using Migrations = std::span<const Migration>;

// Runs a script. Where both engines have a different word, the script says $ID for a column that
// numbers the rows ("id $ID"), $BLOB for the type of blobs and $REAL for that of numbers.
Migration running(const char* script);

// The version that the tables of a component ("store", "ledger", "fleet") have, 0 before there are
// any. Throws Error(usage) when it is newer than the newest of these.
std::size_t version_of(SqlDatabase& database, const std::string& component, Migrations migrations);

// Brings the tables of a component to the newest version, all or nothing. Throws Error(usage) when
// they are newer, and leaves them untouched.
void migrate(SqlDatabase& database, const std::string& component, Migrations migrations);

}  // namespace ampere
