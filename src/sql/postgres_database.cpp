#include "sql/postgres_database.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/hash.h"
#include "sql/patience.h"
#include "sql/postgres_error.h"
#include "sql/postgres_url.h"

namespace ampere {
namespace {

// What ends an attempt, and must reach the outermost transaction through the code of its caller.
// They are no Errors, which callers may catch.
struct Collision : PostgresFailure {
  using PostgresFailure::PostgresFailure;
};
struct Disconnect : PostgresFailure {
  using PostgresFailure::PostgresFailure;
};

// A statement outside a transaction can only read, so that it may be run twice. Waiting for a lock
// ends soon, so that the caller can be asked whether to go on. A process that was frozen inside a
// transaction does not block all others: it repeats the transaction when it wakes up. A commit is
// on disk when it returns, whatever the database was told to be content with.
constexpr const char* kSession =
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY; SET lock_timeout = 500; "
    "SET bytea_output = hex; SET standard_conforming_strings = on; SET extra_float_digits = 1; "
    "SELECT set_config('idle_in_transaction_session_timeout', '60000', false) "
    "WHERE current_setting('idle_in_transaction_session_timeout') = '0'; "
    "SELECT set_config('synchronous_commit', 'on', false) "
    "WHERE current_setting('synchronous_commit') = 'off'";

// "?1" becomes "$1", except inside quotes.
std::string with_dollars(const std::string& sql) {
  std::string text = sql;
  bool quoted = false;
  for (char& c : text) {
    if (c == '\'') quoted = !quoted;
    if (c == '?' && !quoted) c = '$';
  }
  return text;
}

constexpr std::chrono::milliseconds kFarewell{5000};  // for a session that was told to end

class PostgresDatabase final : public SqlDatabase {
 public:
  PostgresDatabase(const std::string& url, Access access, const StoreWait& wait,
                   ConnectPostgres connect)
      : url_(url),
        name_(masked_url(url)),
        writable_(access == Access::write),
        wait_(wait),
        connect_(std::move(connect)) {
    Patience patience(wait_);
    establish(patience, ConnectFailure::Lasts::briefly);
  }

  SqlEngine engine() const override { return SqlEngine::postgresql; }
  const std::string& name() const override { return name_; }
  bool writable() const override { return writable_; }

  std::unique_ptr<SqlRows> query(const std::string& sql, std::vector<SqlValue> values) override {
    std::unique_ptr<SqlRows> found;
    again_if_needed([&] { found = send(sql, values); });
    return found;
  }

  void execute(const std::string& script) override {
    again_if_needed([&] { send_script(script); });
  }

  void atomically(const std::function<void()>& changes, const std::string& turn) override {
    if (!writable_) throw_read_only(name_);
    if (inside_) return as_savepoint(changes);
    Patience patience(wait_);
    for (;;) {
      try {
        return attempt(changes, turn);
      } catch (const Collision& collision) {
        nap(patience, collision);
      } catch (const Disconnect&) {
        const auto in_doubt = std::exchange(committing_, std::nullopt);
        reconnect(patience);
        if (in_doubt && was_committed(*in_doubt, patience)) return;
      }
    }
  }

  bool try_lock(const std::string& what) override {
    const std::int64_t key = own_key("lock " + what);
    const auto row = rows(*this, "SELECT pg_try_advisory_lock(?1)::int", key);
    if (!row->next() || row->integer(0) == 0) return false;
    ++locks_[key];
    return true;
  }

  void unlock(const std::string& what) override {
    const std::int64_t key = own_key("lock " + what);
    const auto held = locks_.find(key);
    if (held == locks_.end()) return;
    if (--held->second == 0) locks_.erase(held);
    rows(*this, "SELECT pg_advisory_unlock(?1)::int", key);
  }

 private:
  // Locks belong to the whole database, in which every schema may have a store.
  std::int64_t own_key(const std::string& what) const {
    return static_cast<std::int64_t>(hash_number(schema_ + " " + what));
  }

  // ---- one statement

  std::unique_ptr<SqlRows> send(const std::string& sql, const std::vector<SqlValue>& values) {
    return guarded([&] { return link().run(with_dollars(sql), values); });
  }

  void send_script(const std::string& script) {
    guarded([&] { link().run_script(script); });
  }

  PostgresLink& link() const {
    if (!link_) throw Disconnect("the connection is closed", "", false);
    return *link_;
  }

  template <class Work>
  auto guarded(const Work& work) -> decltype(work()) {
    try {
      return work();
    } catch (const Disconnect&) {
      throw;
    } catch (const PostgresFailure& failure) {
      if (!failure.connected() || is_disconnect(failure.sqlstate())) {
        link_.reset();
        throw Disconnect(failure.what(), failure.sqlstate(), false);
      }
      if (is_collision(failure.sqlstate()))
        throw Collision(failure.what(), failure.sqlstate(), true);
      throw statement_error(name_, failure.sqlstate(), failure.what());
    }
  }

  // Inside a transaction all of it is to be run again, which its outermost call sees to.
  void again_if_needed(const std::function<void()>& work) {
    if (inside_) return work();
    Patience patience(wait_);
    for (;;) {
      try {
        return work();
      } catch (const Collision& collision) {
        nap(patience, collision);
      } catch (const Disconnect&) {
        reconnect(patience);
      }
    }
  }

  void nap(Patience& patience, const Collision& collision) {
    const auto reason = [&] {
      return fmt::format("{}: waiting for another program that changes the same", name_);
    };
    if (patience.goes_on(reason)) return;
    patience.throw_if_stopped();
    throw Error(ErrorCode::failed,
                fmt::format("{}: {}: another program keeps changing the same: try again later",
                            name_, collision.what()));
  }

  // ---- transactions

