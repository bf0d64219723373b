// Small graphs made by hand: the forms in which exporters write one and the same layer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "file_writer.h"
#include "support.h"

namespace ampere {
namespace {

using namespace testing_support;
using testing::HasSubstr;

FileParts picture() {
  FileParts parts;
  parts.inputs = {value("x", {1, 4, 6, 6})};
  parts.outputs = {value("y", {})};
  return parts;
}

FileParts rows() {
  FileParts parts;
  parts.inputs = {value("x", {2, 4})};
  parts.outputs = {value("y", {})};
  return parts;
}

std::string ops_of(const FileParts& parts) { return ops(import_text(file(parts))); }
std::string problems_of(const FileParts& parts) { return problems(import_text(file(parts))); }

TEST(OnnxGraph, ProductAndSumAreALinearLayer) {
  FileParts parts = rows();
  parts.nodes = {node("MatMul", {"x", "w"}, {"m"}), node("Add", {"b", "m"}, {"y"})};
  parts.initializers = {float_tensor("w", {4, 3}, 1), float_tensor("b", {3}, 1)};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_EQ(ops(imported), "input linear");
  EXPECT_TRUE(std::get<Linear>(imported.model->layers()[1].op).bias);
}

TEST(OnnxGraph, ASumThatOthersReadBeforeKeepsItsParameter) {
  FileParts parts = rows();
  parts.nodes = {node("MatMul", {"x", "w"}, {"m"}), node("Add", {"b", "m"}, {"s"}),
                 node("Mul", {"s", "m"}, {"y"})};
  parts.initializers = {float_tensor("w", {4, 3}, 1), float_tensor("b", {3}, 1)};
  EXPECT_EQ(ops_of(parts), "input parameter linear add multiply");
}

TEST(OnnxGraph, HardSwishWrittenOutIsRecognised) {
  FileParts parts = picture();
  parts.nodes = {node("Add", {"x", "three"}, {"a"}),
                 node("Clip", {"a"}, {"c"}, {real_attribute("min", 0), real_attribute("max", 6)}),
                 node("Mul", {"x", "c"}, {"m"}), node("Div", {"m", "six"}, {"y"})};
  parts.initializers = {float_tensor("three", {}, 3), float_tensor("six", {}, 6)};
  EXPECT_EQ(ops_of(parts), "input hard_swish");
}

TEST(OnnxGraph, AlmostGeluIsNotGelu) {
  FileParts parts = rows();
  parts.nodes = {node("Mul", {"x", "c"}, {"s"}), node("Sigmoid", {"s"}, {"g"}),
                 node("Mul", {"x", "g"}, {"y"})};
  parts.initializers = {float_tensor("c", {}, 1.702F)};
  EXPECT_EQ(ops_of(parts), "input affine sigmoid multiply");
}

TEST(OnnxGraph, OneSidedPaddingIsALayerOfItsOwn) {
  FileParts parts = picture();
  parts.nodes = {
      node("Conv", {"x", "w"}, {"y"},
           {text_attribute("auto_pad", "SAME_UPPER"), integers_attribute("strides", {2, 2}),
            integers_attribute("kernel_shape", {3, 3})})};
  parts.initializers = {float_tensor("w", {5, 4, 3, 3}, 1)};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_EQ(ops(imported), "input pad conv");
  EXPECT_EQ(imported.model->output().output, image(5, 3, 3));
}

TEST(OnnxGraph, ConvolutionWithOneFilterAChannelIsDepthwise) {
  FileParts parts = picture();
  parts.nodes = {node("Conv", {"x", "w"}, {"y"}, {integer_attribute("group", 4)})};
  parts.initializers = {float_tensor("w", {4, 1, 3, 3}, 1)};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_TRUE(std::get<Conv>(imported.model->layers()[1].op).depthwise);
}

TEST(OnnxGraph, NodesThatNoOutputNeedsAreLeftOut) {
  FileParts parts = picture();
  parts.nodes = {node("Relu", {"x"}, {"y"}), node("NonMaxSuppression", {"x"}, {"boxes"})};
  EXPECT_EQ(ops_of(parts), "input relu");
}

TEST(OnnxGraph, TheNamedOutputIsTrained) {
  FileParts parts = picture();
  parts.nodes = {node("Relu", {"x"}, {"y"}), node("Tanh", {"x"}, {"z"})};
  parts.outputs.push_back(value("z", {}));
  OnnxOptions options;
  options.output = "z";
  EXPECT_EQ(ops(import_text(file(parts), options)), "input tanh");
  const OnnxImport first = import_text(file(parts));
  EXPECT_EQ(ops(first), "input relu");
  EXPECT_THAT(first.notes.at(0).text, HasSubstr("of 2 outputs the first, 'y'"));
  options.output = "nothing";
  EXPECT_THROW(import_text(file(parts), options), Error);
}

TEST(OnnxGraph, FunctionsOfTheFileAreUnfolded) {
  FileParts parts = picture();
  Message function;
  function.bytes(1, "Twice").bytes(4, "a").bytes(5, "b").bytes(10, "own");
  function.bytes(7, node("Relu", {"a"}, {"inner"})).bytes(7, node("Tanh", {"inner"}, {"b"}));
  parts.functions = {function.text()};
  parts.nodes = {node("Twice", {"x"}, {"h"}, {}, "own"), node("Twice", {"h"}, {"y"}, {}, "own")};
  EXPECT_EQ(ops_of(parts), "input relu tanh relu tanh");
}

TEST(OnnxGraph, AFunctionThatCallsItselfIsRefused) {
  FileParts parts = picture();
  Message function;
  function.bytes(1, "Again").bytes(4, "a").bytes(5, "b").bytes(10, "own");
  function.bytes(7, node("Again", {"a"}, {"b"}, {}, "own"));
  parts.functions = {function.text()};
  parts.nodes = {node("Again", {"x"}, {"y"}, {}, "own")};
  EXPECT_THROW(import_text(file(parts)), Error);
}

TEST(OnnxGraph, AllProblemsAreListed) {
  FileParts parts = picture();
  parts.nodes = {node("DequantizeLinear", {"x"}, {"a"}),
                 node("Relu", {"x"}, {"b"}),
                 node("Loop", {"b"}, {"c"}),
                 node("Wobble", {"x"}, {"d"}),
                 node("Attention", {"x"}, {"e"}, {}, "com.example"),
                 node("Concat", {"a", "c", "d", "e"}, {"y"}, {integer_attribute("axis", 1)})};
  const std::string text = problems_of(parts);
  EXPECT_THAT(text, HasSubstr("DequantizeLinear node_a: quantised for inference"));
  EXPECT_THAT(text, HasSubstr("Loop node_c: control flow"));
  EXPECT_THAT(text, HasSubstr("Wobble node_d: no operator of this name"));
  EXPECT_THAT(text, HasSubstr("Attention node_e: an operator of the domain 'com.example'"));
  EXPECT_EQ(import_text(file(parts)).unsupported.size(), 4u) << text;
}

TEST(OnnxGraph, AnOpenAxisIsNamedWithWhatToWrite) {
  FileParts parts;
  parts.inputs = {value("x", {-1, -1, 8})};
  parts.outputs = {value("y", {})};
  parts.nodes = {node("Relu", {"x"}, {"y"})};
  EXPECT_EQ(problems_of(parts), "input x: axis 1 has no length: give it, as in axis1=64\n");
  OnnxOptions options;
  options.shapes["axis1"] = {5};
  EXPECT_EQ(import_text(file(parts), options).model.value().output().output, sequence(5, 8));
  options.shapes = {{"x", {1, 7, 8}}};
  EXPECT_EQ(import_text(file(parts), options).model.value().output().output, sequence(7, 8));
}

TEST(OnnxGraph, ReducingOverTheBatchIsRefused) {
  FileParts parts = picture();
  parts.nodes = {node("ReduceMean", {"x"}, {"y"}, {integers_attribute("axes", {0})})};
  EXPECT_THAT(problems_of(parts), HasSubstr("over the batch"));
}

TEST(OnnxGraph, OldOpsetsAreRefused) {
  FileParts parts = picture();
  parts.nodes = {node("Relu", {"x"}, {"y"})};
  parts.opset = 6;
  EXPECT_THAT(problems_of(parts), HasSubstr("opset 6 is older than 7"));
}

TEST(OnnxGraph, AnOutputThatIgnoresTheDataIsRefused) {
  FileParts parts = picture();
  parts.nodes = {node("Relu", {"c"}, {"y"})};
  parts.initializers = {float_tensor("c", {3}, 1)};
  EXPECT_THAT(problems_of(parts), HasSubstr("does not depend on the data"));
}

}  // namespace
}  // namespace ampere
