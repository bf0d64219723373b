#include "base/json.h"

#include <gmock/gmock.h>

#include <set>

#include "base/text.h"
#include "every_op.h"
#include "model/functions.h"
#include "model/model_json.h"

namespace ampere {
namespace {

using testing::HasSubstr;

const std::string kData = AMPERE_TEST_DATA "/models/";

std::string refusal(const std::string& layers) {
  return message_of([&] { parse_model("{\"layers\": " + layers + "}", "net.json"); });
}

// One layer behind an image input.
std::string layer_refusal(const std::string& layer) {
  return refusal(R"([{"op": "input", "layout": "image", "channels": 3, "extent": [8, 8]}, )" +
                 layer + "]");
}

void expect_round_trip(const Model& model) {
  const Model again = parse_model(to_json(model), "memory");
  EXPECT_EQ(again.name(), model.name());
  ASSERT_EQ(again.layers().size(), model.layers().size());
  for (std::size_t i = 0; i < model.layers().size(); ++i) {
    EXPECT_EQ(again.layers()[i].name, model.layers()[i].name);
    EXPECT_EQ(again.layers()[i].module, model.layers()[i].module);
    EXPECT_EQ(again.layers()[i].inputs, model.layers()[i].inputs);
    EXPECT_EQ(again.layers()[i].output, model.layers()[i].output);
    EXPECT_EQ(again.layers()[i].op.index(), model.layers()[i].op.index());
  }
  EXPECT_EQ(to_json(again), to_json(model));
  EXPECT_EQ(model_hash(again), model_hash(model));
}

TEST(ModelJson, EveryOperatorComesBackAsItWas) {
  expect_round_trip(every_op());
  expect_round_trip(language_ops());
  expect_round_trip(further_ops());
  expect_round_trip(table_ops());
}

TEST(ModelJson, TheTestNetworksHaveEveryOperator) {
  std::set<std::size_t> seen;
  std::set<Function> functions;
  for (const Model& model : {every_op(), further_ops(), language_ops(), table_ops()})
    for (const Layer& layer : model.layers()) {
      seen.insert(layer.op.index());
      if (const auto* activation = std::get_if<Activation>(&layer.op))
        functions.insert(activation->function);
    }
  EXPECT_EQ(seen.size(), std::variant_size_v<AnyOp>);
  EXPECT_EQ(functions.size(), ampere::functions().size());
}

// What is not written is read as the default: every number of every operator must differ from it
// once in the test networks, or come back changed here.
TEST(ModelJson, WritesWhatIsNotTheDefault) {
  const std::string text = to_json(further_ops());
  for (const char* key :
       {"epsilon", "affine",        "learned", "bidirectional", "count_padding", "output_padding",
        "linear",  "align_corners", "before",  "after",         "value",         "axis",
        "begin",   "end",           "step",    "axes",          "order",         "low",
        "high",    "factor",        "offset"})
    EXPECT_THAT(text, HasSubstr(std::string("\"") + key + "\":")) << key;
}

TEST(ModelJson, ReadsTheParametersOfFunctions) {
  const auto read = [](const std::string& layer) {
    const Model model = parse_model(
        R"({"layers": [{"op": "input", "layout": "flat", "channels": 3}, )" + layer + "]}", "net");
    return std::get<Activation>(model.output().op).parameters;
  };
  EXPECT_EQ(read(R"({"op": "leaky_relu"})"), std::vector<double>{0.01});
  EXPECT_EQ(read(R"({"op": "leaky_relu", "slope": 0.2})"), std::vector<double>{0.2});
  EXPECT_EQ(read(R"({"op": "affine", "offset": 2})"), (std::vector<double>{1, 2}));
  EXPECT_EQ(read(R"({"op": "relu"})"), std::vector<double>{});
  EXPECT_THAT(layer_refusal(R"({"op": "elu", "alfa": 1})"),
              HasSubstr("'alfa' is no key of 'elu'; did you mean 'alpha'?"));
  EXPECT_THAT(layer_refusal(R"({"op": "clip", "low": 2, "high": 1})"), HasSubstr("above high"));
}

TEST(ModelJson, AParameterReadsNothing) {
  const Model model = parse_model(R"({"layers": [
      {"op": "input", "name": "x", "layout": "flat", "channels": 3},
      {"op": "parameter", "name": "p", "layout": "flat", "channels": 3},
      {"op": "add", "inputs": ["x", "p"]}]})",
                                  "net.json");
  EXPECT_TRUE(model.layers()[1].inputs.empty());
}

