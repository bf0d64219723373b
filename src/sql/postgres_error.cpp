#include "sql/postgres_error.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "base/plain_text.h"
#include "base/text.h"
#include "sql/postgres_link.h"

namespace ampere {
namespace {

using Lasts = ConnectFailure::Lasts;

struct Known {
  std::string_view words;  // of the message
  ErrorCode code;
  Lasts lasts;
  std::string_view remedy;
};

constexpr std::string_view kPassword =
    "keep the password in a password file (~/.pgpass or PGPASSFILE) or in PGPASSWORD";
constexpr std::string_view kCertificate =
    "give the authority that signed the server's certificate as sslrootcert, name the host as the "
    "certificate does, or ask who runs the server; sslmode says how much is checked";
constexpr std::string_view kUrl = "write postgresql://user@host:port/database?option=value";
constexpr std::string_view kReach =
    "check that the server runs, and its host and port; everything stored before is kept";

// libpq gives no code when a connection fails, only text, in which the first of these decides.
constexpr std::array kConnecting = std::to_array<Known>({
    {"password authentication failed", ErrorCode::permission, Lasts::forever,
     "check user and password"},
    {"no password supplied", ErrorCode::permission, Lasts::forever, kPassword},
    {"password file", ErrorCode::permission, Lasts::forever, kPassword},
    {"starting up", ErrorCode::failed, Lasts::briefly, "try again when the server has started"},
    {"not yet accepting connections", ErrorCode::failed, Lasts::briefly,
     "try again when the server has started"},
    {"shutting down", ErrorCode::failed, Lasts::briefly, kReach},
    {"in recovery mode", ErrorCode::failed, Lasts::briefly, kReach},
    {"too many clients", ErrorCode::failed, Lasts::briefly,
     "close other programs, or raise max_connections of the server"},
    {"too many connections", ErrorCode::failed, Lasts::briefly,
     "close other programs, or raise the limit of the role or the database"},
    {"remaining connection slots", ErrorCode::failed, Lasts::briefly,
     "close other programs, or raise max_connections of the server"},
    {"not permitted to log in", ErrorCode::permission, Lasts::forever,
     "ask who runs the server for a role that may log in"},
    {"FATAL:  database \"", ErrorCode::usage, Lasts::forever,
     "create it with createdb, or correct the URL"},
    {"FATAL:  role \"", ErrorCode::usage, Lasts::forever,
     "create it with createuser, or correct the URL"},
    {"could not translate host name", ErrorCode::failed, Lasts::a_while,
     "check the name of the host"},
    {"pg_hba.conf", ErrorCode::permission, Lasts::forever,
     "the server admits no such connection: ask who runs it for a line in its pg_hba.conf"},
    {"permission denied for database", ErrorCode::permission, Lasts::forever,
     "ask its owner for the right to connect"},
    {"certificate", ErrorCode::permission, Lasts::forever, kCertificate},
    {"SSL", ErrorCode::permission, Lasts::forever, kCertificate},
    {"authentication failed", ErrorCode::permission, Lasts::forever,
     "check the user, and how the server wants to be convinced of it"},
    {"definition of service", ErrorCode::usage, Lasts::forever,
     "correct the name of the service or its file"},
    {" value: \"", ErrorCode::usage, Lasts::forever, kUrl},
    {"invalid integer value", ErrorCode::usage, Lasts::forever, kUrl},
    {"invalid port number", ErrorCode::usage, Lasts::forever, kUrl},
});

// Messages span lines, and name every address that was tried.
std::string one_line(const std::string& text) {
  std::string line;
  for (const std::string& part : split(text, '\n')) {
    const std::string_view words = trim(part);
    if (words.empty()) continue;
    if (!line.empty()) line += "; ";
    line += words;
  }
  return plain_text(line);
}

struct State {
  std::string_view sqlstate;  // or how it begins
  ErrorCode code;
  std::string_view remedy;
};

constexpr std::array kStates = std::to_array<State>({
    {"42501", ErrorCode::permission,
     "ask the owner of the database for the rights that docs/store.md lists"},
    {"0A000", ErrorCode::permission,
     "a server that follows another one admits reading only: write to the primary server"},
    {"25006", ErrorCode::permission,
     "the server, the database or the role admits reading only: write to the primary server"},
    {"3F000", ErrorCode::permission,
     "the schema is missing: create it, or correct search_path in the URL"},
    {"53100", ErrorCode::failed, "free some space; what was stored before is kept"},
    {"53", ErrorCode::failed, "the server lacks memory or connections: try again later"},
    {"54", ErrorCode::usage, "it is larger than PostgreSQL allows"},
    {"22021", ErrorCode::usage, "the database must have the encoding UTF8"},
    {"22P05", ErrorCode::usage, "the database must have the encoding UTF8"},
    {"XX001", ErrorCode::usage, "the database is damaged: restore a copy"},
    {"XX002", ErrorCode::usage, "the database is damaged: restore a copy"},
});

}  // namespace

ConnectFailure connect_failure(const std::string& database, const std::string& sqlstate,
                               const std::string& text) {
  if (sqlstate == kBadUrl)
    return {{ErrorCode::usage, fmt::format("{}: {}: {}", database, one_line(text), kUrl)},
            Lasts::forever};
  for (const Known& known : kConnecting)
    if (text.find(known.words) != std::string::npos)
      return {{known.code, fmt::format("{}: {}: {}", database, one_line(text), known.remedy)},
              known.lasts};
  return {{ErrorCode::failed, fmt::format("{}: {}: {}", database, one_line(text), kReach)},
          Lasts::a_while};
}

Error statement_error(const std::string& database, const std::string& sqlstate,
                      const std::string& text) {
  for (const State& state : kStates)
    if (sqlstate.starts_with(state.sqlstate))
      return {state.code, fmt::format("{}: {}: {}", database, one_line(text), state.remedy)};
  return {ErrorCode::failed,
          fmt::format("{}: {}{}", database, one_line(text),
                      sqlstate.empty() ? "" : fmt::format(" (SQLSTATE {})", sqlstate))};
}

bool is_collision(const std::string& sqlstate) {
  return sqlstate == "40001" || sqlstate == "40P01" || sqlstate == "55P03";
}

bool is_disconnect(const std::string& sqlstate) {
  return sqlstate.starts_with("08") || sqlstate == "57P01" || sqlstate == "57P02" ||
         sqlstate == "57P03" || sqlstate == "25P03";  // the last: idle for too long
}

}  // namespace ampere
