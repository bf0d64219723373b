// What exporters write only for networks in training, and what networks compute besides layers:
// dropout as random numbers, masks, tables that are looked up by fixed indices, shared weights.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "file_writer.h"
#include "support.h"

namespace ampere {
namespace {

using namespace testing_support;
using testing::AllOf;
using testing::HasSubstr;

constexpr int kInt64 = 7;

FileParts training_rows() {
  FileParts parts;
  parts.inputs = {value("x", {2, 4})};
  parts.outputs = {value("y", {})};
  return parts;
}

FileParts ids() {
  FileParts parts;
  parts.inputs = {value("ids", {2, 3}, kInt64)};
  parts.outputs = {value("y", {})};
  return parts;
}

const Layer& last(const OnnxImport& imported) { return imported.model->layers().back(); }

std::int64_t parameters_of(const OnnxImport& imported) {
  return count(*imported.model, 1).parameters;
}

// As PyTorch's newer exporter writes it in training mode.
FileParts written_dropout(const std::string& like) {
  FileParts parts = training_rows();
  parts.nodes = {node("RandomUniformLike", {like}, {"random"}),
                 node("Less", {"random", "kept"}, {"mask"}),
                 node("Cast", {"mask"}, {"ones"}, {integer_attribute("to", 1)}),
                 node("Div", {"ones", "kept"}, {"scaled"}), node("Mul", {"x", "scaled"}, {"y"})};
  parts.initializers = {float_tensor("kept", {}, 0.8F), float_tensor("one_each", {2, 1}, 0)};
  return parts;
}

TEST(OnnxTraining, RandomNumbersComparedAndMultipliedAreDropout) {
  const OnnxImport imported = import_text(file(written_dropout("x")));
  ASSERT_EQ(ops(imported), "input dropout");
  EXPECT_EQ(std::get<Dropout>(last(imported).op).probability, 0.2);
  EXPECT_FALSE(std::get<Dropout>(last(imported).op).samples);
}

TEST(OnnxTraining, OneRandomNumberPerSampleIsStochasticDepth) {
  const OnnxImport imported = import_text(file(written_dropout("one_each")));
  ASSERT_EQ(ops(imported), "input dropout");
  EXPECT_EQ(std::get<Dropout>(last(imported).op).probability, 0.2);
  EXPECT_TRUE(std::get<Dropout>(last(imported).op).samples);
}

// floor(kept + random), as libraries of vision transformers write it.
TEST(OnnxTraining, RoundedRandomNumbersAreStochasticDepth) {
  FileParts parts = written_dropout("one_each");
  parts.nodes[1] = node("Add", {"random", "kept"}, {"sum"});
  parts.nodes[2] = node("Floor", {"sum"}, {"ones"});
  const OnnxImport imported = import_text(file(parts));
  ASSERT_EQ(ops(imported), "input dropout");
  EXPECT_EQ(std::get<Dropout>(last(imported).op).probability, 0.2);
}

TEST(OnnxTraining, ADrawnMaskMayChooseInsteadOfMultiply) {
  FileParts parts = training_rows();
  parts.nodes = {node("Bernoulli", {"shares"}, {"random"}),
                 node("Cast", {"random"}, {"mask"}, {integer_attribute("to", 9)}),
                 node("Where", {"mask", "x", "zero"}, {"y"})};
  parts.initializers = {float_tensor("shares", {2, 4}, 0.75F), float_tensor("zero", {}, 0)};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_EQ(ops(imported), "input dropout");
  EXPECT_EQ(std::get<Dropout>(last(imported).op).probability, 0.25);
}

TEST(OnnxTraining, NoiseThatIsNotDropoutIsRefused) {
  FileParts parts = training_rows();
  parts.nodes = {node("RandomUniformLike", {"x"}, {"random"}), node("Add", {"x", "random"}, {"y"})};
  EXPECT_THAT(problems(import_text(file(parts))), HasSubstr("constant"));
  parts.nodes[1] = node("Mul", {"x", "random"}, {"y"});
  EXPECT_THAT(problems(import_text(file(parts))), HasSubstr("not dropout"));
}

TEST(OnnxTraining, DroppedSamplesAreReadBack) {
  ModelBuilder builder("net");
  builder.add(Input{image(3, 4, 4)});
  builder.add(Dropout{0.3, true});
  builder.add(Flatten{});
  const Model model = std::move(builder).build();
  const OnnxImport imported = import_text(onnx_bytes(model, {}));
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_EQ(model_hash(*imported.model), model_hash(model));
}

// x + a mask that is computed from nothing but positions: no layer remains of it but a constant.
std::string masked(const std::vector<std::string>& nodes,
                   const std::vector<std::string>& initializers) {
  FileParts parts;
  parts.inputs = {value("x", {2, 3, 3})};
  parts.outputs = {value("y", {})};
  parts.nodes = nodes;
  parts.nodes.push_back(node("Where", {"seen", "zero", "low"}, {"mask"}));
  parts.nodes.push_back(node("Add", {"x", "mask"}, {"y"}));
  parts.initializers = initializers;
  parts.initializers.push_back(float_tensor("zero", {}, 0));
  parts.initializers.push_back(float_tensor("low", {}, -1e30F));
  OnnxOptions options;
  options.weights = true;
  const OnnxImport imported = import_text(file(parts), options);
  if (!imported.model || !imported.weights) return ops(imported);
  std::string text;
  for (const auto& [name, tensor] : *imported.weights)
    for (const float number : tensor.values) text += number == 0 ? '.' : '#';
  return text;
}

TEST(OnnxTraining, MasksOfPositionsAreComputed) {
  EXPECT_EQ(masked({node("Range", {"zero_index", "three", "one"}, {"at"}),
                    node("Unsqueeze", {"at", "one_axis"}, {"rows"}),
                    node("LessOrEqual", {"at", "rows"}, {"seen"})},
                   {integer_tensor("one_axis", {1}), integer_scalar("zero_index", 0),
                    integer_scalar("three", 3), integer_scalar("one", 1)}),
            ".##..#...");
}

// Hugging Face tells packed sequences apart by a running sum, which it picks from by index pairs.
TEST(OnnxTraining, MasksOfPackedSequencesAreComputed) {
  EXPECT_EQ(masked({node("CumSum", {"starts", "axis"}, {"sums"}),
                    node("GatherND", {"sums", "pairs"}, {"own"}),
                    node("Unsqueeze", {"own", "axis_list"}, {"rows"}),
                    node("Equal", {"own", "rows"}, {"seen"})},
                   {integer_matrix("starts", {1, 3}, {0, 0, 1}), integer_scalar("axis", 1),
                    integer_matrix("pairs", {3, 2}, {0, 0, 0, 1, 0, 2}),
                    integer_tensor("axis_list", {1})}),
            "..#..###.");
}

// Shifted windows number their regions by writing into a tensor of zeros.
TEST(OnnxTraining, MasksOfShiftedWindowsAreComputed) {
  EXPECT_EQ(masked({node("ScatterND", {"none", "where", "number"}, {"regions"}),
                    node("Unsqueeze", {"regions", "axis_list"}, {"rows"}),
                    node("Sub", {"regions", "rows"}, {"differ"}),
                    node("Equal", {"differ", "zero_index"}, {"seen"})},
                   {integer_tensor("none", {0, 0, 0}), integer_matrix("where", {1, 1}, {1}),
                    integer_tensor("number", {7}), integer_tensor("axis_list", {1}),
                    integer_scalar("zero_index", 0)}),
            ".#.#.#.#.");
}

TEST(OnnxTraining, AMaskThatIsFedIsTakenToHideNothing) {
  FileParts parts = ids();
  parts.inputs.push_back(value("attention_mask", {2, 3}, kInt64));
  parts.nodes = {node("Gather", {"table", "ids"}, {"embedded"}),
                 node("Cast", {"attention_mask"}, {"seen"}, {integer_attribute("to", 9)}),
                 node("Where", {"seen", "zero", "low"}, {"mask"}),
                 node("Unsqueeze", {"mask", "axis"}, {"wide"}),
                 node("Add", {"embedded", "wide"}, {"y"})};
  parts.initializers = {float_tensor("table", {9, 4}, 1), float_tensor("zero", {}, 0),
                        float_tensor("low", {}, -1e30F), integer_tensor("axis", {2})};
  const OnnxImport imported = import_text(file(parts));
  EXPECT_EQ(ops(imported), "input embedding");
  ASSERT_EQ(imported.notes.size(), 1u);
  EXPECT_THAT(imported.notes[0].text, AllOf(HasSubstr("attention_mask"), HasSubstr("all ones")));
}

// Of the positions that a table has, a sequence uses the first; all of them are learned.
TEST(OnnxTraining, ATableOfPositionsIsLearnedAsAWhole) {
  FileParts parts = ids();
  parts.nodes = {node("Gather", {"words", "ids"}, {"embedded"}),
                 node("Gather", {"positions", "first"}, {"at"}),
                 node("Add", {"embedded", "at"}, {"y"})};
  parts.initializers = {float_tensor("words", {9, 4}, 1), float_tensor("positions", {8, 4}, 1),
                        integer_tensor("first", {0, 1, 2})};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_EQ(ops(imported), "input embedding position_embedding");
  EXPECT_EQ(parameters_of(imported), 9 * 4 + 8 * 4);
}

TEST(OnnxTraining, RowsPickedByFixedIndicesKeepTheirTable) {
  FileParts parts = ids();
  parts.nodes = {node("Gather", {"words", "ids"}, {"embedded"}),
                 node("Gather", {"types", "of_batch"}, {"type"}),
                 node("Add", {"embedded", "type"}, {"y"})};
  parts.initializers = {float_tensor("words", {9, 4}, 1), float_tensor("types", {2, 4}, 1),
                        integer_matrix("of_batch", {2, 3}, {0, 0, 1, 0, 0, 1})};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_EQ(ops(imported), "input parameter embedding add");
  EXPECT_EQ(parameters_of(imported), 9 * 4 + 2 * 4);
}

// A table of biases for pairs of positions, as in windows of a Swin transformer.
TEST(OnnxTraining, ATableOfRelativePositionsIsAddedToScores) {
  FileParts parts;
  parts.inputs = {value("x", {2, 2, 3, 3})};
  parts.outputs = {value("y", {})};
  parts.nodes = {node("GatherND", {"table", "tuples"}, {"picked"}),
                 node("Reshape", {"picked", "square"}, {"pairs"}),
                 node("Transpose", {"pairs"}, {"heads"}, {integers_attribute("perm", {2, 0, 1})}),
                 node("Unsqueeze", {"heads", "front"}, {"bias"}),
                 node("Add", {"x", "bias"}, {"y"})};
  parts.initializers = {float_tensor("table", {5, 2}, 1),
                        integer_matrix("tuples", {9, 1}, {2, 1, 0, 3, 2, 1, 4, 3, 2}),
                        integer_tensor("square", {3, 3, 2}), integer_tensor("front", {0})};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_EQ(ops(imported), "input parameter from_sequence add");
  EXPECT_EQ(parameters_of(imported), 5 * 2);
}

TEST(OnnxTraining, AnOutputLayerTiedToTheEmbeddingIsCountedOnce) {
  FileParts parts = ids();
  parts.nodes = {node("Gather", {"table", "ids"}, {"embedded"}),
                 node("Relu", {"embedded"}, {"hidden"}),
                 node("Transpose", {"table"}, {"turned"}, {integers_attribute("perm", {1, 0})}),
                 node("MatMul", {"hidden", "turned"}, {"y"})};
  parts.initializers = {float_tensor("table", {9, 4}, 1)};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_EQ(ops(imported), "input embedding relu linear");
  EXPECT_EQ(parameters_of(imported), 9 * 4);
  EXPECT_EQ(last(imported).shares, 1);
}

TEST(OnnxTraining, ASharedWeightIsReadBackAsOne) {
  ModelBuilder builder("net");
  builder.add(Input{tokens(3, 9)});
  const int table = builder.add(Embedding{4});
  builder.tie(builder.add(Linear{9, true}), table);
  const Model model = std::move(builder).build();
  Weights weights{{"embedding1.weight", {{9, 4}, std::vector<float>(36, 0.5F)}},
                  {"linear1.bias", {{9}, std::vector<float>(9, 0.25F)}}};
  const OnnxImport imported = import_text(onnx_bytes(model, weights));
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_EQ(model_hash(*imported.model), model_hash(model));
}

// Channels behind the positions: an axis of a tensor, not the channels of an image.
TEST(OnnxTraining, ASumOfImagesWithChannelsLastIsNormalisedOverItsChannels) {
  FileParts parts;
  parts.inputs = {value("x", {2, 5, 6, 6})};
  parts.outputs = {value("y", {})};
  parts.nodes = {node("Transpose", {"x"}, {"last"}, {integers_attribute("perm", {0, 2, 3, 1})}),
                 node("Reshape", {"x", "sizes"}, {"other"}),
                 node("Add", {"last", "other"}, {"sum"}),
                 node("LayerNormalization", {"sum", "scale", "shift"}, {"y"})};
  parts.initializers = {integer_tensor("sizes", {2, 6, 6, 5}), float_tensor("scale", {5}, 1),
                        float_tensor("shift", {5}, 0)};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_EQ(parameters_of(imported), 10);
  EXPECT_EQ(last(imported).output, tensor({6, 6, 5}));
}

// One window is left of an image: an axis of length 1 in front is not its channels.
TEST(OnnxTraining, AnImageInOneWindowIsNormalisedOverItsChannels) {
  FileParts parts;
  parts.inputs = {value("x", {2, 5, 3, 3})};
  parts.outputs = {value("y", {})};
  parts.nodes = {
      node("Reshape", {"x", "flat"}, {"positions"}),
      node("Transpose", {"positions"}, {"last"}, {integers_attribute("perm", {0, 1, 3, 2})}),
      node("Reshape", {"x", "sizes"}, {"other"}), node("Add", {"last", "other"}, {"sum"}),
      node("LayerNormalization", {"sum", "scale", "shift"}, {"y"})};
  parts.initializers = {integer_tensor("flat", {2, 1, 5, 9}), integer_tensor("sizes", {2, 1, 9, 5}),
                        float_tensor("scale", {5}, 1), float_tensor("shift", {5}, 0)};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_EQ(parameters_of(imported), 10);
}

TEST(OnnxTraining, AnEinsumMayBeAMatrixProduct) {
  FileParts parts;
  parts.inputs = {value("q", {2, 4, 3, 5}), value("k", {2, 4, 6, 5})};
  parts.outputs = {value("y", {})};
  parts.nodes = {
      node("Einsum", {"q", "k"}, {"y"}, {text_attribute("equation", "nhid, nhjd -> nhij")})};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_EQ(last(imported).output, tensor({4, 3, 6}));
  EXPECT_EQ(multiply_adds(*imported.model), 4 * 3 * 6 * 5);
  parts.nodes = {node("Einsum", {"q", "k"}, {"y"}, {text_attribute("equation", "nhid,nhjd->nh")})};
  EXPECT_THAT(problems(import_text(file(parts))), HasSubstr("no matrix product"));
}

// A table of places, a linear layer over it, and rows of what that gives, added to the data.
FileParts computed_rows(const std::string& picking) {
  FileParts parts;
  parts.inputs = {value("x", {2, 4, 3})};
  parts.outputs = {value("y", {})};
  parts.nodes = {node("MatMul", {"places", "weight"}, {"product"}),
                 node("Add", {"product", "bias"}, {"computed"}),
                 node("Relu", {"computed"}, {"table"}),
                 node(picking, {"table", "indices"}, {"rows"}), node("Add", {"x", "rows"}, {"y"})};
  parts.initializers = {float_tensor("places", {3, 2}, {0, 1, 2, 3, 4, 5}),
                        float_tensor("weight", {2, 3}, 1), float_tensor("bias", {3}, 1)};
  if (picking == "Gather") {
    parts.initializers.push_back(integer_tensor("indices", {2, 0, -1, 2}));
  } else {
    parts.nodes.insert(parts.nodes.begin(), node("Unsqueeze", {"list", "last"}, {"indices"}));
    parts.initializers.push_back(integer_tensor("list", {2, 0, -1, 2}));
    parts.initializers.push_back(integer_tensor("last", {-1}));
  }
  return parts;
}

TEST(OnnxTraining, RowsAreGatheredFromAComputedTable) {
  OnnxOptions options;
  options.weights = true;
  for (const char* picking : {"Gather", "GatherND"}) {
    const OnnxImport imported = import_text(file(computed_rows(picking)), options);
    ASSERT_TRUE(imported.model) << problems(imported);
    EXPECT_EQ(ops(imported), "input parameter reshape linear relu gather add");
    EXPECT_EQ(parameters_of(imported), 2 * 3 + 3);
    const Layer& gather = imported.model->layers()[5];
    EXPECT_FALSE(gather.per_sample);
    EXPECT_EQ(imported.weights->at(gather.name + ".index").values,
              (std::vector<float>{2, 0, 2, 2}));
  }
}

TEST(OnnxTraining, ARowThatAComputedTableDoesNotHaveIsRefused) {
  FileParts parts = computed_rows("Gather");
  parts.initializers.back() = integer_tensor("indices", {2, 0, 3, 2});
  EXPECT_THAT(problems(import_text(file(parts))), HasSubstr("does not have"));
}

// The weights of a product of two matrices are trained as the product.
TEST(OnnxTraining, AProductOfLearnedMatricesIsOneWeight) {
  FileParts parts = training_rows();
  parts.nodes = {node("MatMul", {"up", "down"}, {"weight"}),
                 node("MatMul", {"x", "weight"}, {"y"})};
  parts.initializers = {float_tensor("up", {4, 5}, 1), float_tensor("down", {5, 3}, 1)};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_EQ(ops(imported), "input linear") << problems(imported);
  EXPECT_EQ(parameters_of(imported), 4 * 3);
}

TEST(OnnxTraining, AClampOfALearnedScaleStaysInTheNetwork) {
  FileParts parts;
  parts.inputs = {value("x", {2, 4, 3})};
  parts.outputs = {value("y", {})};
  parts.nodes = {node("Clip", {"scale", "", "limit"}, {"clamped"}),
                 node("Exp", {"clamped"}, {"factor"}), node("Mul", {"x", "factor"}, {"y"})};
  parts.initializers = {float_tensor("scale", {4, 1}, 1), float_tensor("limit", {}, 4.6F)};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_EQ(ops(imported), "input parameter clip exp reshape multiply") << problems(imported);
  EXPECT_EQ(parameters_of(imported), 4);
}

TEST(OnnxTraining, EntriesOfDataMayBeGathered) {
  FileParts parts;
  parts.inputs = {value("x", {2, 4, 3})};
  parts.outputs = {value("y", {})};
  parts.nodes = {node("Gather", {"x", "order"}, {"y"}, {integer_attribute("axis", 1)})};
  parts.initializers = {integer_tensor("order", {3, 1, 1})};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_EQ(ops(imported), "input gather") << problems(imported);
  EXPECT_EQ(last(imported).output, sequence(3, 3));
  parts.nodes = {node("Gather", {"x", "order"}, {"y"}, {integer_attribute("axis", 0)})};
  parts.initializers = {integer_tensor("order", {1, 0, 0})};
  EXPECT_THAT(problems(import_text(file(parts))), HasSubstr("batch"));
}

TEST(OnnxTraining, VectorsMayBeDividedByTheirLengths) {
  FileParts parts;
  parts.inputs = {value("x", {6, 4, 3})};
  parts.outputs = {value("y", {})};
  parts.nodes = {node("ReduceL2", {"x"}, {"length"}, {integers_attribute("axes", {-1})}),
                 node("Div", {"x", "length"}, {"y"})};
  const OnnxImport imported = import_text(file(parts));
  EXPECT_EQ(ops(imported), "input reduce_l2 divide") << problems(imported);
}

// (N, H, W, C): the second axis is not the channels.
TEST(OnnxTraining, AnImageWithItsChannelsLastMayBePadded) {
  FileParts parts;
  parts.inputs = {value("x", {2, 5, 3, 4})};
  parts.outputs = {value("y", {})};
  parts.nodes = {node("Transpose", {"x"}, {"last"}, {integers_attribute("perm", {0, 2, 3, 1})}),
                 node("Pad", {"last", "pads"}, {"y"})};
  parts.initializers = {integer_tensor("pads", {0, 0, 0, 0, 0, 2, 1, 0})};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_EQ(last(imported).output, tensor({5, 5, 5}));
  parts.initializers = {integer_tensor("pads", {1, 0, 0, 0, 0, 2, 1, 0})};
  EXPECT_THAT(problems(import_text(file(parts))), HasSubstr("pads the batch"));
}

TEST(OnnxTraining, ABiasOfZerosOnATensorIsLearned) {
  FileParts parts;
  parts.inputs = {value("x", {2, 3, 3, 4})};
  parts.outputs = {value("y", {})};
  parts.nodes = {node("Reshape", {"x", "sizes"}, {"t"}), node("MatMul", {"t", "w"}, {"m"}),
                 node("Add", {"m", "b"}, {"y"})};
  parts.initializers = {integer_tensor("sizes", {2, 3, 3, 2, 2}), float_tensor("w", {2, 5}, 1),
                        float_tensor("b", {5}, 0)};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_EQ(parameters_of(imported), 2 * 5 + 5);
}

// The newer exporter says which tensors are learned; others are constants, however they are used.
TEST(OnnxTraining, ABufferIsNotLearned) {
  FileParts parts = training_rows();
  parts.nodes = {node("Mul", {"x", "b"}, {"y"})};
  parts.initializers = {float_tensor("b", {4}, {1, 2, 3, 4})};
  EXPECT_EQ(parameters_of(import_text(file(parts))), 4);
  parts.values = {described_value("b", "BUFFER")};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_EQ(parameters_of(imported), 0);
}

TEST(OnnxTraining, AttentionInOneOperatorMayHaveAMaskAndFewerKeys) {
  FileParts parts;
  parts.inputs = {value("q", {2, 4, 3, 5}), value("k", {2, 2, 3, 5}), value("v", {2, 2, 3, 5})};
  parts.outputs = {value("y", {})};
  parts.opset = 23;
  parts.nodes = {node("Attention", {"q", "k", "v", "mask"}, {"y"})};
  parts.initializers = {float_tensor("mask", {3, 3}, {0, -1e30F, -1e30F, 0, 0, -1e30F, 0, 0, 0})};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_EQ(multiply_adds(*imported.model), 2 * 4 * 3 * 3 * 5);
  parts.nodes = {node("Attention", {"q", "k", "v"}, {"y"}, {integer_attribute("is_causal", 1)})};
  EXPECT_THAT(ops(import_text(file(parts))), HasSubstr("parameter"));
}

TEST(OnnxTraining, WeightsWithoutAShapeAreListedAtOnce) {
  FileParts parts = training_rows();
  parts.nodes = {node("Gemm", {"x", "first.weight", "first.bias"}, {"h"}),
                 node("Gemm", {"h", "second.weight"}, {"y"})};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_EQ(imported.unsupported.size(), 1u) << problems(imported);
  EXPECT_THAT(imported.unsupported[0].reason,
              AllOf(HasSubstr("3 weights have no shape: first.weight, first.bias, second.weight"),
                    HasSubstr("export the weights too")));
}

TEST(OnnxTraining, AWeightThatIsNotInTheFileMayHaveItsShapeThere) {
  FileParts parts = training_rows();
  parts.nodes = {node("Gemm", {"x", "weight"}, {"y"})};
  parts.values = {value("weight", {4, 3})};
  const OnnxImport imported = import_text(file(parts));
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_EQ(parameters_of(imported), 12);
}

}  // namespace
}  // namespace ampere
