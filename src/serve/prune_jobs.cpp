#include "serve/prune_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/json_text.h"
#include "serve/problem.h"
#include "serve/pruned_json.h"

namespace ampere {
namespace {

constexpr std::size_t kMostRemembered = 50;

Json progress_json(const Progress& progress) {
  return {{"stage", progress.step},
          {"title", progress.title},
          {"done", progress.done},
          {"of", progress.of > 0 ? Json(progress.of) : Json(nullptr)}};
}

}  // namespace

class PruneJobs::Job final : public Listener {
 public:
  Job(std::string id, AskedPrune asked, std::string store)
      : id_(std::move(id)), asked_(std::move(asked)), store_(std::move(store)) {
    thread_ = std::thread([this] { run(); });
  }
  ~Job() override {
    cancel();
    if (thread_.joinable()) thread_.join();
  }

  const std::string& id() const { return id_; }
  void cancel() { stopping_ = true; }

  bool has_ended() const {
    const std::lock_guard lock(mutex_);
    return state_ != "running";
  }

  Json state() const {
    const std::lock_guard lock(mutex_);
    return {{"prune", id_},
            {"state", state_},
            {"progress", progress_},
            {"result", result_},
            {"error", error_}};
  }

  std::shared_ptr<EventQueue> follow() {
    auto queue = std::make_shared<EventQueue>();
    const std::lock_guard lock(mutex_);
    if (!progress_.is_null()) queue->put({"progress", json_text(progress_)});
    if (state_ == "running") {
      std::erase_if(followers_, [](const auto& follower) { return follower.expired(); });
      followers_.push_back(queue);
    } else {
      queue->put(end_event());
      queue->close();
    }
    return queue;
  }

 private:
  // From the thread of the search.
  void progress(const Progress& progress) override {
    const std::lock_guard lock(mutex_);
    progress_ = progress_json(progress);
    for (const auto& follower : followers_)
      if (const auto queue = follower.lock()) queue->replace({"progress", json_text(progress_)});
  }

  void run() {
    try {
      Session session(open_store_to_read(), StopToken(stopping_), this);
      end("done", searched(session), nullptr);
    } catch (const Error& error) {
      end(error.code() == ErrorCode::interrupted ? "cancelled" : "failed", nullptr,
          problem_json(error));
    } catch (const std::exception&) {
      end("failed", nullptr, problem_json_of_current_exception());
    }
  }

  std::unique_ptr<Store> open_store_to_read() const {
    return open_store(store_, Access::read, {StopToken(stopping_), {}});
  }

  Json searched(Session& session) {
    const ChosenProfile chosen = session.choose(asked_.query);
    PruneTask& task = asked_.task;
    if (task.method.empty()) {
      const std::vector<std::string> methods = session.methods_of(chosen.row);
      task.method = methods.empty() ? "dual" : methods.front();
    }
    return pruned_json(asked_, chosen.row, session.prune(task, chosen.row, nullptr));
  }

  void end(const char* state, Json result, Json error) {
    const std::lock_guard lock(mutex_);
    state_ = state;
    result_ = std::move(result);
    error_ = std::move(error);
    for (const auto& follower : followers_)
      if (const auto queue = follower.lock()) {
        queue->put(end_event());
        queue->close();
      }
    followers_.clear();
  }

  ServerEvent end_event() const {
    if (state_ == "done") return {"result", json_text(result_)};
    if (state_ == "failed") return {"failed", json_text(error_)};
    return {"cancelled", "{}"};
  }

  const std::string id_;
  AskedPrune asked_;
  const std::string store_;
  std::atomic<bool> stopping_ = false;
  mutable std::mutex mutex_;
  std::string state_ = "running";
  Json progress_ = nullptr, result_ = nullptr, error_ = nullptr;
  std::vector<std::weak_ptr<EventQueue>> followers_;
  std::thread thread_;
};

PruneJobs::~PruneJobs() {
  for (const auto& job : jobs_) job->cancel();
}

std::string PruneJobs::start(AskedPrune asked) {
  const std::lock_guard lock(mutex_);
  const auto running =
      std::ranges::count_if(jobs_, [](const auto& job) { return !job->has_ended(); });
  if (running >= most_)
    throw Busy(fmt::format("{} prunings are running already, which is the most at once", running));
  if (jobs_.size() >= kMostRemembered) {
    const auto ended =
        std::ranges::find_if(jobs_, [](const auto& job) { return job->has_ended(); });
    if (ended != jobs_.end()) jobs_.erase(ended);
  }
  std::string id = fmt::format("p{}", ++last_id_);
  jobs_.push_back(std::make_shared<Job>(id, std::move(asked), store_));
  return id;
}

std::shared_ptr<PruneJobs::Job> PruneJobs::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(jobs_, [&](const auto& job) { return job->id() == id; });
  if (found == jobs_.end())
    throw Error(ErrorCode::unknown, fmt::format("no pruning '{}': it was never begun, or is "
                                                "forgotten by now",
                                                id));
  return *found;
}

Json PruneJobs::state(const std::string& id) const { return find(id)->state(); }

void PruneJobs::cancel(const std::string& id) { find(id)->cancel(); }

std::shared_ptr<EventQueue> PruneJobs::follow(const std::string& id) { return find(id)->follow(); }

}  // namespace ampere
