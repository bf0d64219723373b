// A worker with faults, which trains nothing. How it starts is chosen by its first argument, how a
// job goes wrong by the name of the network.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

#include "base/json.h"

namespace {

using ampere::Json;

void say(const std::string& text) { std::cout << text << std::endl; }

void hang() {
  for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

Json hello(const std::string& framework = "fake 1.0") {
  return {{"ampere_worker", 1},
          {"place", "cpu"},
          {"device", {{"name", "fake"}, {"framework", framework}}},
          {"setups",
           {{"precision", {"fp32", "bf16"}},
            {"optimizer", {"sgd", "adamw"}},
            {"options", {"compile", "weight_decay"}}}},
          {"scripts", true},
          {"operations", std::getenv("FAKE_WORKER_NO_OPERATIONS") == nullptr}};
}

// Another framework from the second start on.
std::string framework_of_start(const std::string& file) {
  const bool started_before = std::filesystem::exists(file);
  std::ofstream(file) << "started";
  return started_before ? "fake 2.0" : "fake 1.0";
}

void start_as(const std::string& start) {
  if (start == "exits") {
    std::cerr << "No module named torch" << std::endl;
    _exit(1);
  }
  if (start == "silent") hang();
  if (start == "newer") {
    say(R"({"ampere_worker": 99})");
    hang();
  }
  if (start == "refuses") {
    say(R"({"ampere_worker": 1, "error": {"code": "unknown", "message": "there is no cuda:7"}})");
    _exit(0);
  }
  if (start == "no_place") {
    say(R"({"ampere_worker": 1, "device": {"name": "x"}})");
    hang();
  }
  if (start == "chatter") say("Welcome to Python");
  const std::string changes = "changes:";
  const bool changing = start.starts_with(changes);
  say(changing ? hello(framework_of_start(start.substr(changes.size()))).dump() : hello().dump());
}

Json error(const std::string& code, const std::string& message) {
  return {{"error", {{"code", code}, {"message", message}}}};
}

// A linear layer of the network's or the script's name, for a batch of 8.
Json program(const std::string& name, const Json& request) {
  Json json = Json::parse(R"({
    "format": "ampere-program", "version": 1,
    "origin": {"way": "fake", "framework": "fake 1.0", "device": "cpu"},
    "samples": 8, "parameters": 40, "module_calls": 1, "modules": ["", "fc"],
    "tensors": [["fp32", [4]], ["fp32", [8, 9]], ["fp32", [9, 4], [1, 9]], ["fp32", [8, 4]]],
    "operations": [{"name": "addmm", "arguments": [{"tensor": 0}, {"tensor": 1}, {"tensor": 2}],
                    "results": [{"tensor": 3}]}],
    "steps": [[0, 0, 1]]
  })");
  json["name"] = name;
  json["origin"]["way"] = request.value("way", "fake");
  if (request.contains("setup")) json["setup"] = request["setup"];
  return json;
}

Json trace(const Json& request) {
  const std::string name = request.contains("script") ? request["script"].at("function")
                                                      : request.at("model").at("name");
  if (name == "raises") return error("failed", "ValueError: no good");
  if (name == "killed") raise(SIGKILL);
  Json answer{{"program", program(name, request)}, {"notes", {"traced by nobody"}}};
  if (name == "broken") answer["program"]["steps"][0][0] = 7;
  if (name == "long")  // more than a pipe holds
    for (int i = 0; i < 500'000; ++i) answer["program"]["steps"].push_back({0, 2, 1});
  return answer;
}

Json time_operations(const Json& request) {
  Json times = Json::array();
  for (const Json& operation : request.at("operations"))
    times.push_back(operation.at("name") == "unknown"
                        ? Json{{"error", "there is no such operation"}}
                        : Json{{"device_s", 0.25}, {"host_s", 0.125}});
  return {{"times", times}};
}

Json answer_to(const Json& request, std::string& name) {
  const std::string verb = request.at("do");
  if (verb == "trace") return trace(request);
  if (verb == "time_operations") return time_operations(request);
  if (verb == "prepare") {
    name = request.contains("script") ? request["script"].at("function")
                                      : request.at("model").at("name");
    if (name == "oom") return error("failed", "out of memory: 12 GiB asked");
    if (name == "raises") return error("failed", "ValueError: no good");
    return {{"ready", {{"name", name}, {"batch", 7}, {"parameters", 99}, {"data", true}}}};
  }
  if (verb == "release") {
    if (const char* file = std::getenv("FAKE_WORKER_RELEASED"))
      std::ofstream(file, std::ios::app) << name << '\n';
    return {{"done", Json::object()}};
  }
  if (name == "oom later") return error("failed", "out of memory: in a step");
  if (name == "killed") {
    std::cerr << "about to use all memory" << std::endl;
    raise(SIGKILL);
  }
  if (name == "hangs") hang();
  if (name == "garbage") say("Segmentation fault, maybe");
  if (name == "wrong_id") say(R"({"id": 98765, "done": {}})");
  if (name == "textual") return {{"completed", "soon"}, {"times", "later"}};
  if (verb == "run_ahead")
    return {{"completed", {{"iterations", request.at("iterations")}, {"at_s", 0.25}}}};
  if (verb == "time_step")
    return {{"times", name == "cpu" ? Json(nullptr) : Json{{"device_s", 0.5}, {"host_s", 0.125}}}};
  return {{"done", Json::object()}};
}

}  // namespace

int main(int, char** argv) {
  start_as(argv[1]);
  std::string name;
  for (std::string line; std::getline(std::cin, line);) {
    const Json request = Json::parse(line);
    Json answer = answer_to(request, name);
    answer["id"] = request.at("id");
    say(answer.dump());
  }
}
