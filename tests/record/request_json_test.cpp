#include "record/request_json.h"

#include <gtest/gtest.h>

#include "ampere/error.h"
#include "record/record_json.h"
#include "record/recorded_line.h"

namespace ampere {
namespace {

Model net(std::int64_t width) {
  ModelBuilder builder("net" + std::to_string(width));
  builder.add(Input{flat(8)});
  builder.add(Linear{width});
  return std::move(builder).build();
}

Operation square() {
  Operation operation;
  operation.name = "mm";
  operation.arguments = {{TensorIndex{0}}, {TensorIndex{0}}};
  operation.results = {{TensorIndex{0}}};
  return operation;
}

Program squaring() {
  Program program;
  program.name = "squaring";
  program.modules = {""};
  program.tensors = {{ElementType::fp32, {8, 8}, {8, 1}}};
  program.operations = {square()};
  program.steps = {{0, ProgramPhase::forward, 0}};
  return program;
}

std::vector<Request> one_of_each() {
  TrainingTask task;
  task.model = net(4);
  task.data = "idx:digits";
  return {MeasureRequest{net(4), {}, {}},
          TimeRequest{net(4), with_phase({}, Phase::block)},
          PaceRequest{net(4), net(5), {}},
          IdleRequest{net(4), {}},
          DataRequest{"idx:digits"},
          TrainRequest{task},
          WorkRequest{net(4), {}, 250, Joules{12.5}},
          ScriptRequest{{"/tmp/train.py", "build", R"({"batch":8})", true}, {}},
          TraceRequest{TraceRequest::Network{net(4), {}}, TraceWay::fake},
          OperationTimesRequest{{{ElementType::fp32, {8, 8}, {8, 1}}}, {square()}},
          OperationRequest{{{ElementType::fp32, {8, 8}, {8, 1}}}, square(), {}}};
}

std::vector<RigAnswer> an_answer_to_each() {
  Window window;
  window.iterations = 3;
  window.time = Seconds{1};
  window.energy = Joules{2};
  Measurement measurement;
  measurement.windows = {window, window};
  summarize(measurement);
  return {measurement,
          Timing{0.5, {}, Seconds{1}},
          Pace{1, 2, "", Seconds{3}},
          window,
          DataInfo{flat(8), 10, 60, 10},
          TrainingResult{},
          WorkDone{250, Joules{12.25}, Seconds{3}, Source::simulated},
          ScriptMeasurement{measurement, {"train", 8, 99, true, {"a note"}}},
          Trace{squaring(), {"a note"}},
          OperationTimes{{StepTimes{Seconds{0.25}, Seconds{0.125}}, "does not fit"}},
          OperationMeasurement{measurement}};
}

std::string keys(const Json& json) {
  std::string keys;
  for (const auto& [key, value] : json.items()) keys += (keys.empty() ? "" : " ") + key;
  return keys;
}

template <class Action>
std::string complaint(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "";
}

// The lines of version 1 of the protocol: key by key, in the order in which they were always sent.
TEST(RequestJson, WritesTheLinesOfTheProtocol) {
  const std::vector<std::string> expected{
      "do model setup precision",
      "do model setup",
      "do model setup reference",
      "do model setup",
      "do data",
      "model setup data epochs learning_rate seed stop_at_j from do",
      "do model setup iterations stop_at_j",
      "do script precision",
      "model setup way do",
      "tensors operations do",
      "do tensors operation precision"};
  const std::vector<std::string> verbs{"measure",
                                       "time",
                                       "pace",
                                       "idle",
                                       "data",
                                       "train",
                                       "work",
                                       "script",
                                       "trace",
                                       "time_operations",
                                       "measure_operation"};
  const std::vector<Request> requests = one_of_each();
  ASSERT_EQ(requests.size(), std::variant_size_v<Request>);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(requests[i].index(), i);
    EXPECT_EQ(keys(request_json(requests[i])), expected[i]);
    EXPECT_EQ(request_json(requests[i]).at("do"), verbs[i]);
  }
}

TEST(RequestJson, ReadsEveryRequestBack) {
  for (const Request& request : one_of_each()) {
    const Json json = request_json(request);
    const Request again = read_request(JsonField(json, "request: "));
    EXPECT_EQ(again.index(), request.index());
    EXPECT_EQ(request_json(again), json);
  }
}

TEST(RequestJson, ReadsEveryAnswerBackUnderItsOwnKey) {
  const std::vector<std::string> expected{"measurement", "timing",  "pace",       "idle",
                                          "data",        "trained", "worked",     "measured",
                                          "trace",       "times",   "measurement"};
  const std::vector<Request> requests = one_of_each();
  const std::vector<RigAnswer> answers = an_answer_to_each();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Json json = answer_json(answers[i]);
    EXPECT_EQ(keys(json), expected[i]);
    const RigAnswer again = read_answer(requests[i], JsonField(json, "answer: "));
    EXPECT_EQ(again.index(), i);
    EXPECT_EQ(answer_json(again), json);
  }
}

