#include "sql/sqlite_database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "ampere/error.h"
#include "sql/lock_holder.h"
#include "sql/patience.h"

namespace ampere {
namespace {

struct SqliteClose {
  void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using SqliteHandle = std::unique_ptr<sqlite3, SqliteClose>;
using SqliteStatement = std::unique_ptr<sqlite3_stmt, SqliteClose>;

// "file:" names are the only way to say `immutable`; everything but plain characters is escaped.
std::string immutable_name(const std::string& path) {
  std::string name = "file:";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '/' || c == '.' || c == '-' || c == '_';
    name += plain ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return name + "?immutable=1";
}

bool out_of_resources(int system_error) {
  return system_error == EMFILE || system_error == ENFILE || system_error == ENOMEM;
}

// The system's own reason is kept by SQLite only from the calls that reach the system.
std::string reason(int result, sqlite3* handle) {
  if (handle == nullptr) return sqlite3_errstr(result);
  const bool told = sqlite3_errcode(handle) != SQLITE_OK;
  const std::string message = told ? sqlite3_errmsg(handle) : sqlite3_errstr(result);
  const int primary = result & 0xff, system_error = sqlite3_system_errno(handle);
  const bool from_system = primary == SQLITE_CANTOPEN || primary == SQLITE_IOERR;
  if (!from_system || system_error == 0) return message;
  return fmt::format("{} ({})", message, std::strerror(system_error));
}

Error error_of(int result, const std::string& path, sqlite3* handle) {
  const std::string why = reason(result, handle);
  switch (result & 0xff) {
    case SQLITE_CANTOPEN:
      if (handle && out_of_resources(sqlite3_system_errno(handle))) break;
      [[fallthrough]];
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return {ErrorCode::permission,
              fmt::format("{}: cannot be opened or written: {}: change the permissions of the file "
                          "and its folder, or choose another store",
                          path, why)};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {ErrorCode::usage, fmt::format("{}: the store is damaged: {}: restore a copy, or move "
                                            "it away to begin a new one",
                                            path, why)};
    case SQLITE_FULL:
    case SQLITE_IOERR:
      return {ErrorCode::failed,
              fmt::format("{}: cannot be written or read: {}: free some space or choose another "
                          "store; what was stored before is kept",
                          path, why)};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorCode::failed,
              fmt::format("{}: {} keeps it locked: try again when it has finished", path,
                          lock_holder(path))};
    default:
      break;
  }
  return {ErrorCode::failed, fmt::format("{}: {}", path, why)};
}

SqliteHandle open_handle(const std::string& path, const std::string& name, int flags) {
  sqlite3* opened = nullptr;
  const int result = sqlite3_open_v2(name.c_str(), &opened, flags, nullptr);
  SqliteHandle handle(opened);
  if (result != SQLITE_OK) throw error_of(result, path, opened);
  sqlite3_extended_result_codes(opened, 1);
  return handle;
}

SqliteHandle open_handle(const std::string& path, SqliteMode mode) {
  switch (mode) {
    case SqliteMode::read:
      return open_handle(path, path, SQLITE_OPEN_READONLY);
    case SqliteMode::read_immutable:
      return open_handle(path, immutable_name(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    case SqliteMode::write:
      break;
  }
  return open_handle(path, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

// The connection with what it waits for, and the statements that are prepared and not in use.
struct Connection {
  Connection(const std::string& file, SqliteMode mode, const StoreWait& wait)
      : path(file), patience(wait), handle(open_handle(file, mode)) {
    const auto on_busy = [](void* self, int tries) {
      return static_cast<Connection*>(self)->goes_on_waiting(tries) ? 1 : 0;
    };
    sqlite3_busy_handler(handle.get(), on_busy, this);
  }
  Connection(const Connection&) = delete;  // SQLite knows its address
  Connection& operator=(const Connection&) = delete;

  void check(int result) const {
    if (result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE) return;
    if ((result & 0xff) == SQLITE_BUSY) patience.throw_if_stopped();
    throw error_of(result, path, handle.get());
  }

  bool in_transaction() const { return sqlite3_get_autocommit(handle.get()) == 0; }

  bool goes_on_waiting(int tries) {
    if (tries == 0) patience.begin();
    return patience.goes_on([&] {
      return fmt::format("{}: waiting for {}, which keeps it locked", path, lock_holder(path));
    });
  }

  std::string path;
  Patience patience;
  SqliteHandle handle;
  std::unordered_map<std::string, SqliteStatement> statements;  // by their text; empty: in use
};

// A statement on loan from the cache, or one of its own when the cache has none.
class Prepared {
 public:
  Prepared(SqliteStatement statement, SqliteStatement* home)
      : statement_(std::move(statement)), home_(home) {}
  Prepared(Prepared&& other) noexcept
      : statement_(std::move(other.statement_)), home_(std::exchange(other.home_, nullptr)) {}
  Prepared& operator=(Prepared&&) = delete;
  ~Prepared() {
    if (home_ == nullptr) return;
    sqlite3_reset(statement_.get());
    sqlite3_clear_bindings(statement_.get());
    *home_ = std::move(statement_);
  }

  sqlite3_stmt* get() const { return statement_.get(); }

 private:
  SqliteStatement statement_;
  SqliteStatement* home_;
};

class Rows final : public SqlRows {
 public:
  Rows(Connection& connection, Prepared prepared, std::vector<SqlValue> values)
      : connection_(connection), values_(std::move(values)), prepared_(std::move(prepared)) {
    for (std::size_t i = 0; i < values_.size(); ++i)
      connection_.check(bind(static_cast<int>(i) + 1, values_[i]));
    more_ = step();
  }
  bool next() override {
    if (!first_) more_ = more_ && step();
    first_ = false;
    return more_;
  }

  std::int64_t integer(int column) const override {
    return sqlite3_column_int64(statement(), column);
  }
  std::optional<double> number(int column) const override {
    if (sqlite3_column_type(statement(), column) == SQLITE_NULL) return std::nullopt;
    return sqlite3_column_double(statement(), column);
  }
  std::string text(int column) const override {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement(), column));
    return text == nullptr ? "" : std::string(text, bytes(column));
  }
  std::string blob(int column) const override {
    const auto* blob = static_cast<const char*>(sqlite3_column_blob(statement(), column));
    return blob == nullptr ? "" : std::string(blob, bytes(column));
  }

 private:
  sqlite3_stmt* statement() const { return prepared_.get(); }
  std::size_t bytes(int column) const {
    return static_cast<std::size_t>(sqlite3_column_bytes(statement(), column));
  }

  // Texts and blobs are not copied: they live in values_ for as long as the statement needs them.
  int bind(int index, const SqlValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value))
      return sqlite3_bind_int64(statement(), index, *integer);
    if (const auto* number = std::get_if<double>(&value))
      return sqlite3_bind_double(statement(), index, *number);
    if (const auto* text = std::get_if<std::string>(&value))
      return sqlite3_bind_text64(statement(), index, text->data(), text->size(), SQLITE_STATIC,
                                 SQLITE_UTF8);
    if (const auto* blob = std::get_if<Blob>(&value))
      return sqlite3_bind_blob64(statement(), index, blob->bytes.data(), blob->bytes.size(),
                                 SQLITE_STATIC);
    return sqlite3_bind_null(statement(), index);
  }

  bool step() {
    const int result = sqlite3_step(statement());
    connection_.check(result);
    return result == SQLITE_ROW;
  }

  Connection& connection_;
  std::vector<SqlValue> values_;
  Prepared prepared_;  // goes before the values that are bound to it
  bool first_ = true, more_ = false;
};

// Holds the one write lock; rolled back unless committed. Inside another one it is a savepoint.
class Transaction {
 public:
  explicit Transaction(SqlDatabase& database, Connection& connection)
      : database_(database), connection_(connection), nested_(connection.in_transaction()) {
    database.execute(nested_ ? "SAVEPOINT inner" : "BEGIN IMMEDIATE");
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    // SQLite itself rolls back on some failures; then there is nothing left to undo.
    if (!open_ || !connection_.in_transaction()) return;
    sqlite3_exec(connection_.handle.get(),
                 nested_ ? "ROLLBACK TO inner; RELEASE inner" : "ROLLBACK", nullptr, nullptr,
                 nullptr);
  }

