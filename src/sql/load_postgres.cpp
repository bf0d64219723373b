#include <fmt/format.h>

#include "ampere/error.h"
#include "base/plugin.h"
#include "sql/postgres_link.h"

namespace ampere {
namespace {

ConnectFunction load() try {
  return reinterpret_cast<ConnectFunction>(plugin_symbol("postgresql", kConnectSymbol));
} catch (const Error& error) {
  throw error.saying(fmt::format(
      "PostgreSQL cannot be used: {}: install libpqxx and this program completely, or choose a "
      "store of sqlite:",
      error.what()));
}

}  // namespace

ConnectPostgres load_postgres() {
  static const ConnectFunction connect = load();
  return [](const std::string& url) { return std::unique_ptr<PostgresLink>(connect(url.c_str())); };
}

}  // namespace ampere
