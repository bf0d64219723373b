// A PostgreSQL server of the test program's own, started when it is first asked for and gone with
// the program. Where PostgreSQL is not installed the tests that need it are skipped, and say why.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <stdexcept>
#include <string>

#include "temp_folder.h"

namespace ampere::testing_support {

class PostgresServer {
 public:
  static PostgresServer& shared() {
    static PostgresServer server;
    return server;
  }
  ~PostgresServer() {
    if (owner_ == getpid()) script("stop");  // not a child that was forked meanwhile
  }
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // Why there is none; empty when it runs.
  const std::string& missing() const { return missing_; }

  // The URL of an empty schema that nobody else has.
  std::string new_schema() {
    static std::atomic<int> count = 0;
    const std::string name = "test_" + std::to_string(++count);
    sql("CREATE SCHEMA " + name);
    return url_ + "&options=-csearch_path%3D" + name;
  }
  const std::string& url() const { return url_; }  // through the socket, as a superuser
  const std::string& tcp() const { return tcp_; }  // on localhost, without the password
  std::string password() const { return line_of(folder_ / "password"); }
  std::string certificate() const { return folder_ / "server.crt"; }
  std::string folder() const { return folder_.path(); }

  // The answer of psql, without decoration.
  std::string sql(const std::string& statements) { return sql(url_, statements); }
  static std::string sql(const std::string& url, const std::string& statements) {
    return output_of("psql -X -q -A -t -v ON_ERROR_STOP=1 '" + url + "' -c \"" + statements + "\"");
  }

  void kill() const {  // with SIGKILL, as a machine that lost its power
    const pid_t server = std::stoi(line_of(folder_ / "data/postmaster.pid"));
    ::kill(server, SIGKILL);
    while (::kill(server, 0) == 0) usleep(1000);
  }
  void start() { script("start " + std::to_string(owner_)); }

 private:
  PostgresServer() : owner_(getpid()) {
    const int status = script("start " + std::to_string(owner_));
    if (status == 77) missing_ = "PostgreSQL is not installed: scripts/setup installs it";
    if (status != 0) return;
    url_ = output_of(command("url"));
    tcp_ = output_of(command("tcp"));
  }

  std::string command(const std::string& verb) const {
    return AMPERE_TEST_DATA "/../../scripts/test-postgres " + folder_.path() + " " + verb;
  }
  int script(const std::string& verb) const {
    const int status = std::system(command(verb).c_str());
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code != 0 && code != 77) throw std::runtime_error("scripts/test-postgres " + verb);
    return code;
  }
  static std::string output_of(const std::string& command) {
    FILE* pipe = popen(command.c_str(), "r");
    std::string output;
    for (int c = 0; (c = fgetc(pipe)) != EOF;) output += static_cast<char>(c);
    if (pclose(pipe) != 0) throw std::runtime_error(command);
    while (output.ends_with('\n')) output.pop_back();
    return output;
  }
  static std::string line_of(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
  }

  TempFolder folder_;
  pid_t owner_;
  std::string missing_, url_, tcp_;
};

// In the first line of a test, or of a fixture's SetUp.
#define AMPERE_NEEDS_POSTGRES()                                                        \
  if (const auto& why = ::ampere::testing_support::PostgresServer::shared().missing(); \
      !why.empty())                                                                    \
  GTEST_SKIP() << why

}  // namespace ampere::testing_support
