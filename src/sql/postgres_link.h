// One connection to a PostgreSQL server, as libpqxx has it. It is a library of its own that is
// loaded when the first such connection is made: with all that libpq brings along, it would double
// the time that the program takes to start.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sql/sql.h"

namespace ampere {

// A statement or a connection that failed.
class PostgresFailure : public std::runtime_error {
 public:
  PostgresFailure(const std::string& text, std::string sqlstate, bool connected)
      : std::runtime_error(text), sqlstate_(std::move(sqlstate)), connected_(connected) {}
  const std::string& sqlstate() const { return sqlstate_; }  // empty when the server gave none
  bool connected() const { return connected_; }              // whether the link can be used again

 private:
  std::string sqlstate_;
  bool connected_;
};

// In place of a SQLSTATE: the URL cannot be read.
constexpr const char* kBadUrl = "bad URL";

class PostgresLink {
 public:
  virtual ~PostgresLink() = default;
  // Both throw PostgresFailure. The first prepares a statement with placeholders $1 $2 … once.
  virtual std::unique_ptr<SqlRows> run(const std::string& sql,
                                       const std::vector<SqlValue>& values) = 0;
  virtual void run_script(const std::string& script) = 0;
};

// Throws PostgresFailure when no connection comes about.
using ConnectPostgres = std::function<std::unique_ptr<PostgresLink>(const std::string& url)>;

// The one of libpqxx, out of its library. Throws Error(failed) when that is not there.
ConnectPostgres load_postgres();

// What the library exports.
constexpr const char* kConnectSymbol = "ampere_connect_postgresql";
using ConnectFunction = PostgresLink* (*)(const char* url);

}  // namespace ampere
