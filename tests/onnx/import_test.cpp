// Files of real exporters: what they hold, and what they leave out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "ampere/error.h"
#include "file_writer.h"
#include "support.h"

namespace ampere {
namespace {

using namespace testing_support;
using testing::HasSubstr;
namespace fs = std::filesystem;

std::vector<std::string> small_fixtures() {
  std::vector<std::string> names;
  for (const char* folder : {"small", "opsets"})
    for (const auto& entry : fs::directory_iterator(fs::path(AMPERE_TEST_DATA) / "onnx" / folder))
      if (entry.path().extension() == ".onnx")
        names.push_back(std::string(folder) + "/" + entry.path().filename().string());
  return names;
}

class SmallNetwork : public testing::TestWithParam<std::string> {};

TEST_P(SmallNetwork, ImportsWithAllItsWeights) {
  OnnxOptions options;
  options.weights = true;
  options.shapes["length"] = {6};
  const OnnxImport imported = import_fixture(GetParam(), options);
  ASSERT_TRUE(imported.model) << problems(imported);
  ASSERT_TRUE(imported.weights);
  EXPECT_NO_THROW(check_weights(*imported.model, *imported.weights));
}

INSTANTIATE_TEST_SUITE_P(Onnx, SmallNetwork, testing::ValuesIn(small_fixtures()),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

TEST(OnnxImport, AttentionOfEveryExporterIsOneLayer) {
  for (const char* name :
       {"separate_attention.legacy", "separate_attention.dynamo", "written_attention.legacy",
        "written_attention.dynamo", "attention_op.dynamo", "encoder.legacy", "encoder.dynamo"}) {
    OnnxOptions options;
    options.shapes["length"] = {6};
    const OnnxImport imported = import_fixture(std::string("small/") + name + ".onnx", options);
    EXPECT_THAT(ops(imported), HasSubstr("self_attention")) << name;
  }
}

TEST(OnnxImport, LayerNormWrittenOutIsOneLayer) {
  EXPECT_EQ(ops(import_fixture("small/written_norm.legacy.onnx")),
            "input linear layer_norm linear");
  EXPECT_EQ(ops(import_fixture("small/written_norm.dynamo.onnx")),
            "input linear layer_norm linear");
}

TEST(OnnxImport, ChannelsLastAreFedChannelsFirst) {
  const OnnxImport imported = import_fixture("small/channels_last.converter.onnx");
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_EQ(imported.model->layers()[0].output, image(3, 8, 8));
  ASSERT_EQ(imported.inputs.size(), 1u);
  EXPECT_EQ(imported.inputs[0].order, (std::vector<std::int64_t>{2, 0, 1}));
}

TEST(OnnxImport, WeightsThatAreNotInTheFileAreNotMadeUp) {
  OnnxOptions options;
  options.weights = true;
  const OnnxImport imported = import_fixture("networks/zoo_lenet5.legacy.onnx.gz", options);
  EXPECT_TRUE(imported.model);
  EXPECT_FALSE(imported.weights);
}

TEST(OnnxImport, InputsKeepTheirOrder) {
  const OnnxImport imported = import_fixture("small/two_inputs.legacy.onnx");
  ASSERT_EQ(imported.inputs.size(), 2u);
  EXPECT_EQ(imported.inputs[0].name, "input0");
  EXPECT_EQ(imported.inputs[1].name, "input1");
}

class ExternalData : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    root_ = fs::temp_directory_path() / ("ampere_onnx_" + name + std::to_string(getpid()));
    fs::create_directories(root_ / "model");
    std::ofstream(root_ / "model" / "weights") << std::string(48, '\0');
    std::ofstream(root_ / "secret") << std::string(48, '\0');
  }
  void TearDown() override { fs::remove_all(root_); }

  OnnxImport import_with(const std::string& location, std::int64_t offset, std::int64_t length) {
    FileParts parts;
    parts.inputs = {value("x", {1, 4})};
    parts.outputs = {value("y", {})};
    parts.nodes = {node("MatMul", {"x", "w"}, {"y"})};
    parts.initializers = {external_tensor("w", {4, 3}, location, offset, length)};
    const std::string path = (root_ / "model" / "net.onnx").string();
    std::ofstream(path, std::ios::binary) << file(parts);
    OnnxOptions options;
    options.weights = true;
    return import_onnx(path, options);
  }

  fs::path root_;
};

TEST_F(ExternalData, IsReadBesideTheModel) {
  const OnnxImport imported = import_with("weights", 0, 48);
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_TRUE(imported.weights);
}

TEST_F(ExternalData, OutsideTheFolderIsRefused) {
  EXPECT_THAT(problems(import_with("../secret", 0, 48)), HasSubstr("outside the model's folder"));
  EXPECT_THAT(problems(import_with((root_ / "secret").string(), 0, 48)),
              HasSubstr("outside the model's folder"));
  EXPECT_THAT(problems(import_with("", 0, 48)), HasSubstr("outside the model's folder"));
}

TEST_F(ExternalData, ThroughALinkOutOfTheFolderIsRefused) {
  fs::create_symlink(root_ / "secret", root_ / "model" / "link");
  EXPECT_THAT(problems(import_with("link", 0, 48)), HasSubstr("outside the model's folder"));
}

TEST_F(ExternalData, BeyondTheEndOfItsFileIsRefused) {
  EXPECT_THAT(problems(import_with("weights", 8, 48)), HasSubstr("has 48 bytes, not 48 from 8"));
  EXPECT_THAT(problems(import_with("weights", 0, 40)), HasSubstr("has 40 bytes of data"));
}

TEST_F(ExternalData, ThatIsNotThereLeavesTheNetworkWithoutWeights) {
  const OnnxImport imported = import_with("nowhere", 0, 48);
  EXPECT_TRUE(imported.model) << problems(imported);
  EXPECT_FALSE(imported.weights);
}

TEST(OnnxImport, AFileThatIsNotThereIsNamed) {
  try {
    open_model("/nowhere/net.onnx");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/net.onnx: No such file"));
  }
}

}  // namespace
}  // namespace ampere
