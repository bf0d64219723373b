// What is written is read back as the same network with the same weights.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "../model/every_op.h"
#include "../support/random_weights.h"
#include "ampere/error.h"
#include "ampere/model.h"
#include "model/inherit.h"
#include "onnx/proto.h"
#include "support.h"

namespace ampere {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::import_fixture;
using testing_support::import_text;
using testing_support::ops;
using testing_support::problems;
using testing_support::random_weights;

OnnxImport read_back(const Model& model, const Weights& weights) {
  OnnxOptions options;
  options.weights = true;
  return import_text(onnx_bytes(model, weights), options);
}

// The tensors in the order of the layers, whatever these are called.
std::vector<FloatTensor> in_order(const Model& model, const Weights& weights) {
  std::vector<FloatTensor> tensors;
  for (const Layer& layer : model.layers())
    for (const WeightShape& shape : weight_shapes(layer, model))
      tensors.push_back(weights.at(layer.name + "." + shape.name));
  return tensors;
}

void expect_equal_weights(const Model& model, const Weights& weights, const OnnxImport& import) {
  const std::vector<FloatTensor> expected = in_order(model, weights);
  const std::vector<FloatTensor> actual = in_order(*import.model, *import.weights);
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_EQ(actual[i].sizes, expected[i].sizes) << i;
    EXPECT_TRUE(actual[i].values == expected[i].values) << i;
  }
}

Model small_zoo_model(const ZooEntry& entry) {
  std::map<std::string, std::int64_t> options;
  for (const ZooOption& option : entry.options)
    if (option.key == "layers") options["layers"] = std::min<std::int64_t>(option.default_value, 2);
  const Model model = make_zoo_model(entry.name, options);
  return with_widths(model, testing_support::scaled_widths(model, 0.3));
}

TEST(OnnxExport, IsReadBackAsTheSameNetworkOfTheZoo) {
  for (const ZooEntry& entry : zoo()) {
    SCOPED_TRACE(entry.name);
    const Model model = small_zoo_model(entry);
    const Weights weights = random_weights(model, 1);
    const OnnxImport import = read_back(model, weights);
    ASSERT_TRUE(import.model) << problems(import);
    EXPECT_THAT(import.notes, IsEmpty());
    EXPECT_EQ(model_hash(*import.model), model_hash(model)) << ops(import);
    ASSERT_TRUE(import.weights);
    expect_equal_weights(model, weights, import);
  }
}

// Networks that others exported, with their weights.
std::map<std::string, OnnxImport> imported_fixtures() {
  OnnxOptions options;
  options.weights = true;
  options.shapes["length"] = {6};
  std::map<std::string, OnnxImport> all;
  for (const auto& entry : fs::directory_iterator(AMPERE_TEST_DATA "/onnx/small")) {
    if (entry.path().extension() != ".onnx") continue;
    const std::string name = "small/" + entry.path().filename().string();
    if (OnnxImport import = import_fixture(name, options); import.model && import.weights)
      all.emplace(name, std::move(import));
  }
  return all;
}

TEST(Inherit, TakesTheWeightsOfImportedNetworks) {
  const std::map<std::string, OnnxImport> fixtures = imported_fixtures();
  EXPECT_GT(fixtures.size(), 40u);
  for (const auto& [name, import] : fixtures) {
    SCOPED_TRACE(name);
    const Model& model = *import.model;
    const ChannelScores scores = l1_scores(model, *import.weights);
    const std::vector<std::int64_t> own = testing_support::own_widths(model);
    const Weights same = inherit(model, *import.weights, own, keep_best(model, scores, own));
    for (const auto& [key, tensor] : *import.weights) {
      EXPECT_EQ(same.at(key).values, tensor.values) << key;
    }
    const std::vector<std::int64_t> half = testing_support::scaled_widths(model, 0.5);
    const Weights narrow = inherit(model, *import.weights, half, keep_best(model, scores, half));
    EXPECT_NO_THROW(check_weights(with_widths(model, half), narrow));
  }
}

Model tiny(const std::string& first = "x", const std::string& second = "fc") {
  ModelBuilder builder("tiny");
  builder.add(Input{flat(2)}, first);
  builder.add(Linear{3}, second);
  return std::move(builder).build();
}

