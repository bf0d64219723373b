// A network that was exported is cut into the blocks of the one written by hand.
#include <gtest/gtest.h>

#include "ampere/block.h"
#include "support.h"

namespace ampere {
namespace {

using testing_support::import_fixture;
using testing_support::problems;

struct Pair {
  const char* file;
  const char* zoo;
};

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.file; }

class ExportedNetwork : public testing::TestWithParam<Pair> {};

TEST_P(ExportedNetwork, CutsIntoTheBlocksOfTheZoo) {
  OnnxOptions options;
  options.shapes["length"] = {64};
  const OnnxImport imported =
      import_fixture(std::string("networks/") + GetParam().file + ".onnx.gz", options);
  ASSERT_TRUE(imported.model) << problems(imported);
  const std::vector<Block> own = parse_blocks(open_model(GetParam().zoo));
  const std::vector<Block> blocks = parse_blocks(*imported.model);
  ASSERT_EQ(blocks.size(), own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    EXPECT_EQ(blocks[i].kind->key, own[i].kind->key);
    EXPECT_EQ(blocks[i].features, own[i].features) << own[i].kind->key;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Onnx, ExportedNetwork,
    testing::Values(
        Pair{"zoo_resnet18.legacy", "resnet18"}, Pair{"zoo_resnet18.legacy.train", "resnet18"},
        Pair{"zoo_resnet18.dynamo.plain", "resnet18"},
        Pair{"zoo_resnet18.dynamo.train", "resnet18"}, Pair{"resnet18.legacy", "resnet18:size=224"},
        Pair{"resnet18.dynamo.plain", "resnet18:size=224"},
        Pair{"resnet50.legacy", "resnet50:size=224"},
        Pair{"resnet50.dynamo.plain", "resnet50:size=224"},
        Pair{"mobilenet_v2.legacy.train", "mobilenet_v2"},
        Pair{"mobilenet_v2.dynamo.train", "mobilenet_v2"}, Pair{"zoo_lstm.legacy", "lstm"},
        Pair{"zoo_lstm.legacy.dynamic", "lstm"}, Pair{"zoo_lstm.dynamo", "lstm"},
        Pair{"zoo_lstm.dynamo.dynamic", "lstm"}, Pair{"zoo_gru.legacy", "gru"},
        Pair{"zoo_gru.dynamo", "gru"}, Pair{"zoo_transformer.legacy", "transformer"},
        Pair{"zoo_transformer.legacy.train", "transformer"},
        Pair{"zoo_transformer.legacy.dynamic", "transformer"},
        Pair{"zoo_transformer.dynamo", "transformer"},
        Pair{"zoo_transformer.dynamo.plain", "transformer"},
        Pair{"zoo_transformer.dynamo.dynamic", "transformer"},
        Pair{"zoo_vit_tiny.legacy", "vit_tiny"}, Pair{"zoo_vit_tiny.dynamo", "vit_tiny"},
        Pair{"zoo_lenet5.legacy", "lenet5"}, Pair{"zoo_lenet5.dynamo", "lenet5"},
        Pair{"alexnet.legacy.train", "alexnet"}, Pair{"alexnet.dynamo.train", "alexnet"},
        Pair{"densenet121.legacy", "densenet121"}, Pair{"densenet121.dynamo.plain", "densenet121"},
        Pair{"shufflenet_v2_x1_0.legacy", "shufflenet_v2"},
        Pair{"shufflenet_v2_x1_0.dynamo.plain", "shufflenet_v2"}));

}  // namespace
}  // namespace ampere
