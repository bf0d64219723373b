// One vocabulary: an option has the same name in every verb, and its older names still work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "cli.h"

namespace ampere {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_support::Cli;
using testing_support::Ran;

struct Renamed {
  std::string verb, now, before, value, rest;
};

void PrintTo(const Renamed& renamed, std::ostream* out) {
  *out << renamed.verb << " " << renamed.before;
}

class OlderNames : public testing::TestWithParam<Renamed> {};

TEST_P(OlderNames, AreAcceptedAndNotShown) {
  const Cli cli;
  const auto& [verb, now, before, value, rest] = GetParam();
  const std::string help = cli.run(verb + " --help").out;
  EXPECT_THAT(help, HasSubstr("  " + now + " "));
  if (before != "--precision") {
    EXPECT_THAT(help, Not(HasSubstr("  " + before + " ")));
  }

  const std::string begin = verb + " " + rest + " ", as_new = now + " " + value,
                    as_old = before + " " + value;
  const Ran renamed = cli.run(begin + as_new), old = cli.run(begin + as_old);
  EXPECT_GT(renamed.status, 0) << "so that the message shows which option was understood";
  EXPECT_EQ(old.status, renamed.status);
  EXPECT_EQ(old.err, renamed.err);

  // Each would be refused by itself if it were out of range.
  const std::string valid = value == "0" ? "5" : value;
  const Ran both = cli.run(begin + now + " " + valid + " " + before + " " + valid);
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.err, HasSubstr("is an older name of " + now));
}

INSTANTIATE_TEST_SUITE_P(
    Cli, OlderNames,
    testing::Values(Renamed{"profile", "--networks", "--windows", "0", "cnn5"},
                    Renamed{"profile", "--networks", "--profile-networks", "0", "cnn5"},
                    Renamed{"profile", "--measure-error", "--precision", "2", "cnn5"},
                    Renamed{"profile", "--onnx-output", "--output", "x", "nothing.onnx"},
                    Renamed{"run", "--measure-error", "--precision", "2", "cnn5 --rig sim:ideal"},
                    Renamed{"run", "--onnx-output", "--output", "x", "nothing.onnx"},
                    Renamed{"show", "--onnx-output", "--output", "x", "nothing.onnx"},
                    Renamed{"estimate", "--onnx-output", "--output", "x", "nothing.onnx"},
                    Renamed{"kernels measure", "--measure-error", "--precision", "2", ""},
                    Renamed{"kernels measure", "--onnx-output", "--output", "x", "nothing.onnx"},
                    Renamed{"score", "--measure-error", "--precision", "2", "cnn5"},
                    Renamed{"evaluate", "--measure-error", "--precision", "2", "cnn5"},
                    Renamed{"evaluate", "--profile-networks", "--windows", "0", "cnn5"},
                    Renamed{"evaluate", "--method", "--methods", "magic", "cnn5"},
                    Renamed{"evaluate", "--output-folder", "--out", "/proc/x", "cnn5"},
                    Renamed{"prune", "--measure-error", "--precision", "2", "cnn5 --budget 50%"},
                    Renamed{"prune", "--method", "--estimator", "magic", "cnn5 --budget 50%"},
                    Renamed{"prune", "--onnx-output", "--output", "x", "nothing.onnx --budget 50%"},
                    Renamed{"prune", "--output-folder", "--out", "/proc/x", "cnn5 --budget 50%"}));

TEST(Options, OfAListAreRepeatedOrSeparatedByCommas) {
  const Cli cli;
  for (const char* methods :
       {"--method flops --method magic", "--method flops,magic", "--methods flops magic"})
    EXPECT_THAT(cli.run(std::string("evaluate cnn5 --rig sim:ideal ") + methods).err,
                HasSubstr("magic"))
        << methods;
  // A family after a method is not one of the methods.
  EXPECT_THAT(cli.run("evaluate --method flops cnn6 --rig sim:ideal").err, HasSubstr("cnn6"));
}

TEST(Options, TheNumberFormatIsThePrecision) {
  const Cli cli;
  EXPECT_EQ(cli.run("run lenet5 --precision fp32 --rig sim:ideal --store memory:").status, 0);
  for (const std::string verb :
       {"run lenet5", "profile lenet5", "estimate lenet5", "evaluate lenet5",
        "prune lenet5 --budget 50%", "report estimate lenet5"}) {
    const Ran ran = cli.run(verb + " --precision bf17");
    EXPECT_EQ(ran.status, 2) << verb;
    EXPECT_THAT(ran.err, AllOf(HasSubstr("--precision: 'bf17' is not a number format"),
                               HasSubstr("fp32, tf32, bf16, fp16")))
        << verb;
  }
  for (const std::string verb : {"kernels measure lenet5", "score lenet5"}) {
    const Ran ran = cli.run(verb + " --precision bf16");
    EXPECT_EQ(ran.status, 2) << verb;
    EXPECT_THAT(ran.err, HasSubstr("'bf16' is not a supported number format; there is fp32"));
  }
}