  void commit() {
    database_.execute(nested_ ? "RELEASE inner" : "COMMIT");
    open_ = false;
  }

 private:
  SqlDatabase& database_;
  Connection& connection_;
  bool nested_;
  bool open_ = true;
};

class SqliteDatabase final : public SqlDatabase {
 public:
  SqliteDatabase(const std::string& path, SqliteMode mode, const StoreWait& wait)
      : writable_(mode == SqliteMode::write), connection_(path, mode, wait) {
    // Triggers and views in a file from elsewhere must not reach beyond it.
    execute("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF");
    if (!writable_) return;
    if (sqlite3_db_readonly(connection_.handle.get(), "main") == 1)
      connection_.check(SQLITE_READONLY);
    execute("PRAGMA synchronous = FULL");
  }

  SqlEngine engine() const override { return SqlEngine::sqlite; }
  const std::string& name() const override { return connection_.path; }
  bool writable() const override { return writable_; }

  std::unique_ptr<SqlRows> query(const std::string& sql, std::vector<SqlValue> values) override {
    return std::make_unique<Rows>(connection_, prepared(sql), std::move(values));
  }

  void execute(const std::string& script) override {
    connection_.check(
        sqlite3_exec(connection_.handle.get(), script.c_str(), nullptr, nullptr, nullptr));
  }