TEST(RequestJson, ATraceIsOfANetworkOrOfAScript) {
  const Json json = request_json(TraceRequest{Script{"/tmp/train.py", "build"}});
  EXPECT_EQ(keys(json), "script do");
  const Request again = read_request(JsonField(json, "request: "));
  EXPECT_EQ(request_json(again), json);
  EXPECT_EQ(model_of(again), nullptr);
  EXPECT_EQ(setup_of(again), nullptr);
  EXPECT_NE(setup_of(one_of_each()[8]), nullptr);
  const Json wrong{{"do", "trace"}, {"script", json["script"]}, {"way", "lowered"}};
  EXPECT_EQ(complaint([&] { read_request(JsonField(wrong, "request: ")); }),
            "request: way: is neither fake nor run");
}

TEST(RequestJson, ATraceMayBeOfOneCallOfALanguageModel) {
  TraceRequest request{Script{"/tmp/gpt.py", "build"}};
  request.generation = GenerationStep{GenerationStage::decode, 8, 1, 512};
  request.number_format = "bf16";
  const Json json = request_json(request);
  EXPECT_EQ(keys(json), "script generation number_format do");
  const auto again = std::get<TraceRequest>(read_request(JsonField(json, "request: ")));
  EXPECT_EQ(again.generation, request.generation);
  EXPECT_EQ(again.number_format, "bf16");
  Json wrong = json;
  wrong["generation"]["context"] = 0;
  EXPECT_THAT(complaint([&] { read_request(JsonField(wrong, "request: ")); }),
              testing::HasSubstr("request: generation.context"));
}

TEST(RequestJson, RefusesWorkThatMakesNoSense) {
  const auto complaint_about = [](const char* key, const Json& value) {
    Json json = request_json(WorkRequest{net(4), {}, 250, Joules{12.5}});
    json[key] = value;
    return complaint([&] { read_request(JsonField(json, "request: ")); });
  };
  EXPECT_EQ(complaint_about("iterations", 0), "request: iterations: must be at least 1");
  EXPECT_NE(complaint_about("iterations", 2.5), "");
  EXPECT_NE(complaint_about("iterations", nullptr), "");
  EXPECT_NE(complaint_about("stop_at_j", -1), "");
  EXPECT_NE(complaint_about("stop_at_j", "much"), "");
  const Request free = WorkRequest{net(4), {}, 250};
  EXPECT_EQ(keys(request_json(free)), "do model setup iterations");
  const Json answer{
      {"worked", {{"iterations", -1}, {"energy_j", 1}, {"time_s", 1}, {"source", "measured"}}}};
  EXPECT_EQ(complaint([&] { read_answer(free, JsonField(answer, "answer: ")); }),
            "answer: worked.iterations: must be at least 0");
}

TEST(RequestJson, ReadsAMeasurementWithoutAPrecision) {
  Json json = request_json(one_of_each().front());
  json.erase("precision");
  const auto request = std::get<MeasureRequest>(read_request(JsonField(json, "request: ")));
  EXPECT_EQ(precision_json(request.precision), precision_json(Precision{}));
}