TEST(OnnxExport, LeavesTheBatchOpenAndNamesWhatGoesInAndOut) {
  const std::string bytes = onnx_bytes(tiny(), random_weights(tiny(), 1));
  const onnx::File file = onnx::parse_file(bytes);
  EXPECT_EQ(file.ir_version, 8);
  EXPECT_EQ(file.opset, 17);
  EXPECT_EQ(file.graph.name, "tiny");
  ASSERT_EQ(file.graph.inputs.size(), 1u);
  EXPECT_EQ(file.graph.inputs[0].name, "x");
  EXPECT_EQ(file.graph.inputs[0].dims->at(0).symbol, "batch");
  EXPECT_EQ(file.graph.inputs[0].dims->at(1).length, 2);
  ASSERT_EQ(file.graph.outputs.size(), 1u);
  EXPECT_EQ(file.graph.outputs[0].name, "fc");
  EXPECT_EQ(file.graph.outputs[0].dims->at(1).length, 3);
}

// Bytes that are no text, characters that mean something elsewhere, and names of the exporter's own
// making.
TEST(OnnxExport, GivesEveryValueANameOfItsOwn) {
  ModelBuilder builder("a/b\n\xFF");
  builder.add(Input{sequence(4, 6)}, "in put\"\\");
  builder.add(SelfAttention{2}, "a");
  builder.add(Activation{Function::gelu}, "a/MatMul");
  builder.add(Activation{Function::gelu}, "a.in_proj_weight");
  builder.add(Activation{Function::gelu}, std::string("\xC3\x28\0x", 4));
  builder.add(Activation{Function::gelu}, "\xC3\xA9\xF0\x9F\x98\x80");
  builder.add(Activation{Function::gelu}, "?(?x");
  builder.add(Linear{2}, std::string(5000, 'n'));
  const Model model = std::move(builder).build();
  const Weights weights = random_weights(model, 1);
  const std::string bytes = onnx_bytes(model, weights);
  const onnx::File file = onnx::parse_file(bytes);
  std::set<std::string_view> names;
  for (const onnx::TensorData& tensor : file.graph.initializers)
    EXPECT_TRUE(names.insert(tensor.name).second) << tensor.name;
  for (const onnx::Node& node : file.graph.nodes)
    for (const std::string_view name : node.outputs) EXPECT_TRUE(names.insert(name).second) << name;
  EXPECT_TRUE(names.contains("\xC3\xA9\xF0\x9F\x98\x80"));
  EXPECT_FALSE(names.contains(""));
  const OnnxImport import = read_back(model, weights);
  ASSERT_TRUE(import.model) << problems(import);
  EXPECT_EQ(model_hash(*import.model), model_hash(model)) << ops(import);
}

TEST(OnnxExport, RefusesWhatIsNotWhole) {
  EXPECT_THAT(message_of([] { onnx_bytes(tiny(), {}); }), HasSubstr("'fc.weight' is missing"));
  Weights weights = random_weights(tiny(), 1);
  weights["fc.weight"].values.pop_back();
  EXPECT_THAT(message_of([&] { onnx_bytes(tiny(), weights); }), HasSubstr("has 5 values"));
  EXPECT_THAT(message_of([] { onnx_bytes(Model(), {}); }), HasSubstr("without layers"));
  ModelBuilder constant("constant");
  constant.add(Parameter{flat(2)}, "own");
  const Model same = std::move(constant).build();
  EXPECT_THAT(message_of([&] { onnx_bytes(same, random_weights(same, 1)); }),
              HasSubstr("layer 'own' (parameter)"));
}

TEST(OnnxExport, NamesLayersThatTheFormatHasNoWordFor) {
  ModelBuilder pooled("pooled");
  pooled.add(Input{image(1, 5, 4)});
  pooled.add(AdaptivePool{{2, 2}}, "shrink");
  const Model uneven = std::move(pooled).build();
  EXPECT_THAT(message_of([&] { onnx_bytes(uneven, {}); }),
              HasSubstr("layer 'shrink' (adaptive_pool) cannot be written as ONNX: 5 positions"));
  ModelBuilder rounded("rounded");
  rounded.add(Input{line(1, 4)});
  rounded.add(Pool{Pooling::max, {2}, {3}, {1}, true}, "pool");
  const Model up = std::move(rounded).build();
  EXPECT_THAT(message_of([&] { onnx_bytes(up, {}); }), HasSubstr("begin in the padding"));
}

