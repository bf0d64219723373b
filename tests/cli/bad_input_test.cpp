// Whatever a user gets wrong: a clear message, the documented status, no damage.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

struct Wrong {
  const char* arguments;
  int status;
  const char* message;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << "ampere " << wrong.arguments; }

class BadInput : public testing::TestWithParam<Wrong> {};

TEST_P(BadInput, IsExplained) {
  const Cli cli;
  const Ran ran = cli.run(GetParam().arguments);
  EXPECT_EQ(ran.status, GetParam().status) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(GetParam().message));
  EXPECT_EQ(ran.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    Cli, BadInput,
    testing::Values(
        Wrong{"", 2, "--help"}, Wrong{"estimat cnn5", 2, "did you mean 'estimate'?"},
        Wrong{"show", 2, "MODEL"}, Wrong{"show lenet", 3, "did you mean 'lenet5'?"},
        Wrong{"show cnn5:0,1,1,1", 2, "0"}, Wrong{"show cnn5:-1,1,1,1", 2, "-1"},
        Wrong{"show cnn5:1000000000,1,1,1", 2, "1000000000"}, Wrong{"show cnn5:1,2", 2, "4"},
        Wrong{"show cnn5:a,b,c,d", 2, "'a'"}, Wrong{"show transformer:depth=3", 2, "depth"},
        Wrong{"show missing.json", 2, "missing.json"}, Wrong{"show cnn5 --batch 0", 2, "--batch"},
        Wrong{"profile", 2, "MODEL"}, Wrong{"profile cnn5 --rig simm:ideal", 2, "simm"},
        Wrong{"profile cnn5 --rig sim:ideel", 3, "did you mean 'ideal'?"},
        Wrong{"profile cnn5 --rig recorded:none.jsonl", 3, "none.jsonl"},
        Wrong{"profile cnn5 --rig sim:ideal --batch 0", 2, "--batch"},
        Wrong{"profile cnn5 --rig sim:ideal --points 0", 2, "--points"},
        Wrong{"profile cnn5 --rig sim:ideal --measure-error 2", 2, "--measure-error"},
        Wrong{"profile cnn5 --rig sim:ideal --optimizer sgdd", 2, "sgdd"},
        Wrong{"profile cnn5 --rig sim:ideal --store here.db", 2, "here.db"},
        Wrong{"profile cnn5 --rig sim:ideal --guide smell", 2, "--guide"},
        Wrong{"profile cnn5 --rig sim:ideal --store sqlite:/proc/nowhere/x.db", 4, "/proc/nowhere"},
        Wrong{"profile cnn5 --runner /nowhere/ampere-runner --rig cpu", 3,
              "/nowhere/ampere-runner"},
        Wrong{"profile cnn5 --rig sim:ideal --timings 0", 2, "--timings: 0"},
        Wrong{"profile cnn5 --rig sim:ideal --networks -1", 2, "--networks: -1"},
        Wrong{"profile cnn5 --rig sim:ideal --networks 100001", 2, "--networks: 100001"},
        Wrong{"profile cnn5 --rig sim:ideal --timings 99999999999999999999", 2, "--timings"},
        Wrong{"profile cnn5 --rig sim:ideal --timings 0 --dry-run", 2, "--timings: 0"},
        Wrong{"profile cnn5 --rig sim:ideal --method magic", 2, "--method"},
        Wrong{"profile cnn5 --rig sim:ideal --method flops", 2, "--method"},
        Wrong{"fleet submit jobs.toml --store postgresql://ana:s3cret@db/ampere", 2,
              "postgresql://ana:***@db/ampere contains a password"},
        Wrong{"fleet profile cnn5 --store postgresql://db/ampere?password=s3cret", 2,
              "postgresql://db/ampere?password=*** contains a password"},
        Wrong{"estimate cnn5", 3, "ampere profile"},
        Wrong{"estimate cnn5 --method dual", 3, "ampere profile"},
        Wrong{"estimate cnn5 --refine --method ampere --rig sim:ideal", 2, "--refine"},
        Wrong{"estimate alexnet --mode inference --auto --rig sim:ideal", 2, "--auto"},
        Wrong{"estimate alexnet --mode inference --refine --method kernels-forest --rig sim:ideal",
              2, "--refine"},
        Wrong{"estimate alexnet --mode inference --refine --rig sim:ideal", 3,
              "ampere kernels measure"},
        Wrong{"estimate - --refine --rig sim:ideal", 2, "--refine"},
        Wrong{"estimate --refine --rig sim:ideal", 2, "--refine"},
        Wrong{"estimate cnn5 --refine --rig sim:ideal", 3, "ampere profile"},
        Wrong{"estimate cnn5 --confidence 1.5", 2, "--confidence"},
        Wrong{"estimate cnn5 --epochs 2", 2, "--samples"},
        Wrong{"estimate cnn5 --battery 45kg", 2, "4500mAh@3.85V"},
        Wrong{"estimate cnn5 --battery -3Wh", 2, "--battery"},
        Wrong{"estimate cnn5 --method magic", 2, "--method"},
        Wrong{"profiles", 3, "ampere profile"}, Wrong{"profiles export 9", 3, "ampere profile"},
        Wrong{"profiles import nothing.json", 2, "nothing.json"}, Wrong{"evaluate", 2, "FAMILY"},
        Wrong{"evaluate cnn5 --rig sim:ideal --output-folder /proc/nowhere", 4, "--output-folder"},
        Wrong{"evaluate cnn5 --method magic --rig sim:ideal", 2, "magic"},
        Wrong{"evaluate --models nothing.txt --rig sim:ideal", 2, "nothing.txt"},
        Wrong{"evaluate cnn5 --networks 0 --rig sim:ideal", 2, "--networks"},
        Wrong{"evaluate cnn5 --timings 0 --rig sim:ideal", 2, "--timings: 0"},
        Wrong{"evaluate cnn5 --profile-networks -3 --rig sim:ideal", 2, "--profile-networks: -3"},
        Wrong{"evaluate cnn5 --baseline-limit -1 --rig sim:ideal", 2, "--baseline-limit"}));

