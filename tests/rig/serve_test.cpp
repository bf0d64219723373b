#include "rig/serve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "ampere/error.h"
#include "base/text.h"
#include "model/model_json.h"
#include "record/record_json.h"
#include "virtual_device.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using testing_support::tiny_model;

// The lines a runner answers to these requests, the hello first.
std::vector<Json> serve(const std::string& requests,
                        const std::function<void(const std::string&)>& on_prepare = {}) {
  std::istringstream in(requests);
  std::ostringstream out;
  auto bench = testing_support::make_virtual_rig();
  if (on_prepare) bench.device->on_prepare = on_prepare;
  RunnerServer(in, out).serve(*bench.rig);
  std::vector<Json> lines;
  for (const std::string& line : split(out.str(), '\n'))
    if (!line.empty()) lines.push_back(Json::parse(line));
  return lines;
}

Json measure_request(const Json& id = 1) {
  return {{"id", id},
          {"do", "measure"},
          {"model", model_json(tiny_model())},
          {"setup", setup_json(Setup{})}};
}

std::string error_code(const Json& answer) { return answer.at("error").at("code"); }
std::string error_message(const Json& answer) { return answer.at("error").at("message"); }

TEST(RunnerServer, SaysHelloFirst) {
  const auto lines = serve("");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].at("ampere_runner"), kRunnerProtocol);
  EXPECT_EQ(lines[0].at("device").at("name"), "virtual");
  EXPECT_EQ(lines[0].at("device").at("source"), "simulated");
  EXPECT_EQ(lines[0].at("abilities"), Json::array({"measure", "phases", "inference", "timing",
                                                   "pace", "idle", "train", "work"}));
}

TEST(RunnerServer, RefusesALineWithoutEndAndStops) {
  std::istringstream in(std::string(2000, ' ') + "\n" + measure_request().dump() + "\n");
  std::ostringstream out;
  RunnerServer(in, out, 1000).serve(*testing_support::make_virtual_rig().rig);
  const std::vector<std::string> lines = split(out.str(), '\n');
  ASSERT_EQ(lines.size(), 3u) << "the hello, the error and the end";
  EXPECT_EQ(error_code(Json::parse(lines[1])), "usage");
  EXPECT_THAT(error_message(Json::parse(lines[1])), HasSubstr("longer than 1000 bytes"));
}

// A rig that can only measure.
struct PlainRig final : Rig {
  const DeviceInfo& device() const override { return info; }
  Abilities abilities() const override { return {Ability::measure}; }
  RigAnswer answer(const Request&, const RunListener&) override { return Measurement{}; }
  DeviceInfo info;
};

TEST(RunnerServer, AnnouncesOnlyWhatTheRigCan) {
  Json request = measure_request();
  request["do"] = "time";
  std::istringstream in(request.dump() + "\n");
  std::ostringstream out;
  PlainRig rig;
  RunnerServer(in, out).serve(rig);
  const auto lines = split(out.str(), '\n');
  EXPECT_EQ(Json::parse(lines.at(0)).at("abilities"), Json::array({"measure"}));
  EXPECT_EQ(error_code(Json::parse(lines.at(1))), "usage");
}

TEST(RunnerServer, TimesAStep) {
  Json request = measure_request(3);
  request["do"] = "time";
  request["setup"]["phase"] = "block";
  const auto lines = serve(request.dump() + "\n");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].at("id"), 3);
  const Timing timing = read_timing(JsonField(lines[1].at("timing"), "answer: "));
  EXPECT_NEAR(timing.device_s, 0.0037, 1e-9);
  EXPECT_TRUE(lines[1].at("timing").at("host_s").is_null());
}

TEST(RunnerServer, MeasuresTheDeviceAtRest) {
  Json request = measure_request("rest");
  request["do"] = "idle";
  const auto lines = serve(request.dump() + "\n");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].at("id"), "rest");
  const Window window = read_window(JsonField(lines[1].at("idle"), "answer: "));
  EXPECT_EQ(window.iterations, 0);
  EXPECT_GT(window.energy.value, 0);
}

