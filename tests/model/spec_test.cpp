#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "ampere/widths.h"
#include "support.h"

namespace ampere {
namespace {

using testing::HasSubstr;

std::string spec_refusal(const std::string& spec, ErrorCode code = ErrorCode::usage) {
  return message_of([&] { open_model(spec); }, code);
}

std::vector<std::int64_t> widths_of(const Model& model) {
  std::vector<std::int64_t> values;
  for (const ChannelGroup& group : free_widths(model)) values.push_back(group.value);
  return values;
}

TEST(OpenModel, KnowsTheZoo) {
  EXPECT_EQ(open_model("cnn5").name(), "cnn5");
  EXPECT_EQ(widths_of(open_model("cnn5")), (std::vector<std::int64_t>{16, 32, 64, 128}));
}

TEST(OpenModel, TakesWidths) {
  const Model model = open_model("cnn5:8,16,32,64");
  EXPECT_EQ(widths_of(model), (std::vector<std::int64_t>{8, 16, 32, 64}));
  EXPECT_EQ(model.name(), "cnn5:8,16,32,64");
}

TEST(OpenModel, TakesOptions) {
  EXPECT_EQ(widths_of(open_model("transformer:d=128,layers=2")), (std::vector<std::int64_t>{128}));
  EXPECT_LT(open_model("transformer:layers=2").layers().size(),
            open_model("transformer:layers=3").layers().size());
}

TEST(OpenModel, TakesOptionsAndWidths) {
  EXPECT_EQ(model_hash(open_model("transformer:layers=2,64")),
            model_hash(open_model("transformer:d=64,layers=2")));
}

TEST(OpenModel, RefusesBadWidths) {
  EXPECT_THAT(spec_refusal("cnn5:1,2"), HasSubstr("4 widths (conv1, conv2, conv3, conv4), not 2"));
  EXPECT_THAT(spec_refusal("cnn5:1,2,3,4,5"), HasSubstr("not 5"));
  EXPECT_THAT(spec_refusal("cnn5:0,1,1,1"), HasSubstr("width 1 ('conv1') must be from 1"));
  EXPECT_THAT(spec_refusal("cnn5:1,-1,1,1"), HasSubstr("width 2 ('conv2')"));
  EXPECT_THAT(spec_refusal("cnn5:1,1,1e9,1"), HasSubstr("width 3: '1e9' is not a whole number"));
  EXPECT_THAT(spec_refusal("cnn5:1000000000,1,1,1"), HasSubstr("not 1000000000"));
  EXPECT_THAT(spec_refusal("cnn5:99999999999999999999,1,1,1"), HasSubstr("out of range"));
  EXPECT_THAT(spec_refusal("cnn5:abc"), HasSubstr("'abc' is not a whole number"));
  EXPECT_THAT(spec_refusal("cnn5:"), HasSubstr("cnn5:"));
  EXPECT_THAT(spec_refusal("cnn5:8,,16,32"), HasSubstr("width 2"));
  EXPECT_THAT(spec_refusal("transformer:10"), HasSubstr("multiple of 4"));
}

TEST(OpenModel, RefusesBadOptions) {
  EXPECT_THAT(spec_refusal("transformer:d=abc"), HasSubstr("d: 'abc' is not a whole number"));
  EXPECT_THAT(spec_refusal("transformer:d="), HasSubstr("d: ''"));
  EXPECT_THAT(spec_refusal("transformer:=4"), HasSubstr("''"));
  EXPECT_THAT(spec_refusal("transformer:d=64,d=128"), HasSubstr("'d' is given twice"));
  EXPECT_THAT(spec_refusal("transformer:depth=2"), HasSubstr("depth"));
}

TEST(OpenModel, SuggestsTheNearestName) {
  EXPECT_THAT(spec_refusal("cn5", ErrorCode::unknown), HasSubstr("did you mean 'cnn5'?"));
  EXPECT_THAT(spec_refusal("cn5:abc", ErrorCode::unknown), HasSubstr("did you mean 'cnn5'?"));
  EXPECT_NE(spec_refusal("no such network at all", ErrorCode::unknown), "");
}

TEST(OpenModel, ReadsFiles) {
  EXPECT_EQ(open_model(AMPERE_TEST_DATA "/models/squeeze_excite.json").name(), "squeeze_excite");
}

TEST(OpenModel, RefusesWhatItCannotRead) {
  EXPECT_THAT(spec_refusal(""), HasSubstr("a name of the zoo or a path"));
  EXPECT_THAT(spec_refusal("/does/not/exist.onnx"), HasSubstr("/does/not/exist.onnx"));
  EXPECT_THAT(spec_refusal("/does/not/exist.json"), HasSubstr("/does/not/exist.json"));
  EXPECT_THAT(spec_refusal("models/net.txt"), HasSubstr("ends in .onnx or .json"));
}

class OpenModelFile : public testing::Test {
 protected:
  OpenModelFile()
      : path_(
            (std::filesystem::temp_directory_path() /
             ("ampere_" +
              std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".json"))
                .string()) {}
  ~OpenModelFile() override { std::filesystem::remove(path_); }
  void write(const std::string& text) { std::ofstream(path_) << text; }

  std::string path_;
};

TEST_F(OpenModelFile, LoadsWhatWasSaved) {
  const Model model = open_model("lenet5");
  write(to_json(model, 2));
  EXPECT_EQ(model_hash(open_model(path_)), model_hash(model));
}

TEST_F(OpenModelFile, RefusesALayerNobodyReads) {
  write(R"({"layers": [{"op": "input", "layout": "flat", "channels": 3, "name": "x"},
                       {"op": "relu", "name": "lost"},
                       {"op": "linear", "out_features": 2, "inputs": ["x"]}]})");
  EXPECT_THAT(spec_refusal(path_), HasSubstr("layer 'lost' is read by no other layer"));
}

TEST_F(OpenModelFile, RefusesAnEmptyFile) {
  write("");
  EXPECT_THAT(spec_refusal(path_), HasSubstr(path_));
}

}  // namespace
}  // namespace ampere
