// Traces, scripts and timed operations in recordings.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "ampere/error.h"
#include "base/text.h"
#include "record/request_json.h"
#include "rig/recorded.h"
#include "virtual_device.h"

namespace ampere {
namespace {

namespace fs = std::filesystem;
using testing_support::tiny_model;

constexpr const char* kMissing = "the recording does not contain this operation";

TensorType matrix(std::int64_t rows, std::int64_t columns) {
  return {ElementType::fp32, {rows, columns}, {columns, 1}};
}

// The product of two square matrices, the `tensor`-th of its request.
Operation product(int tensor) {
  Operation operation;
  operation.name = "mm";
  operation.arguments = {{TensorIndex{tensor}}, {TensorIndex{tensor}}};
  operation.results = {{TensorIndex{tensor}}};
  return operation;
}

Operation fill(int tensor, double number) {
  Operation operation;
  operation.name = "fill_.Scalar";
  operation.arguments = {{TensorIndex{tensor}}, {number}};
  operation.results = {{TensorIndex{tensor}}};
  return operation;
}

// Products of square matrices of these sizes.
OperationTimesRequest products(const std::vector<std::int64_t>& sizes) {
  OperationTimesRequest request;
  for (const std::int64_t size : sizes) {
    request.operations.push_back(product(static_cast<int>(request.tensors.size())));
    request.tensors.push_back(matrix(size, size));
  }
  return request;
}

// Counts up. Cannot time products of size 13, and dies of those of size 14.
class TracingRig : public Rig {
 public:
  TracingRig() {
    device_.name = "Board";
    device_.fingerprint = fingerprint_of(device_);
  }
  const DeviceInfo& device() const override { return device_; }
  Abilities abilities() const override {
    return {Ability::measure, Ability::scripts, Ability::operations, Ability::operation_energy};
  }

 private:
  RigAnswer answer(const Request& request, const RunListener&) override {
    return std::visit([this](const auto& each) -> RigAnswer { return reply(each); }, request);
  }

  Trace reply(const TraceRequest& request) {
    if (const auto* script = std::get_if<Script>(&request.step); script != nullptr)
      if (script->function == "raises")
        throw Error(ErrorCode::failed, script->path + ", line 3: ValueError");
    Program program;
    program.name = fmt::format("trace {}", ++count_);
    program.origin.way = request.way.value_or(TraceWay::fake);
    program.modules = {"", "fc"};
    program.tensors = {matrix(8, 8)};
    program.operations = {product(0), fill(0, -INFINITY)};
    program.steps = {{0, ProgramPhase::forward, 1}, {1, ProgramPhase::backward, 0}};
    return {program, {"a note"}};
  }

  ScriptMeasurement reply(const ScriptRequest& request) {
    Window window;
    window.iterations = 10;
    window.time = Seconds(0.1 * ++count_);
    window.energy = Joules{1};
    Measurement measurement;
    measurement.windows = {window, window};
    summarize(measurement);
    return {measurement, {"mine", 8, 99, request.script.data, {}}};
  }

  OperationMeasurement reply(const OperationRequest& request) {
    if (request.operation.name == "fill_.Scalar") throw Error(ErrorCode::failed, "the worker died");
    return {reply(ScriptRequest{}).measurement};
  }

  OperationTimes reply(const OperationTimesRequest& request) {
    OperationTimes times;
    for (const Operation& operation : request.operations) {
      const auto index = std::get<TensorIndex>(operation.arguments[0].is).index;
      const std::int64_t size = request.tensors.at(static_cast<std::size_t>(index)).sizes[0];
      if (size == 14) throw Error(ErrorCode::failed, "the worker died");
      if (size == 13)
        times.each.emplace_back("13 does not fit");
      else
        times.each.emplace_back(StepTimes{Seconds(++count_ / 3e6), Seconds(1e-6)});
    }
    return times;
  }

  template <class Other>
  RigAnswer reply(const Other&) {
    throw Error(ErrorCode::usage, "not asked in these tests");
  }

  DeviceInfo device_;
  int count_ = 0;
};

class RecordedOperationsTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("recorded_operations_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    path_ = (folder_ / GetParam()).string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::unique_ptr<Rig> record() const {
    return make_recording_rig(std::make_unique<TracingRig>(), path_);
  }

  // The answers while recording.
  std::vector<std::string> record(const std::vector<Request>& requests) const {
    const auto rig = record();
    std::vector<std::string> answers;
    for (const Request& request : requests) answers.push_back(ask(*rig, request));
    return answers;
  }

  static std::string ask(Rig& rig, const Request& request) {
    try {
      return answer_json(rig.run(request)).dump();
    } catch (const Error& error) {
      return std::string(to_string(error.code())) + ": " + error.what();
    }
  }

