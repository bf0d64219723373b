#include "rig/recorded.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "ampere/error.h"
#include "base/text.h"
#include "record/record_json.h"

namespace ampere {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

Model net(std::int64_t width) {
  ModelBuilder builder("net" + std::to_string(width));
  builder.add(Input{flat(8)});
  builder.add(Linear{width});
  builder.add(Linear{3});
  return std::move(builder).build();
}

// Counts up; fails for networks of width 13. Times and rests too.
class CountingRig : public Rig {
 public:
  explicit CountingRig(const std::string& name = "Board") {
    device_.name = name;
    device_.fingerprint = fingerprint_of(device_);
  }
  const DeviceInfo& device() const override { return device_; }
  Abilities abilities() const override {
    return {Ability::measure, Ability::time, Ability::pace, Ability::idle, Ability::work};
  }

 private:
  RigAnswer answer(const Request& request, const RunListener&) override {
    return std::visit([this](const auto& each) { return reply(each); }, request);
  }

  static std::int64_t width(const Model& model) { return model.layers()[1].output.channels; }

  RigAnswer reply(const MeasureRequest& request) {
    if (width(request.model) == 13)
      throw Error(ErrorCode::failed, "out of memory: 13 \xff brings bad luck");
    if (width(request.model) == 14) throw Error(ErrorCode::interrupted, "stopped");
    Window window;
    window.iterations = 10;
    window.time = Seconds(0.1 * ++count_);
    window.energy = Joules{count_ / 3.0};
    window.state.temperature_c = 40.5;
    Measurement measurement;
    measurement.windows = {window, window};
    summarize(measurement);
    return measurement;
  }

  RigAnswer reply(const TimeRequest& request) {
    if (width(request.model) == 13) throw Error(ErrorCode::failed, "no time for 13");
    return Timing{0.001 * ++count_, 0.5, Seconds{0.02}};
  }

  RigAnswer reply(const PaceRequest& request) {
    if (width(request.model) == 13) throw Error(ErrorCode::failed, "13 cannot keep up");
    return Pace{0.001 * ++count_, 0.01 * static_cast<double>(width(request.reference)), "",
                Seconds{0.75}};
  }

  RigAnswer reply(const IdleRequest&) {
    Window window;
    window.time = Seconds{1};
    window.energy = Joules{80.0 + ++count_};
    return window;
  }

  RigAnswer reply(const WorkRequest& request) {
    return WorkDone{request.iterations, Joules{10.0 * ++count_}, Seconds{2}, Source::measured};
  }

  template <class Other>
  RigAnswer reply(const Other&) {
    throw Error(ErrorCode::usage, "not asked in these tests");
  }

  DeviceInfo device_;
  int count_ = 0;
};

class Recorded : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("ampere_recorded_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    path_ = (folder_ / GetParam()).string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<std::string> record(const std::vector<std::int64_t>& widths) const {
    const auto rig = make_recording_rig(std::make_unique<CountingRig>(), path_);
    std::vector<std::string> answers;
    for (const std::int64_t width : widths) answers.push_back(answer(*rig, width));
    return answers;
  }

  static std::string answer(Rig& rig, std::int64_t width) {
    try {
      return measurement_json(rig.measure(net(width), {}, {})).dump();
    } catch (const Error& error) {
      return std::string(to_string(error.code())) + ": " + error.what();
    }
  }

  void cut(std::uintmax_t bytes) const { fs::resize_file(path_, fs::file_size(path_) - bytes); }

  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

  std::string refusal(ErrorCode code) const {
    try {
      open_recorded_rig(path_);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "opened it";
    return "";
  }

  fs::path folder_;
  std::string path_;
};
INSTANTIATE_TEST_SUITE_P(Endings, Recorded, testing::Values("r.jsonl", "r.jsonl.gz"),
                         [](const auto& ending) {
                           return std::string(ending.param).ends_with("gz") ? "gz" : "plain";
                         });

TEST_P(Recorded, KeepsWorkByItsIterationsAndKnowsNoOtherEnergy) {
  {
    const auto rig = make_recording_rig(std::make_unique<CountingRig>(), path_);
    rig->work({net(4), {}, 100});
    rig->work({net(4), {}, 100, Joules{50}});
    rig->work({net(4), {}, 30});
  }
  const auto rig = open_recorded_rig(path_);
  ASSERT_TRUE(rig->can_work());
  EXPECT_EQ(rig->work({net(4), {}, 30}).energy.value, 30);
  EXPECT_EQ(rig->work({net(4), {}, 100, Joules{10}}).energy.value, 10);
  const auto refusal_of = [&](const WorkRequest& request) -> std::string {
    try {
      rig->work(request);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unknown);
      return error.what();
    }
    return "it worked";
  };
  EXPECT_THAT(refusal_of({net(4), {}, 100, Joules{19.5}}),
              HasSubstr("100 iterations of net4 that took 20 J, more than 19.5 J"));
  EXPECT_THAT(refusal_of({net(4), {}, 70}),
              AllOf(HasSubstr("of 70 iterations; it has one of"), HasSubstr("iterations")));
}

