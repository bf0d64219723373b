// What the shells offer, asked of the program as their scripts do. tests/package runs the shells
// themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "cli.h"

namespace ampere {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing_support::Cli;
using testing_support::Ran;

struct Offer {
  std::string paths;  // the first line
  std::vector<std::string> values;
};

// `words` as in a shell; end it with '' to complete a new word.
Offer offer(const std::string& words) {
  const Cli cli;
  const Ran ran = cli.run("complete -- " + words);
  EXPECT_EQ(ran.status, 0) << ran.err;
  Offer result;
  for (const std::string& line : split(ran.out, '\n')) {
    if (line.empty()) continue;
    if (result.paths.empty())
      result.paths = line;
    else
      result.values.push_back(line.substr(0, line.find('\t')));
  }
  return result;
}

TEST(Completion, OffersVerbsButNotHiddenOnes) {
  EXPECT_THAT(offer("''").values, IsSupersetOf({"doctor", "estimate", "profile", "fleet"}));
  EXPECT_THAT(offer("''").values, Not(Contains("manual")));
  EXPECT_THAT(offer("comple").values, ElementsAre("completion"));
  EXPECT_THAT(offer("est").values, ElementsAre("estimate"));
  EXPECT_THAT(offer("fleet pl").values, ElementsAre("plan"));
}

TEST(Completion, OffersOptionsOfTheVerb) {
  EXPECT_THAT(offer("estimate cnn5 --prec").values, ElementsAre("--precision"));
  EXPECT_THAT(offer("models --prec").values, IsEmpty());
  // An older name still works and is not offered.
  EXPECT_THAT(offer("evaluate --out").values, ElementsAre("--output-folder"));
}

TEST(Completion, OffersAnOptionOnceUnlessItMayBeRepeated) {
  EXPECT_THAT(offer("estimate --batch 3 --batc").values, ElementsAre("--batches"));
  EXPECT_THAT(offer("estimate --arg a=1 --ar").values, ElementsAre("--arg"));
}

TEST(Completion, OffersNetworksAndTheirOptions) {
  EXPECT_THAT(offer("estimate cnn").values, Contains("cnn5"));
  EXPECT_THAT(offer("estimate cnn5 lene").values, ElementsAre("lenet5"));
  EXPECT_EQ(offer("estimate ''").paths, "files\t");
  EXPECT_THAT(offer("estimate transformer:lay").values, ElementsAre("transformer:layers="));
  EXPECT_THAT(offer("estimate transformer:layers=2,").values,
              Not(Contains("transformer:layers=2,layers=")));
}

TEST(Completion, OffersValuesOfOptions) {
  EXPECT_THAT(offer("profile cnn5 --rig sim:x").values, ElementsAre("sim:xavier"));
  EXPECT_THAT(offer("profile cnn5 --rig=sim:x").values, ElementsAre("--rig=sim:xavier"));
  EXPECT_THAT(offer("estimate --mode ''").values,
              ElementsAre("training", "inference", "generation"));
  EXPECT_THAT(offer("estimate --optimizer adam").values, ElementsAre("adam", "adamw"));
  EXPECT_THAT(offer("estimate --method du").values, ElementsAre("dual"));
  EXPECT_THAT(offer("estimate --device h").values, ElementsAre("h200"));
  EXPECT_THAT(offer("completion ''").values, ElementsAre("bash", "zsh", "fish"));
}

TEST(Completion, LeavesPathsToTheShell) {
  EXPECT_EQ(offer("estimate --rig recorded:da").paths, "files\trecorded:");
  EXPECT_EQ(offer("estimate --rig=recorded:da").paths, "files\t--rig=recorded:");
  EXPECT_EQ(offer("estimate --record ''").paths, "files\t");
  EXPECT_EQ(offer("evaluate --output-folder ''").paths, "folders\t");
  EXPECT_EQ(offer("estimate --keep-programs ''").paths, "folders\t");
  EXPECT_EQ(offer("estimate --batch ''").paths, "none\t");
}

TEST(Completion, DoesNotMistakeTheCommandOfMeasureForOurs) {
  const Offer offered = offer("measure -- python --r");
  EXPECT_EQ(offered.paths, "files\t");
  EXPECT_THAT(offered.values, IsEmpty());
}

TEST(Completion, PrintsTheScriptOfAShell) {
  const Cli cli;
  EXPECT_NE(cli.run("completion bash").out.find("complete -F _ampere ampere"), std::string::npos);
  EXPECT_TRUE(cli.run("completion zsh").out.starts_with("#compdef ampere"));
  EXPECT_NE(cli.run("completion fish").out.find("complete -c ampere"), std::string::npos);
  EXPECT_EQ(cli.run("completion csh").status, 2);
}

}  // namespace
}  // namespace ampere