class OnnxFile : public testing::Test {
 protected:
  OnnxFile() : folder_(fs::temp_directory_path() / fmt::format("ampere_export_{}", ::getpid())) {
    fs::create_directories(folder_);
  }
  ~OnnxFile() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
  Weights weights_ = random_weights(tiny(), 1);
};

TEST_F(OnnxFile, IsWhatIsWrittenInMemory) {
  export_onnx(tiny(), weights_, path("tiny.onnx"));
  std::ifstream file(path("tiny.onnx"), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(bytes, onnx_bytes(tiny(), weights_));
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(model_hash(open_model(path("tiny.onnx"))), model_hash(tiny()));
}

TEST_F(OnnxFile, SaysWhereItCannotBeWritten) {
  const std::string nowhere = path("none/tiny.onnx");
  EXPECT_THAT(message_of([&] { export_onnx(tiny(), weights_, nowhere); }),
              AllOf(HasSubstr(nowhere), HasSubstr("cannot be written")));
  EXPECT_THAT(message_of([&] { export_onnx(tiny(), weights_, folder_.string()); }),
              HasSubstr(folder_.string()));
  EXPECT_THAT(message_of([&] { export_onnx(tiny(), weights_, ""); }), HasSubstr("cannot be"));
  EXPECT_EQ(files(), 0u);
}

// Nobody makes files there, whoever they are.
TEST_F(OnnxFile, SaysWhenTheSystemRefuses) {
  EXPECT_THAT(
      message_of([&] { export_onnx(tiny(), weights_, "/sys/tiny.onnx"); }, ErrorCode::permission),
      HasSubstr("/sys/tiny.onnx cannot be written"));
}

TEST_F(OnnxFile, DoesNotTakeThePlaceOfADevice) {
  EXPECT_THAT(message_of([&] { export_onnx(tiny(), weights_, "/dev/null"); }),
              HasSubstr("no plain file"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

// A limit on the size of files is as good as a full disk.
TEST_F(OnnxFile, LeavesNothingHalfWritten) {
  const Model large = make_zoo_model("lenet5");
  const Weights weights = random_weights(large, 1);
  export_onnx(tiny(), weights_, path("net.onnx"));
  const auto before = fs::file_size(path("net.onnx"));
  rlimit unlimited{};
  ::getrlimit(RLIMIT_FSIZE, &unlimited);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{10000, unlimited.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string message =
      message_of([&] { export_onnx(large, weights, path("net.onnx")); }, ErrorCode::failed);
  ::setrlimit(RLIMIT_FSIZE, &unlimited);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(message, HasSubstr(path("net.onnx")));
  EXPECT_EQ(fs::file_size(path("net.onnx")), before);
  EXPECT_EQ(files(), 1u);
}

// The format's own checker, where it is installed.
TEST_F(OnnxFile, PassesTheCheckerOfTheFormat) {
  if (std::system("/usr/bin/python3 -c 'import onnx' 2>/dev/null") != 0)
    GTEST_SKIP() << "python3-onnx is not installed (scripts/setup installs it)";
  for (const ZooEntry& entry : zoo()) {
    const Model model = small_zoo_model(entry);
    export_onnx(model, random_weights(model, 1), path(entry.name + ".onnx"));
  }
  export_onnx(every_op(), random_weights(every_op(), 1), path("every_op.onnx"));
  const std::string script = path("check.py");
  std::ofstream(script) << "import glob, onnx, sys\n"
                           "files = sorted(glob.glob(sys.argv[1] + '/*.onnx'))\n"
                           "for file in files:\n"
                           "    try:\n"
                           "        onnx.checker.check_model(onnx.load(file), full_check=True)\n"
                           "    except Exception as error:\n"
                           "        sys.exit(file + ': ' + str(error))\n"
                           "sys.exit(0 if len(files) > 20 else 'too few files')\n";
  EXPECT_EQ(std::system(fmt::format("/usr/bin/python3 {} {}", script, folder_.string()).c_str()),
            0);
}

}  // namespace
}  // namespace ampere