TEST_P(Recorded, AnswersAsTheDeviceDid) {
  const auto recorded = record({4, 5, 6});
  const auto rig = open_recorded_rig(path_);
  EXPECT_EQ(device_json(rig->device()), device_json(CountingRig().device()));
  EXPECT_EQ(answer(*rig, 6), recorded[2]);
  EXPECT_EQ(answer(*rig, 4), recorded[0]);
}

TEST_P(Recorded, RepeatsInRecordedOrderThenTheLast) {
  const auto recorded = record({4, 5, 4});
  ASSERT_NE(recorded[0], recorded[2]);
  const auto rig = open_recorded_rig(path_);
  EXPECT_EQ(answer(*rig, 4), recorded[0]);
  EXPECT_EQ(answer(*rig, 4), recorded[2]);
  EXPECT_TRUE(rig->warnings().empty());
  Measurement again = rig->measure(net(4), {}, {});
  EXPECT_EQ(again.notes, (std::vector<std::string>{
                             "repeated: the recording has only 2 measurements of this network"}));
  again.notes.clear();
  EXPECT_EQ(measurement_json(again).dump(), recorded[2]);
  ASSERT_EQ(rig->warnings().size(), 1u);
  EXPECT_EQ(rig->warnings()[0].rfind("1 answer to 'measure' repeats an earlier one", 0), 0u);
}

TEST_P(Recorded, FailsAgainWhereTheDeviceFailed) {
  record({13, 4});
  const auto rig = open_recorded_rig(path_);
  EXPECT_NE(answer(*rig, 13).find("failed: out of memory: 13"), std::string::npos);
  EXPECT_NE(answer(*rig, 4).find("energy_j_per_iteration"), std::string::npos);
}

TEST_P(Recorded, OnlyFailuresOfTheNetworkAreRecorded) {
  EXPECT_EQ(record({14})[0], "interrupted: stopped");
  const auto rig = open_recorded_rig(path_);
  EXPECT_NE(answer(*rig, 14).find("has none for any network"), std::string::npos);
}

TEST_P(Recorded, NamesTheNetworkThatIsNotThereAndWhatIs) {
  record({4, 5});
  const auto rig = open_recorded_rig(path_);
  const std::string complaint = answer(*rig, 77);
  EXPECT_EQ(complaint.rfind("unknown: ", 0), 0u);
  for (const char* part : {"net77", "net4", "net5", "Board"})
    EXPECT_NE(complaint.find(part), std::string::npos) << complaint;
}

TEST_P(Recorded, NamesTheSetupThatIsThere) {
  record({4});
  const auto rig = open_recorded_rig(path_);
  try {
    rig->measure(net(4), ampere::Setup{99}, {});
    FAIL() << "answered for batch 99";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown);
    EXPECT_NE(std::string(error.what()).find("batch 10"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("batch 99"), std::string::npos);
  }
}

std::string timing(Rig& rig, std::int64_t width, const ampere::Setup& setup = {}) {
  try {
    return timing_json(rig.time(net(width), setup)).dump();
  } catch (const Error& error) {
    return std::string(to_string(error.code())) + ": " + error.what();
  }
}

TEST_P(Recorded, RepeatsTimingsInRecordedOrderThenTheLast) {
  std::vector<std::string> recorded;
  {
    const auto rig = make_recording_rig(std::make_unique<CountingRig>(), path_);
    EXPECT_TRUE(rig->can_time());
    for (const std::int64_t width : {4, 5, 4, 13}) recorded.push_back(timing(*rig, width));
    answer(*rig, 4);
  }
  const auto rig = open_recorded_rig(path_);
  ASSERT_TRUE(rig->can_time());
  EXPECT_FALSE(rig->can_idle());
  for (const std::size_t i : {0u, 2u, 2u}) EXPECT_EQ(timing(*rig, 4), recorded[i]);
  EXPECT_EQ(timing(*rig, 13), "failed: no time for 13");
  EXPECT_NE(answer(*rig, 4).find("energy_j_per_iteration"), std::string::npos);
  EXPECT_EQ(answer(*rig, 5).rfind("unknown: ", 0), 0u) << "timed is not measured";
  EXPECT_EQ(timing(*rig, 77).rfind("unknown: ", 0), 0u);
  EXPECT_NE(timing(*rig, 4, ampere::Setup{99}).find("batch 10"), std::string::npos);
}