TEST(RequestJson, NamesTheVerbsThereAre) {
  const Json json{{"do", "dance"}};
  const std::string text = complaint([&] { read_request(JsonField(json, "request: ")); });
  for (const char* part : {"dance", "measure", "train"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  const std::string recorded = complaint([&] { read_recorded_line(JsonField(json, "line 2: ")); });
  EXPECT_NE(recorded.find("idle"), std::string::npos) << recorded;
  EXPECT_EQ(recorded.find("train"), std::string::npos) << "answers to it are not recorded";
}

TEST(RequestJson, SaysOnlyWhereNumbersAreRounded) {
  auto request = std::get<OperationRequest>(one_of_each().at(10));
  EXPECT_FALSE(request_json(request).contains("rounded"));
  request.rounded = true;
  const Json json = request_json(request);
  EXPECT_TRUE(std::get<OperationRequest>(read_request(JsonField(json, "request: "))).rounded);
  EXPECT_EQ(recorded_key(request), recorded_key(one_of_each().at(10))) << "the same operation";
  Json wrong = json;
  wrong["operation"]["arguments"][0]["tensor"] = 7;
  EXPECT_NE(complaint([&] { read_request(JsonField(wrong, "request: ")); }).find("operation[0]"),
            std::string::npos);
}

TEST(RequestJson, IgnoresAbilitiesItDoesNotKnow) {
  const Json json{"measure", "teleport", "timing", 3};
  const Abilities abilities = read_abilities(JsonField(json, "abilities"));
  EXPECT_EQ(abilities, (Abilities{Ability::measure, Ability::time}));
  EXPECT_EQ(abilities_json(abilities), (Json{"measure", "timing"}));
}

TEST(RequestJson, PassesOnWhatIsHeardMeanwhile) {
  std::vector<Json> sent;
  const RunListener sender = sending_listener([&](const Json& event) { sent.push_back(event); });
  Window window;
  window.iterations = 7;
  sender.window(window);
  sender.training.progress({});
  sender.training.epoch({});
  ASSERT_EQ(sent.size(), 3u);
  int windows = 0, progress = 0, epochs = 0;
  RunListener listener;
  listener.window = [&](const Window& heard) { windows += heard.iterations == 7; };
  listener.training.progress = [&](const TrainingProgress&) { ++progress; };
  listener.training.epoch = [&](const TrainingState&) { ++epochs; };
  for (const Json& event : sent) {
    EXPECT_TRUE(hear(listener, JsonField(event, "line: ")));
    EXPECT_TRUE(hear({}, JsonField(event, "line: "))) << "nobody need listen";
  }
  EXPECT_EQ(windows, 1);
  EXPECT_EQ(progress, 1);
  EXPECT_EQ(epochs, 1);
  EXPECT_FALSE(hear(listener, JsonField(answer_json(Timing{}), "line: ")));
}

TEST(RecordedLine, KeepsTheKeysOfTheFormat) {
  const std::vector<std::string> expected{"model_hash model setup precision",
                                          "do model_hash model setup",
                                          "do model_hash model setup reference_hash",
                                          "do model_hash model setup",
                                          "",
                                          "",
                                          "do model_hash model setup iterations",
                                          "do script precision",
                                          "do model_hash model setup way",
                                          "tensors operations do",
                                          "do tensors operation precision"};
  const std::vector<Request> requests = one_of_each();
  ASSERT_EQ(requests.size(), expected.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    ASSERT_EQ(is_recorded(requests[i]), !expected[i].empty());
    if (!is_recorded(requests[i])) continue;
    EXPECT_EQ(keys(recorded_line(requests[i], Json::object())), expected[i]);
  }
}

std::variant<RecordedAnswer, RecordedTimes> read_back(const Request& request, const Json& outcome) {
  const Json line = recorded_line(request, outcome);
  return read_recorded_line(JsonField(line, "line 2: "));
}

TEST(RecordedLine, IsFoundByTheRequestItAnswers) {
  const std::vector<Request> requests = one_of_each();
  const std::vector<RigAnswer> answers = an_answer_to_each();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!is_recorded(requests[i]) || std::holds_alternative<OperationTimesRequest>(requests[i]))
      continue;
    const auto read = std::get<RecordedAnswer>(read_back(requests[i], answer_json(answers[i])));
    EXPECT_EQ(read.key, recorded_key(requests[i]));
    EXPECT_EQ(read.name, std::holds_alternative<OperationRequest>(requests[i]) ? "mm"
                         : model_of(requests[i]) != nullptr
                             ? "net4"
                             : "train.py:build {\"batch\":8} with its data");
    EXPECT_EQ(answer_json(std::get<RigAnswer>(read.answer)), answer_json(answers[i]));
  }
}

OperationTimesRequest two_squares() {
  auto request = std::get<OperationTimesRequest>(one_of_each().at(9));
  request.operations.push_back(square());
  return request;
}

TEST(RecordedLine, OfOperationsHasThemAndTheirTimes) {
  const RigAnswer answer = an_answer_to_each().at(9);
  const auto read = std::get<RecordedTimes>(read_back(two_squares(), answer_json(answer)));
  EXPECT_EQ(read.asked.operations, two_squares().operations);
  EXPECT_EQ(answer_json(std::get<OperationTimes>(read.answer)), answer_json(answer));
  const Json failure{{"failure", "the worker died"}};
  EXPECT_EQ(
      std::get<std::string>(std::get<RecordedTimes>(read_back(two_squares(), failure)).answer),
      "the worker died");
  const std::string wrong =
      complaint([&] { read_back(two_squares(), answer_json(OperationTimes{{StepTimes{}}})); });
  EXPECT_EQ(wrong, "line 2: times: has 1 time for 2 operations");
}