  // There is one writer at a time in any case, so that turns need no further care.
  void atomically(const std::function<void()>& changes, const std::string&) override {
    if (!writable_) throw_read_only(name());
    if (!connection_.in_transaction()) prefer_wal();
    Transaction transaction(*this, connection_);
    changes();
    transaction.commit();
  }

  bool try_lock(const std::string&) override { return true; }
  void unlock(const std::string&) override {}

 private:
  // When the first change comes and not before: a file that is refused for its version stays as it
  // was. The result is not asked for: without WAL, or while another process holds the lock, the
  // rollback journal is as safe.
  void prefer_wal() {
    if (std::exchange(wal_asked_, true)) return;
    sqlite3_exec(connection_.handle.get(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
  }

  // Taken out of the cache while it is in use, so that two runs of one text may overlap.
  Prepared prepared(const std::string& sql) {
    const auto [known, is_new] = connection_.statements.try_emplace(sql);
    if (known->second) return {std::move(known->second), &known->second};
    sqlite3_stmt* statement = nullptr;
    connection_.check(sqlite3_prepare_v3(connection_.handle.get(), sql.data(),
                                         static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                                         &statement, nullptr));
    return {SqliteStatement(statement), is_new ? &known->second : nullptr};
  }

  bool writable_;
  bool wal_asked_ = false;
  Connection connection_;
};

}  // namespace

std::string read_file_start(const std::string& path, std::size_t count) {
  const SqliteHandle handle = open_handle(path, path, SQLITE_OPEN_READONLY);
  sqlite3_file* file = nullptr;
  sqlite3_file_control(handle.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  std::string start(count, '\0');
  const int result = file->pMethods->xRead(file, start.data(), static_cast<int>(count), 0);
  if (result != SQLITE_OK && result != SQLITE_IOERR_SHORT_READ)
    throw error_of(result, path, handle.get());
  return start;
}

std::unique_ptr<SqlDatabase> open_sqlite_file(const std::string& path, SqliteMode mode,
                                              const StoreWait& wait) {
  return std::make_unique<SqliteDatabase>(path, mode, wait);
}

}  // namespace ampere
