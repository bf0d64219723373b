// The little of SQLite that the store uses. Every failure is an ampere::Error with the file in its
// text; sqlite3.h itself is seen by sqlite_db.cpp alone.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ampere/store.h"

struct sqlite3;
struct sqlite3_stmt;

namespace ampere {

struct SqliteClose {
  void operator()(sqlite3* handle) const;
  void operator()(sqlite3_stmt* statement) const;
};
using SqliteHandle = std::unique_ptr<sqlite3, SqliteClose>;

// The first `count` bytes of a file, whatever it is, filled up with zeros. Read by way of SQLite:
// whoever opens and closes a database file by himself drops the locks his process holds on it.
std::string read_file_start(const std::string& path, std::size_t count);

enum class DatabaseMode { read, read_immutable, write };

// How long to wait for another process that keeps the file locked, and whom to tell.
struct DatabaseWait {
  std::chrono::milliseconds patience{};
  StoreWait told = {};
};

// An open connection, for one thread at a time.
class Database {
 public:
  Database(const std::string& path, DatabaseMode mode, DatabaseWait wait);
  Database(const Database&) = delete;  // SQLite knows its address
  Database& operator=(const Database&) = delete;

  const std::string& path() const { return path_; }
  bool writable() const { return mode_ == DatabaseMode::write; }
  void execute(const std::string& script);
  std::int64_t pragma(const std::string& name);
  std::int64_t last_insert() const;
  void prefer_wal();  // where the file system allows it

 private:
  friend class Statement;
  friend class Transaction;
  sqlite3_stmt* prepared(const std::string& sql);
  void check(int result) const;
  [[noreturn]] void fail(int result) const;
  bool goes_on_waiting(int tries);

  std::string path_;
  DatabaseMode mode_;
  DatabaseWait wait_;
  std::chrono::steady_clock::time_point waiting_since_;
  bool told_ = false;  // of the present wait
  SqliteHandle handle_;
  std::map<std::string, std::unique_ptr<sqlite3_stmt, SqliteClose>> statements_;
};

// A value that SQLite keeps as it is, not as text.
struct Blob {
  std::string bytes;
};

// One run of an SQL statement, which is prepared once a connection. Two runs of the same text must
// not overlap.
class Statement {
 public:
  template <class... Values>
  Statement(Database& database, const std::string& sql, const Values&... values)
      : database_(&database), statement_(database.prepared(sql)) {
    int index = 0;
    (bind(++index, values), ...);
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  bool step();  // false when there is no further row
  std::int64_t integer(int column) const;
  std::optional<double> number(int column) const;  // absent where it is NULL
  std::string text(int column) const;
  std::string blob(int column) const;

 private:
  void bind(int index, std::int64_t value);
  void bind(int index, std::optional<double> value);
  void bind(int index, std::string_view value);
  void bind(int index, const Blob& value);

  Database* database_;
  sqlite3_stmt* statement_;
};

// Runs a statement that gives no rows.
template <class... Values>
void run(Database& database, const std::string& sql, const Values&... values) {
  Statement(database, sql, values...).step();
}

// Holds the one write lock; rolled back unless committed. Inside another one it is a savepoint.
// Throws Error(permission) when the database was opened for reading.
class Transaction {
 public:
  explicit Transaction(Database& database);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

  void commit();

 private:
  Database& database_;
  bool nested_;
  bool open_ = true;
};

}  // namespace ampere
