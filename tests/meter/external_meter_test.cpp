// Meters that something else writes: files that grow, pipes, commands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "ampere/error.h"
#include "ampere/meter.h"
#include "base/steady_now.h"
#include "meter/trace/trace_meter.h"
#include "sysfs_tree.h"

namespace ampere {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing_support::SysfsTree;

// Writes a line of its power every two milliseconds, as an external meter does.
class FakeTool {
 public:
  FakeTool(const std::string& path, Seconds clock, std::function<double(double)> watts)
      : writer_([path, clock, watts](const std::stop_token& stop) {
          std::ofstream file(path);
          file.precision(15);
          file << "time (s),power (W)\n" << std::flush;
          while (!stop.stop_requested()) {
            const double now = steady_now().count();
            file << now + clock.count() << "," << watts(now) << "\n" << std::flush;
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
          }
        }) {
    while (!std::filesystem::exists(path))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  void stop() { writer_ = {}; }

 private:
  std::jthread writer_;
};

struct Failure {
  ErrorCode code = ErrorCode::failed;
  std::string message = "no error";
};

template <class Action>
Failure failure_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  ADD_FAILURE() << "no error";
  return {};
}

double mean_watts(Meter& meter, int milliseconds) {
  const Reading before = meter.read();
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  const Reading after = meter.read();
  return (after.energy.at(0) - before.energy.at(0)).value / (after.time - before.time).count();
}

double unix_offset() {
  return Seconds{std::chrono::system_clock::now().time_since_epoch()}.count() -
         steady_now().count();
}

TEST(TraceMeter, IntegratesAFileThatIsBeingWritten) {
  const SysfsTree tree;
  FakeTool writer(tree.root() / "trace.csv", Seconds{unix_offset()}, [](double) { return 7; });
  const auto meter = open_meter("trace:" + (tree.root() / "trace.csv").string());
  EXPECT_NEAR(mean_watts(*meter, 50), 7, 1e-6);
  EXPECT_EQ(meter->info().source, Source::measured);
  EXPECT_EQ(meter->info().sensing, Sensing::sampled);
  EXPECT_GT(meter->info().update_period.count(), 0.001);
  EXPECT_THAT(meter->info().caveats.at(0), HasSubstr("clock of day"));
}

TEST(TraceMeter, ReadsTheEnergyOfTheMomentAndNotOfTheLastSample) {
  const SysfsTree tree;
  FakeTool writer(tree.root() / "t", Seconds{0}, [](double) { return 100; });
  const auto meter = open_meter("trace:" + (tree.root() / "t").string() + ",clock=monotonic");
  const Reading first = meter->read();
  for (int i = 0; i < 50; ++i) {
    const Reading now = meter->read();
    EXPECT_NEAR((now.energy.at(0) - first.energy.at(0)).value,
                100 * (now.time - first.time).count(), 1e-6);
  }
}

TEST(TraceMeter, AddsTheOffsetToItsClock) {
  const SysfsTree tree;
  FakeTool writer(tree.root() / "t", Seconds{-500}, [](double) { return 7; });
  const std::string spec = "trace:" + (tree.root() / "t").string() + ",clock=monotonic";
  EXPECT_NEAR(mean_watts(*open_meter(spec + ",offset=500"), 20), 7, 1e-6);
  const Failure failure = failure_of([&] { open_meter(spec + ",wait=0.5"); });
  EXPECT_EQ(failure.code, ErrorCode::no_meter);
  EXPECT_THAT(failure.message, AllOf(HasSubstr("its last sample is 500"), HasSubstr("replay:")));
  EXPECT_THAT(failure_of([&] { open_meter(spec + ",wait=0.5,offset=900"); }).message,
              HasSubstr("s ahead of this machine's clock"));
}

TEST(TraceMeter, StartsItsClockAtTheEndOfAFile) {
  const SysfsTree tree;
  const std::string path = tree.root() / "t";
  std::ofstream file(path);
  for (int i = 0; i < 1000; ++i) file << i * 0.1 << ",3\n";
  file << std::flush;
  std::jthread writer([&file](const std::stop_token& stop) {
    const double begin = steady_now().count();
    while (!stop.stop_requested()) {
      file << 100 + steady_now().count() - begin << ",7\n" << std::flush;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  const auto meter = open_meter("trace:" + path + ",clock=start");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_NEAR(mean_watts(*meter, 20), 7, 1e-6);
}

TEST(TraceMeter, FindsItsClockByPulses) {
  const SysfsTree tree;
  std::atomic<bool> on{false};
  FakeTool writer(tree.root() / "t", Seconds{-12345}, [&on](double) { return on ? 20.0 : 5.0; });
  TraceOptions options;
  options.align_pulses = true;
  options.wait = Seconds{0.3};
  options.emit = [&on] {
    std::vector<Pulse> pulses;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    for (const int length : {60, 30, 90, 45}) {
      const Seconds begin = steady_now();
      on = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(length));
      on = false;
      pulses.push_back({begin, steady_now()});
      std::this_thread::sleep_for(std::chrono::milliseconds(120 - length));
    }
    return pulses;
  };
  const std::string path = tree.root() / "t";
  const auto meter = open_trace_meter({}, path, open_growing_file(path), options);
  EXPECT_THAT(meter->info().caveats.at(0), HasSubstr("load pulses (score"));
  EXPECT_NEAR(mean_watts(*meter, 30), 5, 1e-6);
}

TEST(TraceMeter, RefusesPulsesThatAreNotThere) {
  const SysfsTree tree;
  FakeTool writer(tree.root() / "t", Seconds{0}, [](double) { return 5; });
  TraceOptions options;
  options.align_pulses = true;
  options.wait = Seconds{0.3};
  options.emit = [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    const Seconds now = steady_now();
    return std::vector<Pulse>{{now - Seconds{0.4}, now - Seconds{0.3}}};
  };
  const std::string path = tree.root() / "t";
  const Failure failure =
      failure_of([&] { open_trace_meter({}, path, open_growing_file(path), options); });
  EXPECT_EQ(failure.code, ErrorCode::no_meter);
  EXPECT_THAT(failure.message, HasSubstr("not clearly in the trace"));
}

TEST(TraceMeter, FailsWhenNothingMoreComes) {
  const SysfsTree tree;
  FakeTool writer(tree.root() / "t", Seconds{0}, [](double) { return 5; });
  const auto meter =
      open_meter("trace:" + (tree.root() / "t").string() + ",clock=monotonic,wait=0.5");
  meter->read();
  writer.stop();
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  const Failure failure = failure_of([&] { meter->read(); });
  EXPECT_EQ(failure.code, ErrorCode::failed);
  EXPECT_THAT(failure.message, HasSubstr("did not come to this moment within 0.5 s"));
}

// Lines that are added to a good beginning, and what reading says then.
Failure failure_after(const std::string& lines) {
  const SysfsTree tree;
  const std::string path = tree.root() / "trace.csv";
  std::ofstream file(path);
  file.precision(15);
  const double now = steady_now().count();
  // Far enough into the future that opening it is not a race.
  for (int i = -100; i <= 30; ++i) file << now + i * 0.01 << ",5\n";
  file << std::flush;
  const auto meter = open_meter("trace:" + path + ",clock=monotonic,wait=0.3");
  file << lines << std::flush;
  return failure_of([&] {
    for (;;) meter->read();
  });
}

TEST(TraceMeter, NamesTheLineItCannotRead) {
  const Failure failure = failure_after("99999999,broken\n");
  EXPECT_EQ(failure.code, ErrorCode::failed);
  EXPECT_THAT(failure.message,
              AllOf(HasSubstr("trace.csv, line 132: "), HasSubstr("'99999999,broken'")));
}

TEST(TraceMeter, FailsOverAGapAndAClockThatGoesBack) {
  EXPECT_THAT(failure_after("99999999,5\n").message,
              AllOf(HasSubstr("line 132: no sample for"), HasSubstr("gap=1")));
  EXPECT_THAT(failure_after("1,5\n").message, HasSubstr("goes back"));
}

TEST(TraceMeter, SurvivesALineWithoutAnEnd) {
  EXPECT_THAT(failure_after(std::string(10'000'000, '7')).message,
              HasSubstr("more than 4096 characters"));
}

TEST(TraceMeter, RefusesTimesThatAreNotSince1970) {
  const SysfsTree tree;
  std::ofstream(tree.root() / "t") << "0,5\n1,5\n";
  const Failure failure = failure_of([&] { open_meter("trace:" + (tree.root() / "t").string()); });
  EXPECT_EQ(failure.code, ErrorCode::usage);
  EXPECT_THAT(failure.message, HasSubstr("clock=start"));
}

TEST(TraceMeter, RefusesWhatIsNotAFile) {
  const SysfsTree tree;
  EXPECT_EQ(failure_of([&] { open_meter("trace:/nowhere/at/all.csv"); }).code, ErrorCode::no_meter);
  EXPECT_EQ(failure_of([&] { open_meter("trace:" + tree.root().string()); }).code,
            ErrorCode::usage);
  EXPECT_EQ(failure_of([&] { open_meter("trace"); }).code, ErrorCode::usage);
  EXPECT_THAT(failure_of([&] { open_meter("trace:a.csv,clok=unix"); }).message,
              HasSubstr("did you mean 'clock'"));
}

constexpr const char* kStream = "sh -c 'while :; do date +%s.%N,7; sleep 0.002; done'";

TEST(StreamMeter, IntegratesTheOutputOfACommand) {
  const auto meter = open_meter(std::string("stream:") + kStream + ",clock=unix");
  EXPECT_EQ(meter->info().domains.at(0).name, "power");
  EXPECT_NEAR(mean_watts(*meter, 30), 7, 1e-6);
}

TEST(StreamMeter, ReadsANamedPipe) {
  const SysfsTree tree;
  const std::string path = tree.root() / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  FakeTool writer(path, Seconds{-99}, [](double) { return 7; });
  const auto meter = open_meter("stream:" + path);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_NEAR(mean_watts(*meter, 30), 7, 1e-6);
  writer.stop();
  const Failure failure = failure_of([&] {
    for (;;) meter->read();
  });
  EXPECT_EQ(failure.code, ErrorCode::failed);
  EXPECT_THAT(failure.message, HasSubstr("was closed"));
}

TEST(StreamMeter, DoesNotWaitForeverForAPipeNobodyWritesTo) {
  const SysfsTree tree;
  const std::string path = tree.root() / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const Failure failure = failure_of([&] { open_meter("stream:" + path + ",wait=0.1"); });
  EXPECT_EQ(failure.code, ErrorCode::no_meter);
  EXPECT_THAT(failure.message, HasSubstr("nothing came within 0.1 s"));
}

TEST(StreamMeter, SaysHowACommandEnded) {
  EXPECT_THAT(failure_of([] { open_meter("stream:sh -c 'exit 3'"); }).message,
              HasSubstr("exit 3': ended with status 3"));
  EXPECT_THAT(failure_of([] { open_meter("stream:sh -c 'kill -9 $$'"); }).message,
              HasSubstr("killed by signal 9"));
  EXPECT_THAT(failure_of([] { open_meter("stream:/no/such/meter --csv"); }).message,
              HasSubstr("cannot run '/no/such/meter': No such file"));
  const auto meter = open_meter("stream:sh -c 'echo 0,5; echo 0.1,5; sleep 0.05; exit 4'");
  const Failure failure = failure_of([&] {
    for (;;) meter->read();
  });
  EXPECT_EQ(failure.code, ErrorCode::failed);
  EXPECT_THAT(failure.message, HasSubstr("ended with status 4"));
}

TEST(StreamMeter, SurvivesEndlessJunk) {
  EXPECT_THAT(failure_of([] { open_meter("stream:sh -c 'tr \"\\n\" x < /dev/zero'"); }).message,
              HasSubstr("more than 4096 characters"));
  EXPECT_EQ(failure_of([] { open_meter("stream:cat /dev/urandom"); }).code, ErrorCode::usage);
}

TEST(StreamMeter, EndsTheCommandWithItself) {
  const SysfsTree tree;
  const std::string marker = tree.root() / "pid";
  {
    const auto meter = open_meter("stream:sh -c 'echo $$ > " + marker +
                                  "; while :; do date +%s.%N,7; sleep 0.002; done',clock=unix");
  }
  long pid = 0;
  std::ifstream(marker) >> pid;
  ASSERT_GT(pid, 0);
  EXPECT_NE(kill(static_cast<pid_t>(pid), 0), 0);
}

TEST(StreamMeter, IsReadFromManyThreads) {
  const SysfsTree tree;
  FakeTool writer(tree.root() / "t", Seconds{0}, [](double) { return 5; });
  const auto meter = open_meter("trace:" + (tree.root() / "t").string() + ",clock=monotonic");
  std::atomic<int> backwards{0};
  std::vector<std::jthread> readers;
  for (int i = 0; i < 8; ++i)
    readers.emplace_back([&] {
      Reading before = meter->read();
      for (int k = 0; k < 20; ++k) {
        const Reading now = meter->read();
        if (now.energy.at(0) < before.energy.at(0)) ++backwards;
        before = now;
      }
    });
  readers.clear();
  EXPECT_EQ(backwards, 0);
}

}  // namespace
}  // namespace ampere