TEST(Options, ANumberFormatThatTheRigLacksIsRefusedByIt) {
  const Cli cli;
  for (const std::string verb : {"run", "profile", "evaluate"}) {
    const Ran ran = cli.run(verb + " lenet5 --precision bf16 --rig sim:ideal --store memory:");
    EXPECT_EQ(ran.status, 2) << verb << ran.out;
    EXPECT_THAT(ran.err, HasSubstr("cannot train in bf16 (there is fp32)")) << verb;
  }
}

// The time limits that a recording says were asked for.
std::set<double> limits_asked(const Cli& cli, const std::string& options) {
  const Ran ran = cli.run(
      "profile lenet5 --timings 20 --networks 3 --rig sim:ideal --store "
      "memory: --record r.jsonl " +
      options);
  EXPECT_EQ(ran.status, 0) << ran.err;
  std::set<double> limits;
  std::istringstream lines(cli.read("r.jsonl"));
  for (std::string line; std::getline(lines, line);)
    if (const Json json = Json::parse(line); json.contains("precision"))
      limits.insert(json.at("precision").at("time_limit_s").get<double>());
  std::filesystem::remove(cli.path("r.jsonl"));
  return limits;
}

TEST(Options, PointSecondsAreTheMethodsOwnUnlessGiven) {
  const Cli cli;
  EXPECT_EQ(limits_asked(cli, "--method dual"), std::set<double>{2});
  EXPECT_EQ(limits_asked(cli, "--method ampere --points 3"), std::set<double>{10});
  EXPECT_EQ(limits_asked(cli, "--method dual --point-seconds 10"), std::set<double>{10});
  EXPECT_EQ(limits_asked(cli, "--method ampere --points 3 --point-seconds 2"), std::set<double>{2});
}

// The verbs whose help is about a job of their own, with all subcommands.
const std::vector<std::string> kVerbs{"doctor",
                                      "models",
                                      "show",
                                      "measure",
                                      "run",
                                      "profile",
                                      "profiles",
                                      "profiles export",
                                      "profiles import",
                                      "profiles remove",
                                      "profiles points",
                                      "estimate",
                                      "evaluate",
                                      "kernels",
                                      "kernels measure",
                                      "kernels fit",
                                      "kernels import",
                                      "kernels export",
                                      "kernels predict",
                                      "prune",
                                      "report",
                                      "report estimate",
                                      "report profile",
                                      "report evaluate",
                                      "report prune",
                                      "score"};

TEST(Help, OfEveryVerbHasAnExampleOfIt) {
  const Cli cli;
  for (const std::string& verb : kVerbs) {
    const std::string help = cli.run(verb + " --help").out;
    const std::size_t example = help.find("\nExample:\n");
    ASSERT_NE(example, std::string::npos) << verb;
    EXPECT_THAT(help.substr(example), HasSubstr("ampere " + verb)) << verb;
  }
}

TEST(Words, HelpAndVersionNeedNoDashes) {
  const Cli cli;
  for (const auto& [word, option] : std::map<std::string, std::string>{
           {"help", "--help"}, {"help estimate", "estimate --help"}, {"version", "--version"}}) {
    const Ran said = cli.run(word);
    EXPECT_EQ(said.status, 0) << word << said.err;
    EXPECT_EQ(said.out, cli.run(option).out) << word;
    EXPECT_NE(said.out, "");
  }
  EXPECT_EQ(cli.run("help nonsense").status, 2);
}

// In a terminal of 80 columns; `script` makes one.
TEST(Words, TablesFitTheTerminal) {
  const Cli cli;
  ASSERT_EQ(cli.run("profile lenet5 --rig sim:xavier --timings 40 --networks 6 --store sqlite:s.db")
                .status,
            0);
  const auto longest = [&](const std::string& command) {
    const Ran ran =
        cli.shell("script -qec 'stty cols 80; $AMPERE " + command + "' /dev/null < /dev/null");
    EXPECT_EQ(ran.status, 0) << ran.out;
    std::size_t most = 0, columns = 0;
    for (const unsigned char c : ran.out) {
      if (c == '\n') columns = 0;
      if (c >= ' ' && (c & 0xC0) != 0x80) most = std::max(most, ++columns);
    }
    return most;
  };
  for (const char* command :
       {"profiles --store sqlite:s.db", "doctor", "models", "show densenet121"}) {
    EXPECT_LE(longest(command), 80u) << command;
    EXPECT_GT(longest(command + std::string(" --wide")), 80u) << command;
  }
}

TEST(Options, SayInPlainWordsWhatIsWrong) {
  const Cli cli;
  for (const auto& [words, message] :
       {std::pair{"--device a --device b", "ampere: --device is given twice\n"},
        {"--method a --method b --method c", "--method is given 3 times"},
        {"--batch 1.5", "--batch: '1.5' is not a whole number between 1 and "},
        {"--confidence 1", "--confidence: 1 must be above 0 and below 1"},
        {"--confidence much", "--confidence: 'much' is not a number above 0 and below 1"},
        {"--export model-card=c", "these are never assumed: give --carbon"}}) {
    const Ran ran = cli.run(std::string("estimate cnn5 --store memory: ") + words);
    EXPECT_EQ(ran.status, 2) << words;
    EXPECT_THAT(ran.err, HasSubstr(message)) << words;
  }
}

}  // namespace
}  // namespace ampere