TEST(RunnerServer, MeasuresAndReportsEachWindow) {
  const auto lines = serve(measure_request().dump() + "\n");
  ASSERT_GE(lines.size(), 5u);
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    EXPECT_EQ(lines[i].at("id"), 1);
    EXPECT_GT(lines[i].at("window").at("iterations"), 0);
  }
  const Json& answer = lines.back();
  EXPECT_EQ(answer.at("id"), 1);
  const Measurement result = read_measurement(JsonField(answer.at("measurement"), "answer: "));
  EXPECT_EQ(result.windows.size(), lines.size() - 2);
}

TEST(RunnerServer, TakesTheAskedPrecision) {
  Json request = measure_request("second");
  Precision precision;
  precision.min_windows = 5;
  request["precision"] = precision_json(precision);
  const auto lines = serve(request.dump() + "\n");
  EXPECT_EQ(lines.back().at("id"), "second");
  EXPECT_EQ(lines.back().at("measurement").at("windows").size(), 5u);
}

TEST(RunnerServer, AnswersMalformedLinesAndGoesOn) {
  Json no_model = measure_request(8);
  no_model.erase("model");
  Json bad_batch = measure_request(9);
  bad_batch["setup"]["batch"] = -3;
  const auto lines = serve("nonsense\n[1,2]\n{}\n\n   \n" +
                           std::string("{\"id\":7,\"do\":\"dance\"}\n") + no_model.dump() + "\n" +
                           bad_batch.dump() + "\n\"\xff\xfe\n" + measure_request(10).dump() + "\n");
  std::vector<Json> errors;
  for (const Json& line : lines)
    if (line.contains("error")) errors.push_back(line);
  ASSERT_EQ(errors.size(), 7u);
  for (const Json& error : errors) EXPECT_EQ(error_code(error), "usage");
  EXPECT_TRUE(errors[0].at("id").is_null());
  EXPECT_EQ(errors[3].at("id"), 7);
  EXPECT_THAT(error_message(errors[3]), HasSubstr("dance"));
  EXPECT_THAT(error_message(errors[4]), HasSubstr("model"));
  EXPECT_THAT(error_message(errors[5]), HasSubstr("batch"));
  EXPECT_TRUE(lines.back().contains("measurement"));
}

TEST(RunnerServer, PacesAgainstTheReferenceOfTheRequest) {
  Json request = measure_request(3);
  request["do"] = "pace";
  Json without = request, damaged = request;
  request["reference"] = model_json(tiny_model("other"));
  damaged["id"] = 4;
  damaged["reference"] = "other";
  std::vector<std::string> prepared;
  const auto lines = serve(request.dump() + "\n" + without.dump() + "\n" + damaged.dump() + "\n",
                           [&](const std::string& model) { prepared.push_back(model); });
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[1].at("id"), 3);
  EXPECT_NEAR(lines[1].at("pace").at("time_s").get<double>(), 0.0037, 1e-9);
  EXPECT_NEAR(lines[1].at("pace").at("reference_s").get<double>(), 0.0037, 1e-9);
  EXPECT_GT(lines[1].at("pace").at("elapsed_s").get<double>(), 0);
  EXPECT_EQ(prepared, (std::vector<std::string>{"tiny", "other"}));
  for (const std::size_t bad : {2u, 3u}) {
    EXPECT_EQ(error_code(lines[bad]), "usage");
    EXPECT_THAT(error_message(lines[bad]), HasSubstr("reference"));
  }
}

TEST(RunnerServer, SendsFailuresBackWithTheirCode) {
  const auto lines = serve(measure_request().dump() + "\n", [](const std::string&) {
    throw Error(ErrorCode::failed, "out of memory");
  });
  EXPECT_EQ(error_code(lines.back()), "failed");
  EXPECT_EQ(error_message(lines.back()), "out of memory");
}

TEST(RunnerServer, SendsForeignErrorsWhateverTheyAreWrittenIn) {
  const auto lines = serve(measure_request().dump() + "\n",
                           [](const std::string&) { throw std::runtime_error("m\xe9moire \xff"); });
  EXPECT_EQ(error_code(lines.back()), "failed");
}

TEST(RunnerServer, EndsOnQuit) {
  EXPECT_EQ(serve("{\"do\":\"quit\"}\n" + measure_request().dump() + "\n").size(), 1u);
}

}  // namespace
}  // namespace ampere
