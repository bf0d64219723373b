#include "fleet/job_work.h"

#include <gmock/gmock.h>

#include "../support/error_of.h"
#include "fleet/chunks.h"
#include "fleet/signal_name.h"

namespace ampere {
namespace {

using ::testing::HasSubstr;
using testing_support::error_of;

JobWork model_work() {
  JobWork work;
  work.model = open_model("lenet5");
  work.setup.batch = 7;
  work.iterations = 500;
  work.rig = "sim:xavier";
  work.seed = 3;
  work.time_scale = 0.01;
  return work;
}

JobWork command_work() {
  JobWork work;
  work.command = {"python3", "train it.py"};
  work.folder = "/tmp";
  work.meter = "modelled:static=5";
  work.checkpoint_signal = "SIGUSR2";
  work.checkpoint_grace = Seconds{3};
  return work;
}

TEST(JobWork, IsReadBack) {
  for (const JobWork& work : {model_work(), command_work()}) {
    const std::string text = to_text(work);
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_EQ(to_text(parse_job_work(text, "job 1")), text);
  }
  const JobWork again = parse_job_work(to_text(model_work()), "job 1");
  EXPECT_EQ(model_hash(*again.model), model_hash(open_model("lenet5")));
  EXPECT_EQ(again.setup.batch, 7);
  EXPECT_EQ(again.seed, 3);
  EXPECT_EQ(again.time_scale, 0.01);
  EXPECT_EQ(parse_job_work(to_text(command_work()), "x").command, command_work().command);
}

TEST(JobWork, SaysWhatNobodyCouldDo) {
  const auto complaint = [](const std::string& text) {
    const Error error = error_of([&] { parse_job_work(text, "job 1"); });
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return std::string(error.what());
  };
  EXPECT_THAT(complaint("{"), HasSubstr("job 1"));
  EXPECT_THAT(complaint("{}"), HasSubstr("job 1: there is neither a model nor a command"));
  EXPECT_THAT(complaint(R"({"command": [""]})"), HasSubstr("the command has no name"));
  EXPECT_THAT(complaint(R"({"command": "ls"})"), HasSubstr("command"));
  EXPECT_THAT(complaint(R"({"command": ["ls"], "checkpoint_signal": "KILL"})"),
              HasSubstr("'KILL' is not a signal that a command can catch"));
  EXPECT_THAT(complaint(R"({"command": ["ls"], "checkpoint_grace_s": -1})"), HasSubstr("-1 s"));
  EXPECT_THAT(complaint(R"({"command": ["ls"], "time_scale": 1e9})"), HasSubstr("scale of time"));
  JobWork none = model_work();
  none.iterations = 0;
  EXPECT_THAT(error_of([&] { to_text(none); }).what(),
              HasSubstr("0 is not a number of iterations"));
}

TEST(SignalName, KnowsSignalsByNameAndNumber) {
  EXPECT_EQ(signal_number("USR1"), signal_number("SIGUSR1"));
  EXPECT_EQ(signal_number("15"), signal_number("TERM"));
  for (const char* bad : {"", "KILL", "9", "STOP", "NONSENSE", "0", "-1", "99"})
    EXPECT_THROW(signal_number(bad), Error) << bad;
}

TEST(Chunks, AreATwentiethOfTheJobWithinLimits) {
  EXPECT_DOUBLE_EQ(chunk_time(Seconds{200}).count(), 10);
  EXPECT_LE(chunk_time(Seconds{36000}).count(), 15) << "must end before Slurm kills";
  EXPECT_GE(chunk_time(Seconds{1}).count(), 1);
  EXPECT_EQ(chunk_iterations(Seconds{200}, Seconds{0.1}), 100);
  EXPECT_EQ(chunk_iterations(Seconds{200}, Seconds{1000}), 1);
  EXPECT_EQ(chunk_iterations(Seconds{200}, Seconds{0}), 1);
  const Overhead overhead = execution_overhead(Seconds{200}, Watts{10});
  EXPECT_GT(overhead.time.count(), 0);
  EXPECT_DOUBLE_EQ(overhead.energy.value, 10 * overhead.time.count());
  EXPECT_GT(command_overhead(Seconds{10}, Watts{10}).energy.value, 100);
}

}  // namespace
}  // namespace ampere