TEST_P(Recorded, RepeatsTheDeviceAtRest) {
  {
    const auto rig = make_recording_rig(std::make_unique<CountingRig>(), path_);
    rig->idle_after(net(4), {});
    rig->idle_after(net(4), {});
  }
  const auto rig = open_recorded_rig(path_);
  ASSERT_TRUE(rig->can_idle());
  EXPECT_EQ(rig->idle_after(net(4), {}).energy.value, 81);
  EXPECT_EQ(rig->idle_after(net(4), {}).energy.value, 82);
  EXPECT_EQ(rig->idle_after(net(4), {}).iterations, 0);
  EXPECT_THROW(rig->idle_after(net(5), {}), Error);
}

TEST_P(Recorded, PacesAsItWasRecorded) {
  {
    const auto rig = make_recording_rig(std::make_unique<CountingRig>(), path_);
    ASSERT_TRUE(rig->can_pace());
    EXPECT_EQ(rig->pace(net(4), net(2), {}).time_s, 0.001) << "passed on";
    rig->pace(net(4), net(2), {});
    EXPECT_THROW(rig->pace(net(13), net(2), {}), Error);
    rig->pace(net(4), net(3), {});
  }
  const auto rig = open_recorded_rig(path_);
  ASSERT_TRUE(rig->can_pace());
  EXPECT_FALSE(rig->can_time());
  EXPECT_EQ(rig->pace(net(4), net(2), {}).time_s, 0.001);
  const Pace second = rig->pace(net(4), net(2), {});
  EXPECT_EQ(second.time_s, 0.002);
  EXPECT_EQ(second.reference_s, 0.02);
  EXPECT_EQ(second.elapsed.count(), 0.75);
  EXPECT_TRUE(rig->warnings().empty());
  EXPECT_EQ(rig->pace(net(4), net(2), {}).time_s, 0.002) << "the last one again and again";
  EXPECT_EQ(rig->pace(net(4), net(2), {}).time_s, 0.002);
  ASSERT_EQ(rig->warnings().size(), 1u);
  EXPECT_EQ(rig->warnings()[0].rfind("2 answers to 'pace' repeat an earlier one", 0), 0u);
  EXPECT_EQ(rig->pace(net(4), net(3), {}).reference_s, 0.03);
}

std::string pacing(Rig& rig, std::int64_t width, std::int64_t reference,
                   const ampere::Setup& setup = {}) {
  try {
    return std::to_string(rig.pace(net(width), net(reference), setup).time_s);
  } catch (const Error& error) {
    return std::string(to_string(error.code())) + ": " + error.what();
  }
}

