#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

void unpack(const Cli& cli, const std::string& name) {
  const std::string path = std::string(AMPERE_TEST_DATA) + "/onnx/networks/" + name + ".onnx.gz";
  ASSERT_EQ(cli.shell("gunzip -c " + path + " > net.onnx").status, 0);
}

struct Pair {
  const char* file;
  const char* zoo;
};

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.file; }

class ExportedNetworkCommand : public testing::TestWithParam<Pair> {};

TEST_P(ExportedNetworkCommand, IsEstimatedAsTheZoos) {
  const Cli cli;
  unpack(cli, GetParam().file);
  const std::string zoo = GetParam().zoo;
  const Ran ran = cli.run("profile " + zoo + " --rig sim:ideal --points 4 --store sqlite:s.db");
  ASSERT_EQ(ran.status, 0) << ran.err;
  Json own = cli.run("estimate --store sqlite:s.db --json " + zoo).json();
  Json exported = cli.run("estimate --store sqlite:s.db --json net.onnx --shape length=64").json();
  own.erase("model");
  exported.erase("model");
  EXPECT_EQ(exported, own);
  EXPECT_TRUE(exported.at("uncovered").empty());
}

INSTANTIATE_TEST_SUITE_P(Cli, ExportedNetworkCommand,
                         testing::Values(Pair{"zoo_resnet18.legacy", "resnet18"},
                                         Pair{"mobilenet_v2.dynamo.train", "mobilenet_v2"},
                                         Pair{"zoo_lstm.dynamo.dynamic", "lstm"},
                                         Pair{"zoo_transformer.legacy.dynamic", "transformer"}));

TEST(OnnxCommand, ShowsLayersAndBlocksOfAnOnnxFile) {
  const Cli cli;
  unpack(cli, "zoo_lenet5.legacy");
  const Json json = cli.run("show net.onnx --json").json();
  EXPECT_EQ(json.at("trainable"), true);
  EXPECT_EQ(json.at("parameters"), 61706);
  EXPECT_EQ(json.at("blocks").size(), 5u);
  EXPECT_TRUE(json.at("unsupported").empty());
}

TEST(OnnxCommand, AFileIsProfiledAndEstimatedAsItIs) {
  const Cli cli;
  unpack(cli, "zoo_lenet5.legacy");
  const Ran profiled = cli.run("profile net.onnx --rig sim:server --store sqlite:s.db --json");
  ASSERT_EQ(profiled.status, 0) << profiled.err;
  EXPECT_EQ(profiled.json().at("method"), "dual");
  const Ran estimated = cli.run("estimate net.onnx lenet5:3,8,60,42 --store sqlite:s.db --json");
  EXPECT_EQ(estimated.status, 0) << estimated.err;
  EXPECT_THAT(estimated.out, testing::Not(HasSubstr("\"extrapolated\":true")));
}

TEST(OnnxCommand, ListsWhatCannotBeTrained) {
  const Cli cli;
  unpack(cli, "zoo_lstm.legacy.dynamic");
  const Ran shown = cli.run("show net.onnx --json");
  EXPECT_EQ(shown.status, 2);
  const Json json = shown.json();
  EXPECT_EQ(json.at("trainable"), false);
  ASSERT_EQ(json.at("unsupported").size(), 1u);
  EXPECT_EQ(json.at("unsupported")[0].at("node"), "input");
  EXPECT_THAT(json.at("unsupported")[0].at("reason").get<std::string>(),
              HasSubstr("as in length=64 (--shape)"));
  const Ran estimated = cli.run("estimate net.onnx");
  EXPECT_EQ(estimated.status, 2);
  EXPECT_THAT(estimated.err, HasSubstr("as in length=64 (--shape)"));
}

TEST(OnnxCommand, SaysWhatTheExporterFolded) {
  const Cli cli;
  unpack(cli, "resnet18.dynamo");
  EXPECT_THAT(cli.run("show net.onnx").out, HasSubstr("note: the exporter seems to have folded"));
}

TEST(OnnxCommand, RefusesAShapeThatIsNone) {
  const Cli cli;
  unpack(cli, "zoo_lenet5.legacy");
  for (const char* shape : {"length", "=3", "length=many", "length="})
    EXPECT_EQ(cli.run(std::string("show net.onnx --shape '") + shape + "'").status, 2) << shape;
}

}  // namespace
}  // namespace ampere
