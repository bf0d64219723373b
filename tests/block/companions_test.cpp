#include <gtest/gtest.h>

#include "ampere/block.h"
#include "ampere/error.h"
#include "ampere/model.h"
#include "block_text.h"

namespace ampere {
namespace {

std::string title(const std::shared_ptr<const BlockKind>& kind) {
  return kind ? kind->title : "none";
}

TEST(Companions, UseTheNetworksOwnBlocksWhereTheyFit) {
  const std::vector<Block> own = parse_blocks(make_zoo_model("lenet5"));
  const Companions around = companions(*own[1].kind, own);
  EXPECT_EQ(around.input->key, own[0].kind->key);
  EXPECT_EQ(around.output->key, own[4].kind->key);
}

TEST(Companions, ArePlainWhereNoneFits) {
  const std::vector<Block> own = parse_blocks(make_zoo_model("lenet5"));
  EXPECT_EQ(title(companions(*own[0].kind, own).output), "head+linear @14x14");
  EXPECT_EQ(title(companions(*own[2].kind, own).input), "linear+relu");
  EXPECT_EQ(title(companions(*own[4].kind, own).output), "none");
}

TEST(Companions, BringTheOwnInputBlockToTheSizeThatIsNeeded) {
  const std::vector<Block> own = parse_blocks(make_zoo_model("cnn5"));
  EXPECT_EQ(title(companions(*own[2].kind, own).input), "conv3x3+relu+max_pool2 @14x14");
}

TEST(Companions, FindTheRawSizeForStridedStems) {
  const std::vector<Block> own = parse_blocks(make_zoo_model("resnet18", {{"size", 224}}));
  for (const Block& block : own) {
    if (block.kind->role != Role::hidden) continue;
    const auto& needed = block.kind->pattern.layers().front().output.extent;
    EXPECT_EQ(title(companions(*block.kind, own).input), "conv7x7/2+bn+relu+max_pool3/2 @" +
                                                             std::to_string(4 * needed[0]) + "x" +
                                                             std::to_string(4 * needed[1]));
  }
}

TEST(Companions, KeepTheNetworksClassesAndVocabulary) {
  const std::vector<Block> own = parse_blocks(make_zoo_model("transformer"));
  const Companions around = companions(*own[1].kind, own);
  EXPECT_EQ(around.input->key, own[0].kind->key);
  EXPECT_EQ(title(around.output), "head+linear @64 tokens");
  EXPECT_EQ(around.output->pattern.output().output, flat(10));
}

// A gate takes a flat tensor and gives an image, which its side input brings.
TEST(Companions, FollowTheMainInputOfAGate) {
  ModelBuilder net("gate");
  net.add(Input{image(3, 8, 8)});
  const int stem = net.add(Conv{16, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  net.add(AdaptivePool{{1, 1}});
  net.add(Flatten{});
  net.add(Linear{16});
  const int gate = net.add(Activation{Function::sigmoid});
  net.add(Multiply{}, {stem, gate});
  net.add(Flatten{});
  net.add(Linear{10});
  const std::vector<Block> own = parse_blocks(std::move(net).build());
  const Companions around = companions(*own[1].kind, own);
  EXPECT_EQ(title(around.input), "conv3x3+global_pool+flatten @8x8");
  EXPECT_EQ(title(around.output), "linear");
  const std::vector<std::int64_t> features(own[1].kind->features.size(), 6);
  EXPECT_EQ(kind_keys(parse_blocks(make_variant(*own[1].kind, features, around))),
            (std::vector<std::string>{around.input->key, own[1].kind->key, around.output->key}));
}

TEST(Companions, NeedTheOwnNetworksOutputBlock) {
  const std::vector<Block> own = parse_blocks(make_zoo_model("lenet5"));
  try {
    companions(*own[0].kind, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
  }
}

}  // namespace
}  // namespace ampere