TEST_P(Recorded, PacesOnlyWhatWasPacedAgainstTheSameReference) {
  {
    const auto rig = make_recording_rig(std::make_unique<CountingRig>(), path_);
    rig->pace(net(4), net(2), {});
    EXPECT_THROW(rig->pace(net(13), net(2), {}), Error);
  }
  const auto rig = open_recorded_rig(path_);
  const auto complaint = [&](std::int64_t width, std::int64_t reference, const char* part) {
    const std::string text = pacing(*rig, width, reference);
    return text.starts_with("unknown: ") && text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(complaint(4, 3, "against net3"));
  EXPECT_TRUE(complaint(5, 2, "the network net5"));
  EXPECT_EQ(pacing(*rig, 4, 2, ampere::Setup{99}).rfind("unknown: ", 0), 0u);
  EXPECT_EQ(pacing(*rig, 13, 2), "failed: 13 cannot keep up");
}

TEST_P(Recorded, TimesNothingWhereNothingWasTimed) {
  record({4});
  const auto rig = open_recorded_rig(path_);
  EXPECT_FALSE(rig->can_pace());
  EXPECT_EQ(pacing(*rig, 4, 2).rfind("usage: ", 0), 0u);
  EXPECT_FALSE(rig->can_time());
  EXPECT_FALSE(rig->can_idle());
  EXPECT_EQ(timing(*rig, 4).rfind("usage: ", 0), 0u);
}

TEST_P(Recorded, IsCompleteWhileStillBeingWritten) {
  const auto writing = make_recording_rig(std::make_unique<CountingRig>(), path_);
  const std::string four = answer(*writing, 4), five = answer(*writing, 5);
  const auto rig = open_recorded_rig(path_);
  EXPECT_EQ(answer(*rig, 4), four);
  EXPECT_EQ(answer(*rig, 5), five);
}

// Whatever byte the kill came at, all lines before the one being written are there.
TEST_P(Recorded, LosesAtMostTheLastLineToAKill) {
  std::string four;
  std::uintmax_t after_four = 0;
  {
    const auto writing = make_recording_rig(std::make_unique<CountingRig>(), path_);
    four = answer(*writing, 4);
    after_four = fs::file_size(path_);
    answer(*writing, 5);
  }
  while (fs::file_size(path_) > after_four) {
    const auto rig = open_recorded_rig(path_);
    ASSERT_EQ(answer(*rig, 4), four) << fs::file_size(path_);
    cut(std::min<std::uintmax_t>(7, fs::file_size(path_) - after_four));
  }
  EXPECT_EQ(answer(*open_recorded_rig(path_), 4), four);
}

TEST_P(Recorded, ContinuesAfterAKill) {
  const auto first = record({4, 5});
  cut(30);
  const auto second = record({6});
  const auto third = record({7});
  const auto rig = open_recorded_rig(path_);
  EXPECT_EQ(answer(*rig, 4), first[0]);
  EXPECT_EQ(answer(*rig, 6), second[0]);
  EXPECT_EQ(answer(*rig, 7), third[0]);
}

TEST_P(Recorded, IsContinuedForTheSameDeviceOnly) {
  record({4});
  try {
    make_recording_rig(std::make_unique<CountingRig>("Another board"), path_);
    FAIL() << "two devices in one recording";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string(error.what()).find("Another board"), std::string::npos);
  }
  EXPECT_NE(answer(*open_recorded_rig(path_), 4).find("energy"), std::string::npos);
}

TEST_P(Recorded, StartsInAnEmptyFile) {
  write("");
  record({4});
  EXPECT_NE(answer(*open_recorded_rig(path_), 4).find("energy"), std::string::npos);
}

TEST_P(Recorded, RefusesToWriteIntoSomethingElse) {
  write("my diary\n");
  EXPECT_THROW(record({4}), Error);
  EXPECT_EQ(read_text_file(path_), "my diary\n");
}

TEST_P(Recorded, RefusesWhatIsNoRecording) {
  EXPECT_NE(refusal(ErrorCode::unknown).find("no such"), std::string::npos);
  write("");
  EXPECT_NE(refusal(ErrorCode::usage).find("empty"), std::string::npos);
  write("\n");
  EXPECT_NE(refusal(ErrorCode::usage).find("not a recording"), std::string::npos);
  write("hello\nworld\n");
  EXPECT_NE(refusal(ErrorCode::usage).find("not a recording"), std::string::npos);
  write("{\"layers\": []}\n");
  EXPECT_NE(refusal(ErrorCode::usage).find("header"), std::string::npos);
  write("[1, 2]\n");
  EXPECT_NE(refusal(ErrorCode::usage).find("header"), std::string::npos);
  write("{\"ampere_recording\": 2, \"device\": {}}\n");
  EXPECT_NE(refusal(ErrorCode::usage).find("version"), std::string::npos);
  write("{\"ampere_recording\": 1}\n");
  EXPECT_NE(refusal(ErrorCode::usage).find("device"), std::string::npos);
  write(std::string("\x1f\x8b\x08garbage that is not deflated", 32));
  refusal(ErrorCode::usage);
  fs::remove(path_);
  fs::create_directory(path_);
  EXPECT_NE(refusal(ErrorCode::usage).find("folder"), std::string::npos);
}

TEST_P(Recorded, CannotBeWrittenWhereThereIsNoFolder) {
  EXPECT_THROW(make_recording_rig(std::make_unique<CountingRig>(),
                                  (folder_ / "nowhere" / GetParam()).string()),
               Error);
}

