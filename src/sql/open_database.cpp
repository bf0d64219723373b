#include <fmt/format.h>

#include "ampere/error.h"
#include "sql/postgres_database.h"
#include "sql/postgres_url.h"
#include "sql/sqlite_database.h"

namespace ampere {
namespace {

constexpr std::string_view kSqlite = "sqlite:";

std::string path_of(const std::string& url) {
  std::string path = url.substr(kSqlite.size());
  if (path.empty())
    throw Error(ErrorCode::usage, "'sqlite:' needs the path of a file: sqlite:<path>");
  if (path.find('\0') != std::string::npos)
    throw Error(ErrorCode::usage, "the path of a store must not contain a NUL character");
  return path;
}

}  // namespace

bool is_database_url(const std::string& url) {
  return url.starts_with(kSqlite) || is_postgres_url(url);
}

std::unique_ptr<SqlDatabase> open_database(const std::string& url, Access access,
                                           const StoreWait& wait) {
  if (url.starts_with(kSqlite)) return open_sqlite(path_of(url), access, wait);
  if (is_postgres_url(url)) return open_postgres(url, access, wait, load_postgres());
  throw Error(ErrorCode::usage, fmt::format("'{}' is not the URL of a database", url));
}

void check_database_can_be_written(const std::string& url) {
  if (url.starts_with(kSqlite))
    check_sqlite_can_be_written(path_of(url));
  else
    open_database(url, Access::write);
}

void throw_read_only(const std::string& name) {
  throw Error(ErrorCode::permission, fmt::format("{}: opened for reading only", name));
}

}  // namespace ampere
