#include "rig/worker_trainer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "base/steady_now.h"
#include "model/model_json.h"
#include "record/operations_json.h"
#include "record/record_json.h"
#include "record/request_json.h"
#include "rig/child.h"
#include "rig/peer.h"

namespace ampere {
namespace {

constexpr Seconds kSendTimeout{60};
constexpr const char* kRole = "the worker";

struct WorkerHello {
  std::string place;
  DeviceInfo device;
  SetupRange setups;
  bool scripts = false, operations = false, repeats_operations = false;
};

DeviceInfo read_worker_device(const JsonField& json) {
  DeviceInfo device;
  device.name = plain_text(json.at("name").text());
  device.hardware = plain_text(json.text_or("hardware", ""));
  device.driver = plain_text(json.text_or("driver", ""));
  device.framework = plain_text(json.text_or("framework", ""));
  return device;
}

WorkerHello read_hello(const JsonField& hello) {
  const std::int64_t version = hello.at("ampere_worker").integer();
  if (version != kWorkerProtocol)
    throw Error(ErrorCode::failed,
                fmt::format("it uses version {} of the worker protocol, and this program uses "
                            "version {}; install the same version of ampere on both sides",
                            version, kWorkerProtocol));
  WorkerHello result;
  result.place = hello.at("place").text();
  result.device = read_worker_device(hello.at("device"));
  if (hello.has("setups")) result.setups = read_setup_range(hello.at("setups"));
  result.scripts = hello.boolean_or("scripts", false);
  result.operations = hello.boolean_or("operations", false);
  result.repeats_operations = hello.boolean_or("operation_jobs", false);
  return result;
}

// A malformed answer is a failure of the worker, not a mistake of the user.
template <class Read>
auto read_answer(const Json& answer, const Read& read) try {
  return read(JsonField(answer, "the worker's answer: "));
} catch (const Error& error) {
  throw Error(ErrorCode::failed, error.what());
}

void throw_sent_error(const Json& answer) {
  if (answer.contains("error"))
    throw read_answer(answer,
                      [](const JsonField& line) { return read_peer_error(line.at("error")); });
}

// One worker process, from its hello to its end. After a failure of the pipe itself, its state is
// unknown and it is not used again.
class Worker {
 public:
  explicit Worker(const WorkerCommand& command)
      : command_(command), child_(command.argv, false, {}, kRole) {
    const Json hello = Json::parse(wait_for_hello(child_, "ampere_worker", command.hello_timeout));
    throw_sent_error(hello);
    hello_ = read_answer(hello, read_hello);
  }

  const WorkerHello& hello() const { return hello_; }
  bool is_usable() const { return !broken_ && !child_.has_ended(); }

  // Returns the answer to a request, in which `verb` and `job` are filled in here.
  Json ask(const char* verb, int job, Json request) {
    request["job"] = job;
    const bool prepares = std::string_view(verb) == "prepare";
    return ask(verb, std::move(request),
               prepares ? command_.prepare_timeout : command_.step_timeout);
  }

  // The same for requests that belong to no job. They build something each time.
  Json ask_apart(const char* verb, Json request) {
    return ask(verb, std::move(request), command_.prepare_timeout);
  }

  // Sends the request and returns the answer to the one before it, if that was sent ahead too. So
  // the worker has its next request before it has answered, and never waits for this program.
  std::optional<Json> ask_ahead(const char* verb, int job, Json request) {
    const std::optional<int> before = std::exchange(ahead_, std::nullopt);
    request["job"] = job;
    send(verb, std::move(request));
    ahead_ = last_id_;
    if (!before) return std::nullopt;
    return receive(*before, command_.step_timeout);
  }

  // A step that failed ahead is released like any other. A worker that cannot even forget a job is
  // not used again.
  void release(int job) noexcept {
    try {
      answer_to_last();
    } catch (const std::exception&) {
    }
    try {
      if (is_usable()) ask("release", job, Json::object());
    } catch (const std::exception&) {
      broken_ = true;
    }
  }

 private:
  Json ask(const char* verb, Json request, Seconds timeout) {
    answer_to_last();
    send(verb, std::move(request));
    return receive(last_id_, timeout);
  }

  void answer_to_last() {
    if (const auto id = std::exchange(ahead_, std::nullopt)) receive(*id, command_.step_timeout);
  }

  void send(const char* verb, Json request) {
    if (broken_) throw Error(ErrorCode::failed, "the worker that trained this network has ended");
    request["id"] = ++last_id_;
    request["do"] = verb;
    guarded([&] {
      child_.send(request.dump(-1, ' ', false, Json::error_handler_t::replace), kSendTimeout);
    });
  }

  Json receive(int id, Seconds timeout) {
    Json answer = guarded([&] { return parse_peer_answer(child_.receive(timeout), id, kRole); });
    throw_sent_error(answer);
    return answer;
  }

