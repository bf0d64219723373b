// Files that mean no good: each is refused with an Error or a list of problems, quickly and within
// little memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "ampere/block.h"
#include "ampere/error.h"
#include "base/text.h"
#include "file_writer.h"
#include "support.h"

namespace ampere {
namespace {

using namespace testing_support;
using testing::HasSubstr;

// Whatever the bytes are: an import, with or without problems, or an Error.
bool survives(const std::string& bytes) {
  try {
    OnnxOptions options;
    options.shapes["length"] = {6};
    const OnnxImport imported = import_text(bytes, options);
    return imported.model.has_value() || !imported.unsupported.empty();
  } catch (const Error&) {
    return true;
  }
}

FileParts parts_with(const std::vector<std::string>& nodes) {
  FileParts parts;
  parts.inputs = {value("x", {1, 4})};
  parts.outputs = {value("y", {})};
  parts.nodes = nodes;
  return parts;
}

TEST(HostileOnnx, EveryPrefixOfAFileIsSurvived) {
  const std::string whole = fixture("small/two_inputs.legacy.onnx");
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_TRUE(survives(whole.substr(0, length))) << length;
}

TEST(HostileOnnx, RandomBytesAreSurvived) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(random() % 200, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    EXPECT_TRUE(survives(bytes));
  }
}

TEST(HostileOnnx, ALengthOfTwoGigabytesAsksForNoMemory) {
  const std::string bytes = Message().number(1, 8).text() + "\x3a\xff\xff\xff\xff\x07";
  EXPECT_THROW(import_text(bytes), Error);
}

TEST(HostileOnnx, AnEmptyFileIsNoOnnxFile) { EXPECT_THROW(import_text(""), Error); }

TEST(HostileOnnx, CirclesAreRefused) {
  const FileParts parts = parts_with(
      {node("Relu", {"b"}, {"a"}), node("Relu", {"a"}, {"b"}), node("Add", {"x", "b"}, {"y"})});
  try {
    import_text(file(parts));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("in a circle"));
  }
}

TEST(HostileOnnx, TwoNodesForOneValueAreRefused) {
  EXPECT_THROW(
      import_text(file(parts_with({node("Relu", {"x"}, {"y"}), node("Tanh", {"x"}, {"y"})}))),
      Error);
}

TEST(HostileOnnx, TwoInitializersOfOneNameAreRefused) {
  FileParts parts = parts_with({node("Add", {"x", "w"}, {"y"})});
  parts.initializers = {float_tensor("w", {4}, 1), float_tensor("w", {4}, 2)};
  EXPECT_THROW(import_text(file(parts)), Error);
}

TEST(HostileOnnx, SizesThatCannotBeAreProblems) {
  const std::int64_t huge = std::int64_t{1} << 62;
  for (const Dims& dims :
       {Dims{1, huge}, Dims{1, 0}, Dims{huge, huge}, Dims{1, 1 << 24, 1 << 24}}) {
    FileParts parts = parts_with({node("Relu", {"x"}, {"y"})});
    parts.inputs = {value("x", dims)};
    EXPECT_FALSE(import_text(file(parts)).unsupported.empty());
  }
  for (const Dims& dims : {Dims{huge, huge}, Dims{-4}, Dims{huge}, Dims{1 << 30, 1 << 30}}) {
    FileParts parts = parts_with({node("Add", {"x", "w"}, {"y"})});
    parts.initializers = {float_tensor("w", dims, std::vector<float>{1})};
    EXPECT_FALSE(import_text(file(parts)).unsupported.empty());
  }
}

TEST(HostileOnnx, AmountsThatCannotBeAreProblems) {
  const std::int64_t huge = std::int64_t{1} << 62;
  FileParts parts = parts_with({node("Pad", {"x", "pads"}, {"y"})});
  for (const Dims& pads : {Dims{0, -huge - 2, 0, -huge - 2}, Dims{0, huge, 0, huge}}) {
    parts.initializers = {integer_tensor("pads", pads)};
    EXPECT_THAT(problems(import_text(file(parts))), HasSubstr("pads by"));
  }
  parts.nodes = {node("Split", {"x", "lengths"}, {"a", "b", "c"}), node("Relu", {"a"}, {"y"})};
  parts.initializers = {integer_tensor("lengths", {huge, huge, 4})};
  EXPECT_THAT(problems(import_text(file(parts))), HasSubstr("cannot be split into"));
}

TEST(HostileOnnx, AWeightWithoutItsNumbersIsAProblem) {
  FileParts parts = parts_with({node("MatMul", {"x", "w"}, {"y"})});
  parts.initializers = {float_tensor("w", {4, 1 << 20}, std::vector<float>{1, 2})};
  EXPECT_THAT(problems(import_text(file(parts))), HasSubstr("has 8 bytes of data"));
}

TEST(HostileOnnx, HugeConstantsAreNotComputed) {
  FileParts parts = parts_with({node("ConstantOfShape", {"s"}, {"c"}), node("Neg", {"c"}, {"d"}),
                                node("Add", {"x", "d"}, {"y"})});
  parts.initializers = {integer_tensor("s", {1 << 20, 1 << 19})};
  EXPECT_FALSE(import_text(file(parts)).unsupported.empty());
}

TEST(HostileOnnx, AMissingValueIsNamed) {
  EXPECT_THAT(problems(import_text(file(parts_with({node("Add", {"x", "ghost"}, {"y"})})))),
              HasSubstr("1 weight has no shape: ghost"));
}

TEST(HostileOnnx, AHundredThousandNodesAreCutIntoBlocks) {
  constexpr int kNodes = 100'000;
  FileParts parts;
  parts.inputs = {value("x", {1, 4})};
  parts.outputs = {value("v100000", {})};
  parts.initializers = {float_tensor("w", {4, 4}, 1)};
  for (int i = 0; i < kNodes; ++i) {
    const std::string from = i == 0 ? "x" : "v" + std::to_string(i);
    const std::string to = "v" + std::to_string(i + 1);
    parts.nodes.push_back(i % 2 == 0 ? node("MatMul", {from, "w"}, {to})
                                     : node("Relu", {from}, {to}));
  }
  const OnnxImport imported = import_text(file(parts));
  ASSERT_TRUE(imported.model) << problems(imported);
  EXPECT_EQ(parse_blocks(*imported.model).size(), kNodes / 2);
}

std::vector<std::string> corpus() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(AMPERE_FUZZ_CORPUS))
    files.push_back(read_text_file(entry.path().string()));
  std::ranges::sort(files);
  return files;
}

TEST(HostileOnnx, TheFuzzersSeedsAndTheirMutationsAreSurvived) {
  const std::vector<std::string> seeds = corpus();
  ASSERT_FALSE(seeds.empty());
  std::mt19937 random(11);
  for (const std::string& seed : seeds) {
    EXPECT_TRUE(survives(seed));
    for (int i = 0; i < 100; ++i) {
      std::string bytes = seed;
      for (int change = 0; change < 3; ++change)
        bytes[random() % bytes.size()] = static_cast<char>(random());
      EXPECT_TRUE(survives(bytes));
    }
  }
}

TEST(HostileOnnx, NamesThatCannotBePrintedAreRefused) {
  for (const std::string name : {"a\xff", "a\x1b[31m"}) {
    for (const std::string& wrong :
         {node("Relu", {name}, {"y"}), node("Relu", {"x"}, {name}), node(name, {"x"}, {"y"})})
      try {
        import_text(file(parts_with({wrong})));
        FAIL() << name;
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("the name 'a\xEF\xBF\xBD"));
      }
  }
}

}  // namespace
}  // namespace ampere