TEST(ModelJson, ReadsAFileWrittenByHand) {
  const std::string path = kData + "squeeze_excite.json";
  const Model model = parse_model(read_text_file(path), path);
  EXPECT_EQ(model.name(), "squeeze_excite");
  EXPECT_EQ(model.layers()[2].name, "batch_norm1");
  EXPECT_EQ(model.layers()[11].inputs, (std::vector<int>{5, 10}));
  EXPECT_EQ(model.layers()[12].output, image(16, 8, 8));
  EXPECT_EQ(model.output().output, flat(10));
}

TEST(ModelJson, TheDocumentedExampleIsTheTestedFile) {
  const std::string page = read_text_file(AMPERE_TEST_DATA "/../../docs/model-format.md");
  EXPECT_THAT(page, HasSubstr(read_text_file(kData + "squeeze_excite.json")));
}

TEST(ModelJson, EveryOperatorIsDocumented) {
  const std::string page = read_text_file(AMPERE_TEST_DATA "/../../docs/model-format.md");
  for (const Model& model : {every_op(), further_ops(), language_ops(), table_ops()})
    for (const Layer& layer : model.layers())
      EXPECT_THAT(page, HasSubstr(std::string("| `") + op_name(layer.op) + "`"));
}

TEST(ModelJson, DerivedKeysAreIgnored) {
  Json json = model_json(every_op());
  json["parameters"] = 5;
  json["flops"] = {{"forward", 1}, {"training", 3}};
  json["blocks"] = Json::array();
  json["unsupported"] = Json::array();
  for (Json& layer : json["layers"]) {
    layer["output"] = "16x14x14";
    layer["parameters"] = 7;
    layer["flops"] = Json::object();
  }
  EXPECT_EQ(model_hash(parse_model(json.dump(), "shown.json")), model_hash(every_op()));
}

TEST(ModelJson, FormatNameAndVersionMayBeLeftOut) {
  const Model model =
      parse_model(R"({"layers": [{"op": "input", "layout": "flat", "channels": 3}]})", "net.json");
  EXPECT_EQ(model.name(), "model");
  EXPECT_EQ(model.output().output, flat(3));
}

TEST(ModelJson, AStringMayStandForOneInput) {
  const Model model = parse_model(
      R"({"layers": [{"op": "input", "name": "x", "layout": "flat", "channels": 3},
                     {"op": "relu"}, {"op": "linear", "out_features": 2, "inputs": "x"}]})",
      "net.json");
  EXPECT_EQ(model.output().inputs, (std::vector<int>{0}));
}

TEST(ModelJson, ForeignFormatsAreRefused) {
  EXPECT_THAT(message_of([] { parse_model(R"({"format": "onnx", "layers": []})", "a.json"); }),
              HasSubstr("a.json: format: must be \"ampere-model\""));
  EXPECT_THAT(message_of([] { parse_model(R"({"version": 2, "layers": []})", "a.json"); }),
              HasSubstr("version 2 is not known"));
}

TEST(ModelJson, ErrorsNameTheFileAndTheLayer) {
  EXPECT_EQ(layer_refusal(R"({"op": "conv", "name": "stem", "out_channels": 4, "kernel": 9})"),
            "net.json: layers[1]: layer 'stem' (conv): the kernel covers 9 positions, but the "
            "padded input has only 8");
}