  // Device times in thirds of a microsecond, or the texts.
  static std::vector<std::string> times(Rig& rig, const OperationTimesRequest& request) {
    std::vector<std::string> texts;
    for (const auto& each : rig.time(request.tensors, request.operations).each)
      if (const auto* time = std::get_if<StepTimes>(&each))
        texts.push_back(fmt::format("{:.0f}", 3e6 * time->device.count()));
      else
        texts.push_back(std::get<std::string>(each));
    return texts;
  }

  fs::path folder_;
  std::string path_;
};
using Texts = std::vector<std::string>;

INSTANTIATE_TEST_SUITE_P(Endings, RecordedOperationsTest,
                         ::testing::Values("r.jsonl", "r.jsonl.gz"), [](const auto& ending) {
                           return std::string(ending.param).ends_with("gz") ? "gz" : "plain";
                         });

TEST_P(RecordedOperationsTest, AnswersAsTheDeviceDid) {
  const Script script{"/home/me/train.py", "build", R"({"batch":8})"};
  const std::vector<Request> requests{
      TraceRequest{TraceRequest::Network{tiny_model(), {}}},
      TraceRequest{TraceRequest::Network{tiny_model(), {}}, TraceWay::run},
      TraceRequest{TraceRequest::Network{tiny_model(), ampere::Setup{99}}},
      TraceRequest{script},
      ScriptRequest{script, {}},
      products({4, 5, 13})};
  const Texts recorded = record(requests);
  const auto rig = open_recorded_rig(path_);
  EXPECT_EQ(rig->abilities(), (Abilities{Ability::measure, Ability::phases, Ability::inference,
                                         Ability::scripts, Ability::operations}));
  for (std::size_t i = requests.size(); i-- > 0;) {
    EXPECT_TRUE(rig->can_answer(requests[i])) << i;
    EXPECT_EQ(ask(*rig, requests[i]), recorded[i]);
  }
  EXPECT_TRUE(rig->warnings().empty());
}

// By the operation and the types of its tensors, wherever these are in the table.
TEST_P(RecordedOperationsTest, GivesTheEnergyOfOperationsAgain) {
  const OperationRequest first{{matrix(8, 8)}, product(0), {}},
      wider{{matrix(9, 9)}, product(0), {}}, fails{{matrix(8, 8)}, fill(0, 1), {}};
  const Texts recorded = record({first, first, wider, fails});
  EXPECT_EQ(recorded[3], "failed: the worker died");
  const auto rig = open_recorded_rig(path_);
  EXPECT_TRUE(rig->abilities().contains(Ability::operation_energy));
  OperationRequest elsewhere{{matrix(3, 3), matrix(8, 8)}, product(1), {}};
  EXPECT_EQ(ask(*rig, elsewhere), recorded[0]);
  EXPECT_EQ(ask(*rig, first), recorded[1]);
  EXPECT_EQ(ask(*rig, wider), recorded[2]);
  EXPECT_EQ(ask(*rig, fails), recorded[3]);
  const OperationRequest missing{{matrix(7, 7)}, product(0), {}};
  EXPECT_FALSE(rig->can_answer(missing));
  EXPECT_THAT(ask(*rig, missing),
              testing::HasSubstr("no answer to 'measure_operation' for the operation mm "));
  EXPECT_TRUE(rig->warnings().empty());
  ask(*rig, first);
  ASSERT_EQ(rig->warnings().size(), 1u);
}

TEST_P(RecordedOperationsTest, FindsEveryOperationWhateverRequestItWasTimedIn) {
  record({products({4, 5}), products({6, 7, 13})});
  const auto rig = open_recorded_rig(path_);
  EXPECT_EQ(times(*rig, products({7, 99, 4, 13, 6})),
            (Texts{"4", kMissing, "1", "13 does not fit", "3"}));
  OperationTimesRequest transposed = products({5});
  transposed.tensors[0].strides = {1, 5};
  EXPECT_EQ(times(*rig, transposed), Texts{kMissing}) << "another type of tensor";
  EXPECT_TRUE(rig->warnings().empty());
}

TEST_P(RecordedOperationsTest, RepeatsInRecordedOrderThenTheLast) {
  record({products({4, 5, 4}), products({4})});
  const auto rig = open_recorded_rig(path_);
  EXPECT_EQ(times(*rig, products({4})), Texts{"1"});
  EXPECT_EQ(times(*rig, products({5, 4, 4})), (Texts{"2", "3", "4"}));
  EXPECT_TRUE(rig->warnings().empty());
  EXPECT_EQ(times(*rig, products({4, 5})), (Texts{"4", "2"}));
  ASSERT_EQ(rig->warnings().size(), 1u);
  EXPECT_TRUE(
      rig->warnings()[0].starts_with("2 answers to 'time_operations' repeat an earlier one"));
}

TEST_P(RecordedOperationsTest, FindsNumbersThatAreNotFinite) {
  OperationTimesRequest request{{matrix(4, 4)}, {fill(0, -INFINITY), fill(0, NAN), fill(0, 0.5)}};
  record({request});
  EXPECT_EQ(times(*open_recorded_rig(path_), request), (Texts{"1", "2", "3"}));
}

// Which of its operations was the reason is not known, and most of them were timed when they were
// asked for again.
TEST_P(RecordedOperationsTest, ARequestThatFailedIsRememberedWhereThereIsNothingBetter) {
  const Texts recorded = record({products({4, 14, 5}), products({4})});
  EXPECT_EQ(recorded[0], "failed: the worker died");
  const auto rig = open_recorded_rig(path_);
  EXPECT_EQ(times(*rig, products({4, 14, 5, 6})),
            (Texts{"2", "the worker died", "the worker died", kMissing}));
}

TEST_P(RecordedOperationsTest, AFailedTraceFailsAgainWithoutTheFolder) {
  const TraceRequest request{Script{"/home/me/train.py", "raises"}};
  EXPECT_EQ(record({request})[0], "failed: /home/me/train.py, line 3: ValueError");
  EXPECT_EQ(ask(*open_recorded_rig(path_), request), "failed: train.py, line 3: ValueError");
}

TEST_P(RecordedOperationsTest, SaysThatAMeasurementOfAScriptIsRepeated) {
  const ScriptRequest request{{"train.py", "build"}, {}};
  record({request});
  const auto rig = open_recorded_rig(path_);
  EXPECT_TRUE(rig->measure(request.script, {}).measurement.notes.empty());
  EXPECT_EQ(rig->measure(request.script, {}).measurement.notes,
            Texts{"repeated: the recording has only 1 measurement of this script"});
  EXPECT_EQ(rig->warnings().size(), 1u);
}

TEST_P(RecordedOperationsTest, TracesAndTimesAreAnnouncedTogetherAndRefusedAlone) {
  const TraceRequest trace{TraceRequest::Network{tiny_model(), {}}};
  record({trace});
  auto rig = open_recorded_rig(path_);
  EXPECT_FALSE(rig->can_answer(products({4})));
  EXPECT_EQ(ask(*rig, products({4})),
            fmt::format("unknown: the recording {} has no timed operations; in all it has 1 answer "
                        "to 'trace'",
                        path_));
  fs::remove(path_);
  record({products({4})});
  rig = open_recorded_rig(path_);
  EXPECT_FALSE(rig->can_answer(trace));
  EXPECT_TRUE(ask(*rig, trace).starts_with("unknown: "));
  EXPECT_TRUE(ask(*rig, ScriptRequest{{"train.py", "build"}, {}}).starts_with("usage: "));
}

TEST_P(RecordedOperationsTest, NamesTheTraceThatIsNotThereAndWhatIs) {
  record({TraceRequest{TraceRequest::Network{tiny_model(), {}}, TraceWay::run},
          TraceRequest{Script{"/home/me/train.py", "build", R"({"batch":8})"}}});
  const auto rig = open_recorded_rig(path_);
  const auto expect = [&](const TraceRequest& request, const std::string& part) {
    const std::string complaint = ask(*rig, request);
    EXPECT_TRUE(complaint.starts_with("unknown: ")) << complaint;
    EXPECT_NE(complaint.find(part), std::string::npos) << complaint;
    EXPECT_EQ(complaint.find("/home"), std::string::npos) << complaint;
  };
  expect({TraceRequest::Network{tiny_model(), {}}},
         "in whatever way works; it has one that was traced in the way 'run'");
  expect({TraceRequest::Network{tiny_model(), ampere::Setup{99}}, TraceWay::run},
         "at batch 99, sgd, fp32; it has one at batch 10");
  expect({Script{"/home/me/train.py", "build", R"({"batch":9})"}},
         "for the script train.py:build {\"batch\":9} in whatever way works; it has some for 1 "
         "script of Board: train.py:build {\"batch\":8}");
}

// Whatever byte the kill came at, all lines before the one being written are there.
TEST_P(RecordedOperationsTest, LosesAtMostTheLastLineToAKill) {
  std::uintmax_t whole = 0;
  {
    const auto writing = record();
    ask(*writing, products({4, 5}));
    whole = fs::file_size(path_);
    ask(*writing, products({6, 7}));
  }
  while (fs::file_size(path_) > whole) {
    const auto rig = open_recorded_rig(path_);
    ASSERT_EQ(times(*rig, products({5, 4})), (Texts{"2", "1"})) << fs::file_size(path_);
    fs::resize_file(path_, std::max(whole, fs::file_size(path_) - 7));
  }
  EXPECT_EQ(times(*open_recorded_rig(path_), products({6})), Texts{kMissing});
  record({products({8})});
  EXPECT_EQ(times(*open_recorded_rig(path_), products({5, 8})), (Texts{"2", "1"}));
}

class PlainRecordedOperations : public RecordedOperationsTest {
 protected:
  // The complaint when the last line but one is this.
  std::string refusal(const std::string& line) {
    fs::remove(path_);
    record({products({4}), products({5}), products({6})});
    auto lines = split(read_text_file(path_), '\n');
    lines.at(2) = line;
    std::erase(lines.at(2), '\n');
    std::ofstream out(path_, std::ios::binary);
    for (const std::string& each : lines) out << each << "\n";
    out.close();
    try {
      open_recorded_rig(path_);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      const std::string place = path_ + ": line 3: ", complaint = error.what();
      EXPECT_TRUE(complaint.starts_with(place)) << complaint;
      return complaint.substr(std::min(place.size(), complaint.size()));
    }
    return "";
  }
};
INSTANTIATE_TEST_SUITE_P(Ending, PlainRecordedOperations, ::testing::Values("r.jsonl"));

TEST_P(PlainRecordedOperations, NamesTheFieldOfABrokenLine) {
  const std::string square =
      R"("do": "time_operations", "tensors": [["fp32", [4, 4]]], "operations": [{"name": "mm",
         "arguments": [{"tensor": 0}, {"tensor": 0}], "results": [{"tensor": 0}]}])";
  EXPECT_EQ(refusal("{" + square + "}"), "must have either \"times\" or \"failure\"");
  EXPECT_EQ(refusal("{" + square + R"(, "times": []})"), "times: has 0 times for 1 operation");
  EXPECT_EQ(refusal("{" + square + R"(, "times": [{"device_s": -1, "host_s": 0}]})").substr(0, 18),
            "times[0].device_s:");
  EXPECT_EQ(refusal(R"({"do": "time_operations", "times": []})"), "the key \"tensors\" is missing");
  EXPECT_EQ(refusal(R"({"do": "time_operations", "tensors": [], "times": [], "operations":
                       [{"name": "mm", "arguments": [{"tensor": 7}]}]})"),
            "operations[0].arguments[0]: tensor 7 does not exist (there are 0)");
  const std::string script = R"("script": {"path": "train.py", "function": "build"})";
  EXPECT_EQ(refusal(R"({"do": "trace", )" + script + R"(, "trace": {"program": {}}})"),
            "trace.program: is not a program: its \"format\" is not \"ampere-program\"");
  EXPECT_EQ(refusal(R"({"do": "trace", "way": "lowered", "failure": "", )" + script + "}"),
            "way: is neither fake nor run");
  EXPECT_EQ(refusal(R"({"do": "trace", "failure": ""})"), "the key \"model_hash\" is missing");
  EXPECT_EQ(refusal(R"({"do": "script", "failure": ""})"), "the key \"script\" is missing");
  EXPECT_EQ(refusal(R"({"do": "script", "failure": "", "script": {"path": "a", "function": "b",
                       "arguments": []}})"),
            "script.arguments: must be an object");
}

TEST_P(PlainRecordedOperations, KeepsNoPathsOfTheMachine) {
  const Script script{"/home/me/train.py", "build"};
  record({TraceRequest{script}, TraceRequest{Script{"/home/me/train.py", "raises"}},
          ScriptRequest{script, {}}});
  EXPECT_EQ(read_text_file(path_).find("/home"), std::string::npos);
}

class ManyRecordedOperations : public RecordedOperationsTest {};
INSTANTIATE_TEST_SUITE_P(Ending, ManyRecordedOperations, ::testing::Values("r.jsonl.gz"));

// As many as a profile of operations takes.
TEST_P(ManyRecordedOperations, TakeLittleRoom) {
  std::vector<std::int64_t> sizes;
  {
    const auto rig = record();
    for (std::int64_t size = 100; size < 15'100; ++size) {
      sizes.push_back(size);
      if (sizes.size() % 100 == 0) ask(*rig, products(std::vector(sizes.end() - 100, sizes.end())));
    }
  }
  EXPECT_LT(fs::file_size(path_), 600'000u);
  const Texts all = times(*open_recorded_rig(path_), products(sizes));
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], std::to_string(i + 1));
}

}  // namespace
}  // namespace ampere
