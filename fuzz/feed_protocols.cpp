// What runners, workers and recordings say, and what a runner is asked.
#include <sstream>

#include "ampere/error.h"
#include "base/json.h"
#include "fuzz/boundaries.h"
#include "fuzz/scratch.h"
#include "record/request_json.h"
#include "rig/peer.h"
#include "rig/recorded.h"
#include "rig/serve.h"
#include "rig/worker_trainer.h"

namespace ampere::fuzz {
namespace {

// Has every ability and no device.
class AbsentRig final : public Rig {
 public:
  AbsentRig() { device_.name = "absent"; }
  const DeviceInfo& device() const override { return device_; }
  Abilities abilities() const override {
    return {Ability::measure, Ability::phases,    Ability::inference, Ability::time,
            Ability::pace,    Ability::idle,      Ability::train,     Ability::work,
            Ability::scripts, Ability::operations};
  }
  SetupRange setups() const override { return every_setup(); }

 private:
  RigAnswer answer(const Request&, const RunListener&) override {
    throw Error(ErrorCode::failed, "there is no device");
  }
  DeviceInfo device_;
};

Model small_model() { return make_zoo_model("lenet5"); }

std::vector<Request> one_of_each() {
  const Model model = small_model();
  return {MeasureRequest{model, {}, {}}, TimeRequest{model, {}},
          PaceRequest{model, model, {}}, IdleRequest{model, {}},
          WorkRequest{model, {}, 10},    TraceRequest{TraceRequest::Network{model, {}}},
          DataRequest{"idx:x"}};
}

template <class Read>
void quietly(const Read& read) try {
  read();
} catch (const Error&) {
}

}  // namespace

void feed_recording(std::string_view bytes) {
  quietly([&] {
    const auto rig = open_recorded_rig(scratch_file("recording.jsonl", bytes));
    const Model model = small_model();
    quietly([&] { rig->measure(model, {}, {}); });
    quietly([&] { rig->time(model, {}); });
    rig->warnings();
  });
}

void feed_requests(std::string_view bytes) {
  std::istringstream in{std::string(bytes)};
  std::ostringstream out;
  AbsentRig rig;
  RunnerServer(in, out).serve(rig);
}

// The first byte says which request the line answers.
void feed_answers(std::string_view bytes) {
  static const std::vector<Request> kRequests = one_of_each();
  if (bytes.empty()) return;
  const Request& request = kRequests[static_cast<unsigned char>(bytes[0]) % kRequests.size()];
  const std::string line(bytes.substr(1));
  quietly([&] {
    const Json json = parse_peer_answer(line, 1, "the runner");
    const JsonField field(json, "answer: ");
    quietly([&] { read_peer_error(field); });
    quietly([&] { read_abilities(field); });
    quietly([&] { read_setup_range(field); });
    quietly([&] { read_script_info(field); });
    quietly([&] { hear({}, field); });
    const RigAnswer answer = read_answer(request, field);
    answer_json(answer);
  });
}

// A worker that says this whatever it is asked.
void feed_worker(std::string_view bytes) {
  const std::string file = scratch_file("worker", bytes);
  quietly([&] {
    const auto worker = open_worker_trainer({.argv = {"cat", file},
                                             .hello_timeout = Seconds{2},
                                             .prepare_timeout = Seconds{2},
                                             .step_timeout = Seconds{2}});
    const auto job = worker->prepare(small_model(), {});
    job->run(1);
    job->time_step();
  });
}

}  // namespace ampere::fuzz