TEST(ModelJson, UnknownKeysAndOperatorsGetASuggestion) {
  EXPECT_EQ(layer_refusal(R"({"op": "conv", "out_channels": 4, "kernal": 3, "kernel": 3})"),
            "net.json: layers[1]: 'kernal' is no key of 'conv'; did you mean 'kernel'?");
  EXPECT_EQ(layer_refusal(R"({"op": "rely"})"),
            "net.json: layers[1].op: 'rely' is no operator; did you mean 'relu'?");
  EXPECT_THAT(refusal(R"([{"op": "input", "layout": "imagee", "channels": 3}])"),
              HasSubstr("layers[0].layout: 'imagee' is no layout; did you mean 'image'?"));
}

TEST(ModelJson, InputsMustComeBefore) {
  EXPECT_EQ(layer_refusal(R"({"op": "relu", "name": "a", "inputs": ["inputt"]})"),
            "net.json: layers[1].inputs[0]: no layer is named 'inputt'; did you mean 'input'?");
  EXPECT_THAT(layer_refusal(R"({"op": "relu", "name": "a", "inputs": ["a"]})"),
              HasSubstr("'a' does not come before this layer"));
  EXPECT_THAT(layer_refusal(R"({"op": "add", "name": "a", "inputs": ["input", "b"]},
                               {"op": "relu", "name": "b"})"),
              HasSubstr("layers[1].inputs[1]: 'b' does not come before this layer"));
}

TEST(ModelJson, NamesAreUnique) {
  EXPECT_THAT(layer_refusal(R"({"op": "relu", "name": "input"})"),
              HasSubstr("layers[1]: two layers are named 'input'"));
}

TEST(ModelJson, WrongTypesAreRefused) {
  EXPECT_THAT(layer_refusal(R"({"op": "conv", "out_channels": "4", "kernel": 3})"),
              HasSubstr("layers[1].out_channels: must be a whole number"));
  EXPECT_THAT(layer_refusal(R"({"op": "conv", "out_channels": 4.5, "kernel": 3})"),
              HasSubstr("must be a whole number"));
  EXPECT_THAT(layer_refusal(R"({"op": "conv", "out_channels": 4, "kernel": [3, "3"]})"),
              HasSubstr("layers[1].kernel[1]: must be a whole number"));
  EXPECT_THAT(layer_refusal(R"({"op": "conv", "kernel": 3})"),
              HasSubstr("the key \"out_channels\" is missing"));
  EXPECT_THAT(layer_refusal(R"({"op": "conv", "out_channels": 4, "kernel": 3, "bias": 1})"),
              HasSubstr("bias: must be true or false"));
  EXPECT_THAT(layer_refusal(R"("relu")"), HasSubstr("layers[1]: must be an object"));
  EXPECT_THAT(layer_refusal(R"({"op": "relu", "inputs": 0})"), HasSubstr("must be a list"));
  EXPECT_THAT(layer_refusal(R"({"op": "relu", "inputs": [0]})"), HasSubstr("must be text"));
  EXPECT_THAT(layer_refusal(R"({"name": "x"})"), HasSubstr("the key \"op\" is missing"));
}

TEST(ModelJson, EmptyNetworksAreRefused) {
  EXPECT_THAT(refusal("[]"), HasSubstr("net.json: layers: a network has at least one layer"));
  EXPECT_THAT(refusal("{}"), HasSubstr("layers: must be a list"));
  EXPECT_THAT(refusal(R"([{"op": "relu"}])"), HasSubstr("the first layer must be an input"));
  EXPECT_THAT(message_of([] { parse_model("{}", "a.json"); }), HasSubstr("\"layers\" is missing"));
  EXPECT_THAT(message_of([] { parse_model("[]", "a.json"); }), HasSubstr("is an object"));
  EXPECT_THAT(message_of([] { parse_model("", "a.json"); }), HasSubstr("a.json: "));
}

}  // namespace
}  // namespace ampere