TraceRequest trace_of(const std::string& path, const std::string& arguments) {
  return {Script{path, "build", arguments}, TraceWay::run};
}

TEST(RecordedLine, FindsAScriptWhereverItsFileIs) {
  const RecordedKey key =
      recorded_key(trace_of("/home/me/train.py", R"({"a": 1, "b": {"c": 2, "d": 3}})"));
  EXPECT_EQ(recorded_key(trace_of("train.py", R"({"b": {"d": 3, "c": 2}, "a": 1})")), key);
  EXPECT_NE(recorded_key(trace_of("/home/me/test.py", R"({"a": 1, "b": {"c": 2, "d": 3}})")), key);
  EXPECT_NE(recorded_key(trace_of("/home/me/train.py", R"({"a": 1})")), key);
  TraceRequest any_way = trace_of("train.py", R"({"a": 1, "b": {"c": 2, "d": 3}})");
  any_way.way.reset();
  EXPECT_NE(recorded_key(any_way), key);
  const ScriptRequest plain{{"train.py", "build"}, {}},
      loading{{"train.py", "build", "{}", true}, {}};
  EXPECT_NE(recorded_key(plain), recorded_key(loading));
}

ScriptRequest decode_at(std::int64_t context, const std::string& number_format = "") {
  return {Script{"gpt.py", "build"},
          {},
          GenerationStep{GenerationStage::decode, 1, 1, context},
          number_format};
}

TEST(RequestJson, AScriptMayBeMeasuredAsOneCallOfItsLanguageModel) {
  const ScriptRequest request = decode_at(512, "bf16");
  const Json json = request_json(request);
  EXPECT_EQ(keys(json), "do script generation number_format precision");
  const auto again = std::get<ScriptRequest>(read_request(JsonField(json, "request: ")));
  EXPECT_EQ(again.generation, request.generation);
  EXPECT_EQ(again.number_format, "bf16");
  Json wrong = json;
  wrong["generation"]["context"] = 0;
  EXPECT_THAT(complaint([&] { read_request(JsonField(wrong, "request: ")); }),
              testing::HasSubstr("request: generation.context"));
}

TEST(RecordedLine, TellsTheCallsOfALanguageModelApart) {
  const RecordedKey key = recorded_key(decode_at(512, "bf16"));
  EXPECT_EQ(recorded_key(decode_at(512, "bf16")), key);
  EXPECT_NE(recorded_key(decode_at(513, "bf16")), key);
  EXPECT_NE(recorded_key(decode_at(512)), key);
  EXPECT_NE(recorded_key(ScriptRequest{Script{"gpt.py", "build"}, {}}), key);
  TraceRequest trace{Script{"gpt.py", "build"}};
  const RecordedKey of_step = recorded_key(trace);
  trace.generation = decode_at(512).generation;
  EXPECT_NE(recorded_key(trace), of_step);
  for (const Request& request : {Request{decode_at(512, "bf16")}, Request{trace}}) {
    const auto read = std::get<RecordedAnswer>(read_back(request, {{"failure", "why"}}));
    EXPECT_EQ(read.key, recorded_key(request));
  }
  EXPECT_EQ(std::get<RecordedAnswer>(read_back(decode_at(512, "bf16"), {{"failure", "why"}})).name,
            "gpt.py:build {} (decode, batch 1, context 512, bf16)");
}

TEST(RecordedLine, SaysNothingAboutTheFolderOfAScript) {
  const TraceRequest request = trace_of("/home/me/train.py", "{}");
  Trace trace{squaring(), {"/home/me/train.py:3 is odd, and so is /home/me/lib/net.py"}};
  for (const Json& outcome :
       {answer_json(trace), Json{{"failure", "File \"/home/me/train.py\", line 3\nValueError"}}})
    EXPECT_EQ(recorded_line(request, outcome).dump().find("/home"), std::string::npos);
  const auto read = std::get<RecordedAnswer>(read_back(request, answer_json(trace)));
  EXPECT_EQ(std::get<Trace>(std::get<RigAnswer>(read.answer)).notes.at(0),
            "train.py:3 is odd, and so is lib/net.py");
}

}  // namespace
}  // namespace ampere
