// A runner with faults. How it starts is chosen by its first argument, how a measurement goes wrong
// by the name of the network; everything else is the real server over a virtual device.
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

#include "ampere/error.h"
#include "rig/real_clock.h"
#include "rig/serve.h"
#include "rig/worker_trainer.h"
#include "support/hosted_rig.h"
#include "virtual_device.h"

namespace {

using namespace ampere;

void say(const std::string& text) { std::cout << text << std::endl; }

void hang() {
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

void fail_as_named(const std::string& model) {
  if (model == "killed") {
    std::cerr << "about to use all memory" << std::endl;
    raise(SIGKILL);
  }
  if (model == "exits") _exit(3);
  if (model.starts_with("says ")) {
    say(model.substr(5));
    _exit(0);
  }
  if (model == "truncates") {
    std::cout << R"({"id": 1, "measurement": {"source": "mea)" << std::flush;
    _exit(0);
  }
  if (model == "floods")
    for (const std::string part(1 << 20, 'x');;) std::cout << part << std::flush;
  if (model == "floods lines")
    for (;;) std::cout << "{\"id\": 99}\n";
  if (model == "hangs") hang();
  if (model == "garbage") say("Segmentation fault \xff\xfe, maybe");
  if (model == "wrong_id") say(R"({"id": 987654, "measurement": {}})");
  if (model == "incomplete") say(R"({"id": 1, "measurement": {"windows": []}})");
  if (model == "negative") say(R"({"id": 1, "timing": {"device_s": -1, "elapsed_s": 0}})");
  if (model == "textual") say(R"({"id": 1, "timing": "soon"})");
  if (model == "standing")
    say(R"({"id": 1, "pace": {"time_s": 1, "reference_s": 0, "elapsed_s": 0}})");
  if (model == "no_energy") say(R"({"id": 1, "idle": {"iterations": 0, "time_s": 1}})");
  if (model == "bad_code") say(R"({"id": 1, "error": {"code": "tired", "message": "of it"}})");
  if (model == "oom") throw Error(ErrorCode::failed, "out of memory on the device");
  if (model == "no_meter") throw Error(ErrorCode::no_meter, "the meter is gone");
  if (model == "interrupted_there") {
    say(R"({"id": 1, "error": {"code": "interrupted", "message": "^C"}})");
    _exit(130);
  }
  if (model == "untrained") say(R"({"id": 1, "trained": {"source": "measured"}})");
  if (model == "no_progress") say(R"({"id": 1, "progress": {"epoch": "first"}})");
  if (model == "packed")
    say(R"({"id": 1, "checkpoint": {"weights": [{"name": "w", "sizes": [9], "values": "AAAA"}]}})");
  if (model == "talks") std::cerr << std::string(300'000, 'x') << "\nlast line" << std::endl;
}

void die_in_training(const std::string& model, int epoch) {
  if (model == "dies later" && epoch == 2) raise(SIGKILL);
  if (model == "hangs later" && epoch == 2) hang();
}

std::string first_line(const std::string& path) {
  std::string line;
  std::getline(std::ifstream(path) >> std::ws, line);
  return line;
}

// True when there is nothing more to do.
bool start_as(const std::string& start) {
  if (start == "exits") {
    std::cerr << "libtorch.so: cannot open shared object file" << std::endl;
    return true;
  }
  if (start == "silent") hang();
  if (start == "newer") {
    say(R"({"ampere_runner": 99, "device": {"name": "x", "source": "measured"}})");
    hang();
  }
  if (start == "no_device") {
    say(R"({"ampere_runner": 1})");
    hang();
  }
  if (start == "chatter") {
    for (int i = 0; i < 1000; ++i) say("line " + std::to_string(i));
    hang();
  }
  if (start == "refuses") {
    RunnerServer(std::cin, std::cout).refuse(Error(ErrorCode::no_meter, "no counter here"));
    return true;
  }
  if (start == "banner") say("Welcome to node7!\n{ not json\n");
  return false;
}

// Trains nothing itself: what is traced or timed goes to the fake worker beside this program.
void serve_worker(const std::filesystem::path& program) {
  auto worker = open_worker_trainer({.argv = {program.parent_path() / "fake_worker", "well"}});
  const DeviceInfo device = worker->device();
  const auto rig = make_bench_rig(device, std::move(worker), nullptr, make_real_clock());
  RunnerServer(std::cin, std::cout).serve(*rig);
}

// A GPU by formula whose host takes so many times as long as usual.
void serve_hosted(double slowdown) {
  testing_support::HostedRig rig;
  rig.slowdown = [slowdown](double) { return slowdown; };
  RunnerServer(std::cin, std::cout).serve(rig);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string start = argc > 1 ? argv[1] : "well";
  if (start_as(start)) return 4;
  if (start == "worker") {
    serve_worker(argv[0]);
    return 0;
  }
  if (start == "hosted") {
    serve_hosted(std::stod(argv[2]));
    return 0;
  }
  const std::string name = start == "named" ? first_line(argv[2]) : "virtual";
  const testing_support::VirtualRig bench = testing_support::make_virtual_rig(name);
  if (start == "phone") {
    bench.device->busy_w = 4;
    bench.device->idle_w = 1;
  }
  bench.device->on_prepare = [device = bench.device.get()](const std::string& model) {
    fail_as_named(model);
    device->weights = model == "large" ? 300'000 : 32;
  };
  bench.device->on_epoch = die_in_training;
  bench.device->iteration_s_of["half as fast"] = 2 * bench.device->iteration_s;
  RunnerServer(std::cin, std::cout).serve(*bench.rig);
  return 0;
}