class PlainRecorded : public Recorded {
 protected:
  void replace_line(std::size_t index, const std::string& line) const {
    auto lines = split(read_text_file(path_), '\n');
    lines.at(index) = line;
    std::string text;
    for (const std::string& each : lines) text += each + "\n";
    write(text.substr(0, text.size() - 1));
  }
};
INSTANTIATE_TEST_SUITE_P(Ending, PlainRecorded, testing::Values("r.jsonl"));

TEST_P(PlainRecorded, NamesABrokenLineInTheMiddle) {
  record({4, 5, 6});
  replace_line(2, "{\"model_hash\": \"12");
  EXPECT_NE(refusal(ErrorCode::usage).find("line 3"), std::string::npos);
  replace_line(2, "{\"model_hash\": 12}");
  const std::string complaint = refusal(ErrorCode::usage);
  EXPECT_NE(complaint.find("line 3"), std::string::npos);
  EXPECT_NE(complaint.find("model_hash"), std::string::npos);
  replace_line(2, "");
  EXPECT_NE(refusal(ErrorCode::usage).find("line 3"), std::string::npos);
}

TEST_P(PlainRecorded, KeepsOnlyTheNameOfATimedNetwork) {
  make_recording_rig(std::make_unique<CountingRig>(), path_)->time(net(4), {});
  const Json line = Json::parse(split(read_text_file(path_), '\n').at(1));
  EXPECT_EQ(line.at("model"), (Json{{"name", "net4"}}));
  EXPECT_EQ(line.at("model_hash"), model_hash(net(4)));
}

TEST_P(PlainRecorded, RefusesLinesItDoesNotUnderstand) {
  record({4, 5, 6});
  const std::string network =
      R"("model_hash": "12", "model": {"name": "x"}, "setup": {"batch": 1, "optimizer": "sgd", "precision": "fp32"})";
  replace_line(2, R"({"do": "dance", )" + network + "}");
  EXPECT_NE(refusal(ErrorCode::usage).find("dance"), std::string::npos);
  replace_line(2, R"({"do": "time", )" + network + "}");
  EXPECT_NE(refusal(ErrorCode::usage).find("timing"), std::string::npos);
  replace_line(2, R"({"do": "time", "timing": {"device_s": "x"}, )" + network + "}");
  EXPECT_NE(refusal(ErrorCode::usage).find("device_s"), std::string::npos);
  replace_line(2, R"({"do": "pace", "pace": {"time_s": 1, "reference_s": 1, "elapsed_s": 1}, )" +
                      network + "}");
  EXPECT_NE(refusal(ErrorCode::usage).find("reference_hash"), std::string::npos);
  replace_line(2,
               R"({"do": "pace", "reference_hash": "34", "pace": {"time_s": 0}, )" + network + "}");
  EXPECT_NE(refusal(ErrorCode::usage).find("pace.time_s"), std::string::npos);
  replace_line(2, R"({"do": "idle", "idle": {"iterations": 0}, )" + network + "}");
  EXPECT_NE(refusal(ErrorCode::usage).find("time_s"), std::string::npos);
}

TEST_P(PlainRecorded, DropsABrokenLastLine) {
  const auto recorded = record({4, 5});
  replace_line(2, "{\"model_hash\": \"12");
  const auto rig = open_recorded_rig(path_);
  EXPECT_EQ(answer(*rig, 4), recorded[0]);
  EXPECT_EQ(answer(*rig, 5).rfind("unknown", 0), 0u);
}

class GzRecorded : public Recorded {};
INSTANTIATE_TEST_SUITE_P(Ending, GzRecorded, testing::Values("r.jsonl.gz"));

TEST_P(GzRecorded, IsCompressedOverManyLines) {
  record(std::vector<std::int64_t>(50, 4));
  const gzFile file = gzopen(path_.c_str(), "rb");
  std::string text(1 << 20, '\0');
  const int size = gzread(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  EXPECT_GT(size, 8 * static_cast<int>(fs::file_size(path_)));
}

TEST_P(GzRecorded, ReadsAPlainFileOfThatName) {
  path_ = (folder_ / "r.jsonl").string();
  const auto recorded = record({4});
  const std::string renamed = path_ + ".gz";
  fs::rename(path_, renamed);
  EXPECT_EQ(answer(*open_recorded_rig(renamed), 4), recorded[0]);
}

TEST_P(GzRecorded, RefusesDamagedData) {
  record({4, 5, 6, 7});
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(fs::file_size(path_) / 2));
  file << std::string(40, '\xff');
  file.close();
  EXPECT_NE(refusal(ErrorCode::usage).find("line"), std::string::npos);
}

}  // namespace
}  // namespace ampere
