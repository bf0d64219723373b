#include "block/terms.h"

#include <gtest/gtest.h>

#include "ampere/block.h"

namespace ampere {
namespace {

TEST(NetworkTerms, AreItsBlocksInOrder) {
  const Model model = open_model("cnn5");
  const std::vector<Block> blocks = parse_blocks(model);
  const NetworkTerms terms = terms_of(model, {});
  ASSERT_EQ(terms.size(), blocks.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    EXPECT_EQ(terms[i].kind, blocks[i].kind->key);
    EXPECT_EQ(terms[i].features, blocks[i].features);
    EXPECT_EQ(terms[i].first, i == 0);
    EXPECT_EQ(terms[i].last, i + 1 == terms.size());
  }
}

TEST(NetworkTerms, CountTheWholeNetwork) {
  for (const char* name : {"lenet5", "cnn5", "resnet18", "transformer"}) {
    const Model model = open_model(name);
    ampere::Setup setup;
    setup.batch = 7;
    double flops = 0, bytes = 0;
    for (const BlockTerms& block : terms_of(model, setup)) {
      flops += block.flops;
      bytes += block.bytes;
    }
    const Counts counts = count(model, 7);
    EXPECT_DOUBLE_EQ(flops, static_cast<double>(counts.training_flops)) << name;
    EXPECT_DOUBLE_EQ(bytes, 3 * static_cast<double>(counts.bytes)) << name;
  }
}

TEST(NetworkTerms, TapsAreThoseOfTheFirstConvolution) {
  ModelBuilder builder("net");
  builder.add(Input{image(1, 16, 16)});
  builder.add(Conv{4, {3, 5}, {1, 1}, {1, 2}, {1, 1}});
  builder.add(Activation{});
  builder.add(Flatten{});
  builder.add(Linear{10});
  const NetworkTerms terms = terms_of(std::move(builder).build(), {});
  EXPECT_EQ(terms.front().taps, 15);
  EXPECT_EQ(terms.back().taps, 1);
}

}  // namespace
}  // namespace ampere