  template <class Action>
  auto guarded(const Action& action) -> decltype(action()) try {
    return action();
  } catch (...) {
    broken_ = true;
    throw;
  }

  WorkerCommand command_;
  Child child_;
  WorkerHello hello_;
  bool broken_ = false;
  int last_id_ = 0;
  std::optional<int> ahead_;  // the request that was sent ahead and is not yet answered
};

class WorkerJob final : public TrainJob {
 public:
  WorkerJob(std::shared_ptr<Worker> worker, int number)
      : worker_(std::move(worker)), number_(number) {}

  ~WorkerJob() override { worker_->release(number_); }

  void run(int iterations) override { worker_->ask("run", number_, {{"iterations", iterations}}); }

  Completed run_ahead(int iterations) override {
    const auto answer = worker_->ask_ahead("run_ahead", number_, {{"iterations", iterations}});
    if (!answer) return {};
    return read_answer(*answer, [](const JsonField& line) -> Completed {
      const JsonField completed = line.at("completed");
      const auto finished = static_cast<int>(completed.at("iterations").integer());
      if (finished == 0) return {};
      return {finished,
              std::max(Seconds{0}, steady_now() - Seconds(completed.at("at_s").number()))};
    });
  }

  std::optional<StepTimes> time_step() override {
    const Json answer = worker_->ask("time_step", number_, Json::object());
    return read_answer(answer, [](const JsonField& line) -> std::optional<StepTimes> {
      if (!line.has("times")) return std::nullopt;
      const JsonField times = line.at("times");
      return StepTimes{Seconds(times.at("device_s").number()),
                       Seconds(times.at("host_s").number())};
    });
  }

 private:
  std::shared_ptr<Worker> worker_;
  int number_;
};

class PipedTrainer final : public WorkerTrainer, private Tracer {
 public:
  explicit PipedTrainer(WorkerCommand command) : command_(std::move(command)) {
    worker_ = start();
    hello_ = worker_->hello();
  }

  const std::string& place() const override { return hello_.place; }
  const DeviceInfo& device() const override { return hello_.device; }
  SetupRange setups() const override { return hello_.setups; }
  bool runs_scripts() const override { return hello_.scripts; }
  bool repeats_operations() const override { return hello_.repeats_operations; }
  Tracer* tracer() override { return hello_.operations ? this : nullptr; }

  std::unique_ptr<TrainJob> prepare(const Model& model, const Setup& setup) override {
    return prepare_job({{"model", derived_model_json(model)}, {"setup", setup_json(setup)}}).job;
  }

  ScriptJob prepare_script(const ScriptRequest& request) override {
    Json json{{"script", script_json(request.script)}};
    add_language_model_call(request.generation, request.number_format, json);
    return prepare_job(std::move(json));
  }

  std::unique_ptr<TrainJob> prepare_operation(const OperationRequest& request) override {
    return prepare_job(operation_request_json(request)).job;
  }

 private:
  Trace trace(const TraceRequest& request) override {
    const Json answer =
        usable_worker().ask_apart("trace", trace_request_json(request, derived_model_json));
    return read_answer(answer, read_trace);
  }

  OperationTimes time(const OperationTimesRequest& request) override {
    const Json answer =
        usable_worker().ask_apart("time_operations", operations_request_json(request));
    return read_answer(
        answer, [](const JsonField& line) { return read_operation_times(line.at("times")); });
  }

  Worker& usable_worker() {
    if (!worker_->is_usable()) restart();
    return *worker_;
  }

  ScriptJob prepare_job(Json request) {
    const int number = ++last_job_;
    const Json answer = usable_worker().ask("prepare", number, std::move(request));
    return {std::make_unique<WorkerJob>(worker_, number),
            read_answer(answer,
                        [](const JsonField& line) { return read_script_info(line.at("ready")); })};
  }

  std::shared_ptr<Worker> start() const try {
    return std::make_shared<Worker>(command_);
  } catch (const Error& error) {
    throw error.saying(fmt::format("worker '{}': {}", fmt::join(command_.argv, " "), error.what()));
  }

  // Measurements of another device or framework must not go on under the name of this one.
  void restart() {
    std::shared_ptr<Worker> restarted = start();
    const DeviceInfo& again = restarted->hello().device;
    if (fingerprint_of(again) != fingerprint_of(hello_.device))
      throw Error(
          ErrorCode::unknown,
          fmt::format("the restarted worker is on another device: {} ({}) instead of {} "
                      "({})",
                      again.name, again.framework, hello_.device.name, hello_.device.framework));
    worker_ = std::move(restarted);
  }

  WorkerCommand command_;
  std::shared_ptr<Worker> worker_;
  WorkerHello hello_;
  int last_job_ = 0;
};

}  // namespace

std::unique_ptr<WorkerTrainer> open_worker_trainer(WorkerCommand command) {
  return std::make_unique<PipedTrainer>(std::move(command));
}

}  // namespace ampere
