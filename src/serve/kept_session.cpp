#include "serve/kept_session.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "base/json_text.h"
#include "setup/setup_json.h"

namespace ampere {
namespace {

using namespace std::chrono_literals;

constexpr auto kLookAgain = 1s;
// What is kept is loaded anew from time to time all the same, in case a change did not show.
constexpr auto kLoadAgain = 60s;
constexpr auto kPatience = 5s;  // with a store that is locked, or a server that restarts
// People may ask for any batch; each is an answerer of its own, of a few megabytes.
constexpr std::size_t kMostKept = 32;

std::string state_of(const Store& store) {
  std::string state;
  for (const ProfileRow& row : store.profiles())
    state += fmt::format("{} {} {} {} {} {}\n", row.id, row.updated_at, row.observations,
                         row.failures, row.tests, row.kinds);
  return state;
}

std::string key_of(const ProfileQuery& query) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", json_text(setup_json(query.setup)), query.any_batch,
                     query.profile, query.device, query.method);
}

template <class Value, class Make>
Value& kept(std::map<std::string, Value>& all, const std::string& key, const Make& make) {
  if (const auto found = all.find(key); found != all.end()) return found->second;
  Value made = make();
  if (all.size() >= kMostKept) all.clear();
  return all.emplace(key, std::move(made)).first->second;
}

}  // namespace

void KeptSession::open() {
  const StoreWait wait{stop_, {}, kPatience};
  try {
    session_.emplace(open_store(store_, Access::read, wait), stop_);
    is_there_ = true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unknown) throw;
    if (!session_) session_.emplace(open_store("memory:"), stop_);
  }
}

void KeptSession::forget() {
  answerers_.clear();
  program_answerers_.clear();
  remembered_.clear();
}

void KeptSession::refresh() {
  const auto now = Clock::now();
  if (session_ && now - looked_at_ < kLookAgain) return;
  if (!session_ || !is_there_) {
    forget();  // before the session they belong to
    open();
  }
  std::string state = state_of(session_->store());
  looked_at_ = now;
  if (state == state_ && now - loaded_at_ < kLoadAgain) return;
  forget();
  state_ = std::move(state);
  loaded_at_ = now;
}

const Answerer& KeptSession::answerer(const ProfileQuery& query) {
  return *kept(answerers_, key_of(query), [&] { return session_->answerer(query); });
}

const ProgramAnswerer& KeptSession::program_answerer(const ProfileQuery& query) {
  return *kept(program_answerers_, key_of(query),
               [&] { return session_->program_answerer(query); });
}

const Json& KeptSession::remembered(const std::string& name, const std::function<Json()>& find) {
  return kept(remembered_, name, find);
}

SessionPool::Lease SessionPool::lease() {
  std::unique_ptr<KeptSession> session;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      session = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!session) session = std::make_unique<KeptSession>(store_, stop_);
  try {
    session->refresh();
  } catch (const Error& error) {
    // The operator chose the store, so a wrong one is not a mistake of the request.
    if (error.code() != ErrorCode::usage) throw;
    throw Error(ErrorCode::failed, error.what(), error.remedy(), error.about());
  }
  return {*this, std::move(session)};
}

SessionPool::Lease::~Lease() {
  const std::lock_guard lock(pool_.mutex_);
  pool_.idle_.push_back(std::move(session_));
}

}  // namespace ampere
