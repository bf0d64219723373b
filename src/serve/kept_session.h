// Sessions of the server with what they have loaded. Estimators take milliseconds to load and
// microseconds to ask, so each session keeps those that it was asked for, until the store changes.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ampere/session.h"
#include "base/json.h"

namespace ampere {

// For one thread at a time.
class KeptSession {
 public:
  KeptSession(std::string store, StopToken stop) : store_(std::move(store)), stop_(stop) {}

  // Looks whether the store is there now or has changed, once per second at most. Throws what
  // open_store() throws, but a store that is not there yet is an empty one.
  void refresh();

  const Session& session() const { return *session_; }
  const Answerer& answerer(const ProfileQuery& query);
  const ProgramAnswerer& program_answerer(const ProfileQuery& query);
  // What takes long to find out about the store, by a name of its own.
  const Json& remembered(const std::string& name, const std::function<Json()>& find);

 private:
  using Clock = std::chrono::steady_clock;

  void open();
  void forget();

  const std::string store_;
  const StopToken stop_;
  std::optional<Session> session_;
  bool is_there_ = false;  // else the session is of an empty store
  std::string state_;      // of the store, as far as its profiles show it
  Clock::time_point looked_at_{}, loaded_at_{};
  std::map<std::string, std::unique_ptr<Answerer>> answerers_;
  std::map<std::string, std::unique_ptr<ProgramAnswerer>> program_answerers_;
  std::map<std::string, Json> remembered_;
};

// As many sessions as were ever needed at the same time.
class SessionPool {
 public:
  SessionPool(std::string store, StopToken stop) : store_(std::move(store)), stop_(stop) {}

  // A session that nobody else has, as long as the lease lives. It must not outlive the pool.
  class Lease {
   public:
    Lease(SessionPool& pool, std::unique_ptr<KeptSession> session)
        : pool_(pool), session_(std::move(session)) {}
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    KeptSession* operator->() const { return session_.get(); }
    KeptSession& operator*() const { return *session_; }

   private:
    SessionPool& pool_;
    std::unique_ptr<KeptSession> session_;
  };
  // Returns a refreshed session. Throws what KeptSession::refresh() throws, but Error(failed) if
  // the file is not a store.
  Lease lease();

  const std::string& store() const { return store_; }
  StopToken stop() const { return stop_; }

 private:
  const std::string store_;
  const StopToken stop_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<KeptSession>> idle_;
};

}  // namespace ampere
