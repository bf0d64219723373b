#include <fmt/format.h>

#include "ampere/error.h"
#include "ampere/store.h"
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

}  // namespace

std::unique_ptr<Store> open_store(const std::string& url, Access access) {
  if (url == "memory:") return make_memory_store(access);
  if (!url.starts_with(kSqlite)) refuse(url);
  const std::string path = url.substr(kSqlite.size());
  if (path.empty())
    throw Error(ErrorCode::usage, "'sqlite:' needs the path of a file: sqlite:<path>");
  if (path.find('\0') != std::string::npos)
    throw Error(ErrorCode::usage, "the path of a store must not contain a NUL character");
  return open_sqlite_store(path, access);
}

}  // namespace ampere
