// What happens to jobs in the course of months, on a real Slurm cluster: nodes that die, commands
// that use too much, cheap hours, devices behind a gateway, clocks that jump.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/utc.h"
#include "fleet_cluster.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::FleetCluster;
using testing_support::Ran;

// Asks until the answer is yes; there is always an answer in a few seconds.
template <class Question>
bool comes_true(const Question& question) {
  for (int i = 0; i < 300; ++i) {
    if (question()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

// A command is measured under the meter of its node.
TEST_F(FleetCluster, StopsACommandBeforeItUsesMoreThanWasReserved) {
  cli->write("metered.toml",
             "[devices.xavier]\nrig = \"sim:xavier\"\nmeter = \"modelled:static=50,core=0.001\"\n"
             "[devices.tx2]\nrig = \"sim:tx2\"\nmeter = \"modelled:static=5,core=0.001\"\n");
  const std::string account = pay_from("project:commands");
  const auto job = [](const std::string& name, const std::string& kind, const std::string& script) {
    return "[[jobs]]\nname = \"" + name + "\"\nmodel = \"cnn5:4,8,16,32\"\niterations = 2000\n" +
           "devices = [\"" + kind + "\"]\ncommand = [\"/bin/sh\", \"-c\", '''" + script + "''']\n";
  };
  cli->write("commands.toml",
             "name = \"commands\"\n" + account +
                 job("modest", "tx2", "sleep 0.5; echo done > modest") +
                 job("greedy", "xavier",
                     "trap 'echo saved >> greedy' USR1; trap 'echo ended >> greedy; exit 0' TERM; "
                     "while :; do sleep 0.1; done"));
  submit("commands.toml --fleet metered.toml");
  const Json jobs = ended("commands");
  const Json &modest = jobs.at(0), &greedy = jobs.at(1);
  EXPECT_EQ(modest.at("state"), "finished") << modest;
  EXPECT_EQ(cli->read("modest"), "done\n");
  EXPECT_GE(modest.at("spent_j").get<double>(), 5 * 0.5);
  EXPECT_EQ(greedy.at("state"), "stopped") << greedy;
  EXPECT_THAT(greedy.at("reason").get<std::string>(), HasSubstr("before it would have used more"));
  EXPECT_EQ(cli->read("greedy"), "saved\nended\n");
  for (const Json& each : jobs) {
    EXPECT_EQ(each.at("source"), "modelled");
    EXPECT_EQ(each.at("assumed_j").get<double>(), 0);
    EXPECT_LE(each.at("spent_j").get<double>(), each.at("reserved_j").get<double>()) << each;
  }
  EXPECT_GE(greedy.at("spent_j").get<double>(), 0.2 * greedy.at("reserved_j").get<double>());
  expect_books_balance("project:commands", jobs);
  std::printf("greedy: %.1f J of %.1f J reserved (modelled)\n", greedy.at("spent_j").get<double>(),
              greedy.at("reserved_j").get<double>());
}

// Slurm itself holds a job back until the hours are good.
TEST_F(FleetCluster, WaitsForTheCheapestAndTheCleanestHours) {
  constexpr std::chrono::seconds kGood{4};
  const std::string rows = "\n0,400\n" + std::to_string(kGood.count()) + ",100\n";
  cli->write("price.csv", "time,price (EUR/MWh)" + rows);
  cli->write("carbon.csv", "time,carbon (gCO2/kWh)" + rows);
  const std::string fields = "deadline = \"15min\"\n" + pay_from("project:hours");
  const auto before = std::chrono::system_clock::now();
  for (const auto& [start, forecast] :
       {std::pair("cheapest", "price.csv"), std::pair("cleanest", "carbon.csv")}) {
    submit(one_job(start, fields) + " --start " + start + " --forecast " + forecast);
    const Json job = status(start).at("jobs").at(0);
    EXPECT_EQ(job.at("slurm_state"), "PENDING") << job;
    EXPECT_EQ(job.at("slurm_reason"), "BeginTime") << job;
  }
  for (const char* start : {"cheapest", "cleanest"}) {
    const Json job = ended(start).at(0);
    EXPECT_EQ(job.at("state"), "finished") << job;
    const auto began = parse_utc(job.at("started_at").get<std::string>());
    ASSERT_TRUE(began) << job;
    // Slurm counts whole seconds.
    EXPECT_GE(*began, before + kGood - std::chrono::seconds(1)) << job;
  }
}

// A device without Slurm: a GRES of its gateway, reached by a command that speaks the protocol of
// runners.
TEST_F(FleetCluster, RunsJobsOnADeviceBehindAGateway) {
  cli->write("phones.toml", "[devices.phone]\ngres = \"phone\"\nrig = \"cmd:" AMPERE_BINARY_DIR
                            "/fake_runner phone\"\n");
  const Ran profiled = cli->run("fleet profile lenet5 --fleet phones.toml --wait");
  ASSERT_EQ(profiled.status, 0) << profiled.err;
  cli->write("gateway.toml", "name = \"gateway\"\n" + pay_from("device:phone") +
                                 "[[jobs]]\nname = \"a\"\nmodel = \"lenet5\"\niterations = 50\n");
  submit("gateway.toml --fleet phones.toml");
  const Json jobs = ended("gateway");
  EXPECT_EQ(jobs.at(0).at("state"), "finished") << jobs;
  EXPECT_EQ(jobs.at(0).at("node"), "n3");
  expect_books_balance("device:phone", jobs);
}

// Both on the node and where jobs are submitted.
TEST_F(FleetCluster, JobsEndAlikeWhenClocksJump) {
  const std::string jumping = "LD_PRELOAD=" AMPERE_JUMPING_CLOCK " ";
  int hours = 40;
  cli->write("jumping", "#!/bin/sh\nexec env " + jumping + AMPERE_BINARY_DIR "/ampere \"$@\"\n");
  std::filesystem::permissions(cli->path("jumping"), std::filesystem::perms::owner_all);
  cli->write("clocks.toml", "program = \"" + cli->path("jumping").string() +
                                "\"\ntime_scale = 0.02\n[devices.xavier]\nrig = \"sim:xavier\"\n");
  // Between two commands the clock is set back or forward by days.
  const auto jumped = [&](const std::string& arguments) {
    hours = -hours;
    return cli->shell("JUMPING_CLOCK_HOURS=" + std::to_string(hours) + " " + jumping +
                      "\"$AMPERE\" fleet " + arguments);
  };
  const std::string fields = "devices = [\"xavier\"]\n" + pay_from("project:clocks");
  submit(one_job("steady", fields));
  const std::string file = one_job("jumped", "deadline = \"2h\"\n" + fields);
  const Ran submitted = jumped("submit " + file + " --fleet clocks.toml");
  ASSERT_EQ(submitted.status, 0) << submitted.err;
  EXPECT_EQ(jumped("watch jumped --interval 0.2").status, 0);
  Json jobs = ended("steady");
  jobs.push_back(status("jumped").at("jobs").at(0));
  for (const Json& job : jobs) EXPECT_EQ(job.at("state"), "finished") << job;
  EXPECT_EQ(jobs.at(0).at("spent_j"), jobs.at(1).at("spent_j")) << "to the millijoule";
  expect_books_balance("project:clocks", jobs);

  // The deadline of a job that is lost is as far away as before.
  const std::string later = one_job("later", "begin = \"1h\"\ndeadline = \"2h\"\n" + fields);
  ASSERT_EQ(jumped("submit " + later).status, 0);
  cli->shell("scancel " + status("later").at("jobs").at(0).at("slurm_id").get<std::string>());
  EXPECT_TRUE(comes_true([&] { return status("later").at("jobs").at(0).at("state") == "lost"; }));
  EXPECT_EQ(jumped("submit " + later + " --json").json().at("again"), 1);
  EXPECT_EQ(jumped("cancel later --json").json().at("cancelled"), 1);
}

// The last one, since it takes two of three nodes away.
TEST_F(FleetCluster, GoesOnWithoutNodesThatNeverComeBack) {
  const auto control = [&](const std::string& arguments) {
    const Ran ran = cli->shell("scontrol " + arguments);
    EXPECT_EQ(ran.status, 0) << arguments << ": " << ran.err;
  };
  cli->write("any.toml",
             "time_scale = 0.02\n[devices.any]\nconstraint = \"server|xavier|tx2\"\ncount = 3\n"
             "rig = \"sim:xavier\"\n");
  const std::string account = pay_from("project:nodes");
  std::string text = "name = \"nodes\"\n" + account;
  for (const char* name : {"queued-again", "given-up"})
    text += "[[jobs]]\nname = \"" + std::string(name) +
            "\"\nmodel = \"cnn5:4,8,16,32\"\niterations = 100000\n";
  cli->write("nodes.toml", text);
  const std::string again = "nodes.toml --fleet any.toml --silence 1";
  submit(again);
  ASSERT_TRUE(comes_true([&] {
    const Json jobs = status("nodes").at("jobs");
    return jobs.at(0).at("iterations_done") > 0 && jobs.at(1).at("iterations_done") > 0;
  }));
  // Slurm runs a job again that may run again, and gives the other one up.
  const Json running = status("nodes").at("jobs");
  control("update jobid=" + running.at(1).at("slurm_id").get<std::string>() + " requeue=0");
  for (const Json& job : running) {
    const std::string node = job.at("node");
    cluster->kill_node(node);
    control("update nodename=" + node + " state=down reason=broken");
  }
  // Slurm would wait for two minutes, in case that the node still runs it.
  control("update jobid=" + running.at(0).at("slurm_id").get<std::string>() + " starttime=now");
  ASSERT_TRUE(comes_true(
      [&] { return status("nodes", "--silence 1").at("jobs").at(1).at("state") == "lost"; }));
  const Json lost = status("nodes").at("jobs").at(1);
  EXPECT_GT(lost.at("assumed_j").get<double>(), 0) << lost;
  const Ran offered = cli->run("fleet submit " + again + " --json");
  ASSERT_EQ(offered.status, 0) << offered.err;
  EXPECT_EQ(offered.json().at("again"), 1);

  const Json jobs = ended("nodes");
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(jobs.at(i).at("state"), "finished") << jobs.at(i);
    EXPECT_EQ(jobs.at(i).at("iterations_done"), 100'000);
    EXPECT_EQ(jobs.at(i).at("attempt"), 2);
    EXPECT_NE(jobs.at(i).at("node"), running.at(0).at("node"));
    EXPECT_NE(jobs.at(i).at("node"), running.at(1).at("node"));
    EXPECT_GT(jobs.at(i).at("assumed_j").get<double>(), 0) << jobs.at(i);
  }
  EXPECT_EQ(jobs.at(0).at("round"), 1);
  EXPECT_EQ(jobs.at(1).at("round"), 2);
  expect_books_balance("project:nodes", jobs);
  cluster->start();
}

}  // namespace
}  // namespace ampere