  // Holds the turn, which belongs to the session: taken inside a transaction, it would come too
  // late, since what the transaction sees was settled when the wait began.
  class Turn {
   public:
    Turn(PostgresDatabase& database, const std::string& turn) : database_(database) {
      if (turn.empty()) return;
      const std::int64_t key = database.own_key("turn " + turn);
      database.send("SELECT pg_advisory_lock(?1)", {key});
      unlock_ = fmt::format("SELECT pg_advisory_unlock({})", key);
    }
    ~Turn() {
      if (!unlock_.empty()) database_.quietly(unlock_);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    // In one message, which saves waiting for a second answer.
    void commit() {
      database_.send_script("COMMIT; " + unlock_);
      unlock_.clear();
    }

   private:
    PostgresDatabase& database_;
    std::string unlock_;
  };

  void attempt(const std::function<void()>& changes, const std::string& turn) {
    Turn held(*this, turn);
    send_script("BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE");
    inside_ = true;
    try {
      changes();
      // Also fails where a statement failed and the caller took no notice: such a transaction would
      // be taken back by COMMIT without a word.
      const auto row = send("SELECT coalesce(txid_current_if_assigned(), 0)", {});
      row->next();
      committing_ = row->integer(0);
      held.commit();
    } catch (...) {
      inside_ = false;
      if (link_) committing_.reset();
      quietly("ROLLBACK");
      throw;
    }
    inside_ = false;
    committing_.reset();
  }

  void as_savepoint(const std::function<void()>& changes) {
    send_script("SAVEPOINT inner_one");
    try {
      changes();
    } catch (...) {
      quietly("ROLLBACK TO inner_one; RELEASE inner_one");
      throw;
    }
    send_script("RELEASE inner_one");
  }

  // For what needs no success: a link that broke has lost its transaction and its locks anyway.
  void quietly(const std::string& script) {
    try {
      if (link_) send_script(script);
    } catch (const PostgresFailure&) {
    } catch (const Error&) {
    }
  }

  // Whether the transaction happened whose commit got no answer. One that wrote nothing has no id.
  bool was_committed(std::int64_t transaction, Patience& patience) {
    if (transaction == 0) return false;
    for (;;) {
      const std::string state = state_of(transaction);
      if (state == "committed") return true;
      if (state == "aborted") return false;
      const auto reason = [&] {
        return fmt::format("{}: waiting for the server to end transaction {}", name_, transaction);
      };
      if (patience.goes_on(reason)) continue;
      patience.throw_if_stopped();
      throw Error(ErrorCode::failed,
                  fmt::format("{}: the connection broke while a change was stored, and the server "
                              "does not say whether it was: look before you repeat it",
                              name_));
    }
  }

  std::string state_of(std::int64_t transaction) {
    try {
      const auto row = rows(*this, "SELECT txid_status(?1)", transaction);
      return row->next() ? row->text(0) : "";
    } catch (const Error&) {
      // A server that took over and never heard of it: there it did not happen.
      return "aborted";
    }
  }

  // ---- connections

  // A server that answered once will answer again.
  void reconnect(Patience& patience) {
    link_.reset();
    patience.begin();
    establish(patience, ConnectFailure::Lasts::a_while);
  }

  // Waits out failures that last no longer than this.
  void establish(Patience& patience, ConnectFailure::Lasts longest) {
    for (;;) {
      try {
        connect_once();
        return;
      } catch (const PostgresFailure& failure) {
        link_.reset();
        const ConnectFailure why =
            connect_failure(name_, failure.sqlstate(), without_passwords(failure.what(), url_));
        if (why.lasts < longest) throw why.error;
        const auto reason = [&] { return fmt::format("{}: waiting for the server", name_); };
        if (patience.goes_on(reason)) continue;
        patience.throw_if_stopped();
        throw why.error;
      }
    }
  }

  void connect_once() {
    link_ = connect_(url_);
    link_->run_script(kSession);
    end_former_session();
    const auto row = link_->run(
        "SELECT pid, backend_start::text, current_schema() FROM pg_stat_activity "
        "WHERE pid = pg_backend_pid()",
        {});
    row->next();
    session_ = Session{row->integer(0), row->text(1)};
    schema_ = row->text(2);
    for (const auto& [key, times] : locks_)
      for (int i = 0; i < times; ++i)
        link_->run("SELECT pg_try_advisory_lock($1)::int", {SqlValue(key)});
  }

  // The server may not have noticed that the former connection is gone, and would keep its locks
  // and its open transaction for hours. The time tells it from a later process of the same number.
  void end_former_session() {
    if (!session_) return;
    const std::vector<SqlValue> former = {session_->process, session_->started};
    Patience patience({.patience = kFarewell});
    do {
      const auto row = link_->run(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
          "WHERE pid = $1 AND backend_start::text = $2 AND usename = current_user",
          former);
      if (!row->next()) break;
    } while (patience.goes_on([] { return ""; }));
    session_.reset();
  }

  struct Session {
    std::int64_t process;
    std::string started;
  };

  std::string url_, name_;
  bool writable_;
  StoreWait wait_;
  ConnectPostgres connect_;
  std::unique_ptr<PostgresLink> link_;  // absent while there is no connection
  std::optional<Session> session_;
  std::string schema_;
  bool inside_ = false;                     // a transaction
  std::optional<std::int64_t> committing_;  // a transaction whose commit was sent and not answered
  std::map<std::int64_t, int> locks_;       // held, and how often
};

}  // namespace

std::unique_ptr<SqlDatabase> open_postgres(const std::string& url, Access access,
                                           const StoreWait& wait, ConnectPostgres connect) {
  check_postgres_url(url);
  return std::make_unique<PostgresDatabase>(url, access, wait, std::move(connect));
}

}  // namespace ampere
