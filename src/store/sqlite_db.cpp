#include "store/sqlite_db.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "ampere/error.h"
#include "store/lock_holder.h"
#include "store/storable.h"

namespace ampere {
namespace {

constexpr std::chrono::milliseconds kQuietly{2000};  // a wait that nobody needs to know of
constexpr std::chrono::milliseconds kFirstNap{1}, kLongestNap{50};

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

SqliteHandle open_database(const std::string& path, DatabaseMode mode) {
  switch (mode) {
    case DatabaseMode::read:
      return open_handle(path, path, SQLITE_OPEN_READONLY);
    case DatabaseMode::read_immutable:
      return open_handle(path, immutable_name(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
    case DatabaseMode::write:
      break;
  }
  return open_handle(path, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

}  // namespace

void SqliteClose::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
void SqliteClose::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

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

Database::Database(const std::string& path, DatabaseMode mode, DatabaseWait wait)
    : path_(path), mode_(mode), wait_(std::move(wait)), handle_(open_database(path, mode)) {
  const auto on_busy = [](void* self, int tries) {
    return static_cast<Database*>(self)->goes_on_waiting(tries) ? 1 : 0;
  };
  sqlite3_busy_handler(handle_.get(), on_busy, this);
  // Triggers and views in a file from elsewhere must not reach beyond it.
  execute("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF");
  if (!writable()) return;
  if (sqlite3_db_readonly(handle_.get(), "main") == 1) fail(SQLITE_READONLY);
  execute("PRAGMA synchronous = FULL");
}

// `tries` is 0 when a wait begins.
bool Database::goes_on_waiting(int tries) {
  const auto now = std::chrono::steady_clock::now();
  if (tries == 0) {
    waiting_since_ = now;
    told_ = false;
  }
  const auto waited = now - waiting_since_;
  if (wait_.told.stop.stop_requested() || waited >= wait_.patience) return false;
  if (!told_ && waited >= kQuietly) {
    told_ = true;
    const auto left = std::chrono::ceil<std::chrono::seconds>(wait_.patience - waited);
    if (wait_.told.tell)
      wait_.told.tell(fmt::format("{}: waiting for {}, which keeps it locked, for {} s at most",
                                  path_, lock_holder(path_), left.count()));
  }
  std::this_thread::sleep_for(std::min(kLongestNap, kFirstNap * (tries + 1)));
  return true;
}

void Database::execute(const std::string& script) {
  check(sqlite3_exec(handle_.get(), script.c_str(), nullptr, nullptr, nullptr));
}

std::int64_t Database::pragma(const std::string& name) {
  Statement statement(*this, "PRAGMA " + name);
  return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Database::last_insert() const { return sqlite3_last_insert_rowid(handle_.get()); }

void Database::prefer_wal() {
  // The result is not asked for: without WAL, or while another process holds the lock, the rollback
  // journal is as safe.
  sqlite3_exec(handle_.get(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
}

sqlite3_stmt* Database::prepared(const std::string& sql) {
  const auto known = statements_.find(sql);
  if (known != statements_.end()) return known->second.get();
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                           SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
  statements_.emplace(sql, statement);
  return statement;
}

void Database::check(int result) const {
  if (result != SQLITE_OK && result != SQLITE_ROW && result != SQLITE_DONE) fail(result);
}

void Database::fail(int result) const {
  if ((result & 0xff) == SQLITE_BUSY) wait_.told.stop.throw_if_stopped();
  throw error_of(result, path_, handle_.get());
}

Statement::~Statement() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

bool Statement::step() {
  const int result = sqlite3_step(statement_);
  database_->check(result);
  return result == SQLITE_ROW;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::optional<double> Statement::number(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_double(statement_, column);
}

std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (text == nullptr) return "";
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::string Statement::blob(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  if (bytes == nullptr) return "";
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

void Statement::bind(int index, std::int64_t value) {
  database_->check(sqlite3_bind_int64(statement_, index, value));
}

void Statement::bind(int index, std::optional<double> value) {
  database_->check(value ? sqlite3_bind_double(statement_, index, *value)
                         : sqlite3_bind_null(statement_, index));
}

void Statement::bind(int index, std::string_view value) {
  database_->check(sqlite3_bind_text64(statement_, index, value.data() ? value.data() : "",
                                       value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bind(int index, const Blob& value) {
  database_->check(sqlite3_bind_blob64(statement_, index, value.bytes.data(), value.bytes.size(),
                                       SQLITE_TRANSIENT));
}

Transaction::Transaction(Database& database)
    : database_(database), nested_(sqlite3_get_autocommit(database.handle_.get()) == 0) {
  if (!database.writable()) throw_read_only(database.path());
  database.execute(nested_ ? "SAVEPOINT inner" : "BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  // SQLite itself rolls back on some failures; then there is nothing left to undo.
  if (!open_ || sqlite3_get_autocommit(database_.handle_.get()) != 0) return;
  sqlite3_exec(database_.handle_.get(), nested_ ? "ROLLBACK TO inner; RELEASE inner" : "ROLLBACK",
               nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute(nested_ ? "RELEASE inner" : "COMMIT");
  open_ = false;
}

}  // namespace ampere
