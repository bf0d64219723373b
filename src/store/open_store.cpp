#include <fmt/format.h>

#include "ampere/error.h"
#include "ampere/store.h"
#include "store/check_store.h"
#include "store/memory_store.h"
#include "store/sqlite_store.h"

namespace ampere {
namespace {

constexpr std::string_view kSqlite = "sqlite:";

[[noreturn]] void refuse(const std::string& url) {
  const bool bare_path = url.find(':') == std::string::npos && !url.empty();
  throw Error(ErrorCode::usage,
              fmt::format("unknown store '{}': the known ones are memory: and sqlite:<path>{}", url,
                          bare_path ? fmt::format("; did you mean 'sqlite:{}'?", url) : ""));
}

std::string path_of(const std::string& url) {
  if (!url.starts_with(kSqlite)) refuse(url);
  std::string path = url.substr(kSqlite.size());
  if (path.empty())
    throw Error(ErrorCode::usage, "'sqlite:' needs the path of a file: sqlite:<path>");
  if (path.find('\0') != std::string::npos)
    throw Error(ErrorCode::usage, "the path of a store must not contain a NUL character");
  return path;
}

}  // namespace

std::unique_ptr<Store> open_store(const std::string& url, Access access, const StoreWait& wait) {
  if (url == "memory:") return make_memory_store(access);
  SqliteOptions options;
  options.wait = wait;
  return open_sqlite_store(path_of(url), access, options);
}

void check_store_can_be_written(const std::string& url) {
  if (url != "memory:") check_sqlite_store_can_be_written(path_of(url));
}

}  // namespace ampere
