// Names that are not text, or that a terminal would obey.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/plain_text.h"
#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::Cli;
using testing_support::Ran;

void expect_plain(const Ran& ran) {
  EXPECT_EQ(plain_lines(ran.out), ran.out);
  EXPECT_EQ(plain_lines(ran.err), ran.err);
  EXPECT_THAT(ran.err, Not(HasSubstr("exception")));
}

TEST(HostileText, ArgumentsAreToldHarmlessly) {
  const Cli cli;
  for (const char* arguments :
       {R"(show $'\xff')", R"(show $'\x1b[31m.json')", R"(estimate --json $'cnn5\xff')",
        R"(estimate $'\x1b[31m.onnx' --json)", R"($'\xff')", R"(profile cnn5 --rig $'sim:\xff')"}) {
    const Ran ran = cli.run(arguments);
    EXPECT_TRUE(ran.status == 2 || ran.status == 3) << arguments << ": " << ran.status;
    expect_plain(ran);
  }
}

TEST(HostileText, LinesOfStandardInputAreToldHarmlessly) {
  const Cli cli;
  ASSERT_EQ(cli.run("profile lenet5 --rig sim:ideal --timings 20 --networks 3").status, 0);
  for (const char* arguments : {"estimate -", "estimate - --json"}) {
    const Ran ran = cli.run(arguments, "cnn5\xff\n\x1b[31m\nlenet5\n");
    EXPECT_GT(ran.status, 0);
    expect_plain(ran);
    EXPECT_THAT(ran.out, HasSubstr("lenet5"));
  }
}

TEST(HostileText, AModelFileUnderSuchANameIsShown) {
  const Cli cli;
  ASSERT_EQ(cli.shell(R"(ampere show lenet5 --json > $'a\xff\x1b.json')").status, 0);
  for (const char* arguments : {R"(show $'a\xff\x1b.json')", R"(show $'a\xff\x1b.json' --json)"}) {
    const Ran ran = cli.run(arguments);
    EXPECT_EQ(ran.status, 0) << ran.err;
    expect_plain(ran);
  }
}

TEST(HostileText, ADeviceInARecordingCannotPaintTheTerminal) {
  const Cli cli;
  ASSERT_EQ(cli.run("run lenet5 --rig sim:ideal --store memory: --record r.jsonl").status, 0);
  std::string text = cli.read("r.jsonl");
  const std::size_t name = text.find(R"("name":")");
  ASSERT_NE(name, std::string::npos);
  text.insert(name + 8, R"(\u001b[31m)");
  cli.write("r.jsonl", text);
  for (const char* arguments :
       {"run lenet5 --rig recorded:r.jsonl", "profiles", "profiles --json"}) {
    const Ran ran = cli.run(arguments);
    EXPECT_EQ(ran.status, 0) << ran.err;
    expect_plain(ran);
    EXPECT_THAT(ran.out, Not(HasSubstr("\\u001b")));
  }
}

}  // namespace
}  // namespace ampere
