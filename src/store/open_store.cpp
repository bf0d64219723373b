#include <fmt/format.h>

#include "ampere/error.h"
#include "ampere/store.h"
#include "sql/sql.h"
#include "store/check_store.h"
#include "store/memory_store.h"
#include "store/sql_store.h"

namespace ampere {
namespace {

void require_known(const std::string& url) {
  if (is_database_url(url)) return;
  const bool bare_path = url.find(':') == std::string::npos && !url.empty();
  throw Error(ErrorCode::usage,
              fmt::format("unknown store '{}': the known ones are memory:, sqlite:<path> and "
                          "postgresql://<host>/<database>{}",
                          masked_url(url),
                          bare_path ? fmt::format("; did you mean 'sqlite:{}'?", url) : ""));
}

}  // namespace

std::unique_ptr<Claim> Store::claim(std::int64_t, const std::string&) {
  return std::make_unique<Claim>();
}

std::unique_ptr<Store> open_store(const std::string& url, Access access, const StoreWait& wait) {
  if (url == "memory:") return make_memory_store(access);
  require_known(url);
  return open_sql_store(url, access, {.wait = wait});
}

void check_store_can_be_written(const std::string& url) {
  if (url == "memory:") return;
  require_known(url);
  check_database_can_be_written(url);
}

}  // namespace ampere