TEST(BadProfileOptions, AreRefusedBeforeTheStoreIsMade) {
  const Cli cli;
  for (const char* wrong : {"--timings 0", "--networks -1", "--points 0", "--measure-error 2"})
    EXPECT_EQ(
        cli.run(std::string("profile lenet5 --rig sim:ideal --store sqlite:s.db ") + wrong).status,
        2)
        << wrong;
  EXPECT_FALSE(std::filesystem::exists(cli.path("s.db")));
}

TEST(BadModelFile, IsNamedWithTheFieldAndDoesNoHarm) {
  const Cli cli;
  const std::vector<std::pair<std::string, std::string>> broken{
      {"", "not valid JSON"},
      {"{", "not valid JSON"},
      {"[]", "is an object"},
      {R"({"format": "ampere-model", "version": 99, "layers": []})", "version"},
      {R"({"format": "ampere-model", "version": 1, "name": "x", "layers": [{"op": "conv"}]})",
       "layers[0]"},
      {R"({"format": "ampere-model", "version": 1, "name": "x", "layers": []})", "m.json"},
  };
  for (const auto& [text, message] : broken) {
    cli.write("m.json", text);
    const Ran ran = cli.run("show m.json");
    EXPECT_EQ(ran.status, 2) << text;
    EXPECT_THAT(ran.err, HasSubstr("m.json")) << text;
    EXPECT_THAT(ran.err, HasSubstr(message)) << text;
  }
}

TEST(BadStore, SomebodyElsesFileIsRefusedUntouched) {
  const Cli cli;
  cli.write("notes.txt", "my notes, not a database, long enough to look like one");
  const Ran ran = cli.run("profile lenet5 --rig sim:ideal --store sqlite:notes.txt");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("notes.txt"));
  EXPECT_EQ(cli.read("notes.txt"), "my notes, not a database, long enough to look like one");
}

TEST(BadImport, LeavesTheStoreAsItWas) {
  const Cli cli;
  ASSERT_EQ(cli.run("run lenet5 --rig sim:ideal --store sqlite:a.db").status, 0);
  const std::string before = cli.run("profiles --json --store sqlite:a.db").out;
  cli.write("p.json", R"({"format": "ampere-profile", "version": 1, "device": {"name": 3}})");
  const Ran ran = cli.run("profiles import p.json --store sqlite:a.db");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("p.json"));
  EXPECT_EQ(cli.run("profiles --json --store sqlite:a.db").out, before);
}

TEST(EndlessFile, IsRefusedAtItsLimit) {
  const Cli cli;
  std::filesystem::create_symlink("/dev/zero", cli.path("m.json"));
  const Ran model = cli.run("show m.json");
  EXPECT_EQ(model.status, 2);
  EXPECT_THAT(model.err, HasSubstr("m.json: is larger than 256 MiB"));
  const Ran table = cli.run("kernels import /dev/zero --store memory:");
  EXPECT_EQ(table.status, 2);
  EXPECT_THAT(table.err, HasSubstr("/dev/zero: is larger than 256 MiB"));
  std::filesystem::create_symlink("/dev/zero", cli.path("ampere.toml"));
  const Ran settings = cli.run("models");
  EXPECT_EQ(settings.status, 2);
  EXPECT_THAT(settings.err, HasSubstr("ampere.toml: is larger than 1 MiB"));
}

}  // namespace
}  // namespace ampere
