#include <gmock/gmock.h>

#include "ampere/model.h"
#include "every_op.h"
#include "support.h"

namespace ampere {
namespace {

using testing::HasSubstr;

TEST(ModelBuilder, ReadsTheLastLayerUnlessTold) {
  ModelBuilder builder("net");
  const int input = builder.add(Input{image(3, 8, 8)});
  const int first = builder.add(conv(4, 3, 1));
  const int second = builder.add(conv(4, 1), {input});
  builder.add(Add{}, {first, second});
  const Model model = std::move(builder).build();
  EXPECT_EQ(model.layers()[1].inputs, (std::vector<int>{0}));
  EXPECT_EQ(model.layers()[2].inputs, (std::vector<int>{0}));
  EXPECT_EQ(model.output().inputs, (std::vector<int>{1, 2}));
  EXPECT_EQ(model.output().output, image(4, 8, 8));
}

TEST(ModelBuilder, NamesLayersByOperatorAndNumber) {
  ModelBuilder builder("net");
  builder.add(Input{image(3, 8, 8)});
  builder.add(conv(4, 3), "conv2");
  builder.add(conv(4, 3));
  builder.add(conv(4, 3));
  builder.add(Activation{});
  builder.add(Input{flat(3)});
  std::vector<std::string> names;
  for (int i = 0; i <= builder.last(); ++i) names.push_back(builder.name(i));
  EXPECT_EQ(names,
            (std::vector<std::string>{"input", "conv2", "conv1", "conv3", "relu1", "input1"}));
}

TEST(ModelBuilder, LayersMayShareAWeight) {
  const Model model = language_ops();
  EXPECT_EQ(model.output().shares, 1);
  const Counts tied = count(model.output(), model, 1);
  EXPECT_EQ(tied.parameters, 0);
  EXPECT_EQ(tied.forward_flops, 2 * 6 * 8 * 20);
  EXPECT_TRUE(weight_shapes(model.output(), model).empty());
}

TEST(ModelBuilder, KnowsWhatIsTheSameForAllSamples) {
  const Model model = table_ops();
  std::string once;
  for (const Layer& layer : model.layers())
    if (!layer.per_sample) once += layer.name + " ";
  EXPECT_EQ(once, "parameter1 clip1 exp1 parameter2 linear2 relu1 linear3 reshape1 gather1 ");
}

TEST(ModelBuilder, RefusesToShareWeightsOfOtherSizes) {
  ModelBuilder builder("net");
  builder.add(Input{tokens(3, 9)});
  const int table = builder.add(Embedding{4});
  const int relu = builder.add(Activation{});
  const int narrow = builder.add(Linear{8});
  EXPECT_THAT(message_of([&] { builder.tie(narrow, table); }), HasSubstr("other sizes"));
  EXPECT_THAT(message_of([&] { builder.tie(narrow, relu); }), HasSubstr("other sizes"));
  EXPECT_THAT(message_of([&] { builder.tie(table, narrow); }), HasSubstr("does not come before"));
}

TEST(ModelBuilder, RefusesANameTwice) {
  ModelBuilder builder("net");
  builder.add(Input{flat(3)}, "x");
  EXPECT_THAT(message_of([&] { builder.add(Activation{}, "x"); }),
              HasSubstr("two layers are named 'x'"));
}

TEST(ModelBuilder, StoresOneNumberPerAxis) {
  ModelBuilder builder("net");
  builder.add(Input{image(3, 9, 9)});
  Conv op;
  op.out_channels = 2;
  op.kernel = {3};
  builder.add(op);
  builder.add(max_pool(2));
  const Model model = std::move(builder).build();
  const Conv& stored = std::get<Conv>(model.layers()[1].op);
  EXPECT_EQ(stored.kernel, (std::vector<std::int64_t>{3, 3}));
  EXPECT_EQ(stored.stride, (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(stored.padding, (std::vector<std::int64_t>{0, 0}));
  EXPECT_EQ(stored.dilation, (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(std::get<Pool>(model.layers()[2].op).stride, (std::vector<std::int64_t>{2, 2}));
}

TEST(ModelBuilder, KeepsModuleTags) {
  ModelBuilder builder("net");
  builder.add(Input{flat(3)});
  builder.module("encoder0");
  builder.add(Linear{4});
  builder.module("");
  builder.add(Activation{});
  const Model model = std::move(builder).build();
  EXPECT_EQ(model.layers()[1].module, "encoder0");
  EXPECT_EQ(model.layers()[2].module, "");
}

TEST(ModelBuilder, ErrorsNameTheLayerAndTheReason) {
  ModelBuilder builder("net");
  builder.add(Input{image(3, 4, 4)});
  EXPECT_EQ(message_of([&] { builder.add(conv(8, 7), "stem"); }),
            "layer 'stem' (conv): the kernel covers 7 positions, but the padded input has only 4");
}

TEST(ModelBuilder, IsUsableAfterARefusedLayer) {
  ModelBuilder builder("net");
  builder.add(Input{image(3, 4, 4)});
  EXPECT_THROW(builder.add(conv(8, 7), "stem"), Error);
  builder.add(conv(8, 3), "stem");
  EXPECT_EQ(std::move(builder).build().layers().size(), 2u);
}

TEST(ModelBuilder, RefusesWhatIsNotThere) {
  EXPECT_THAT(message_of([] { ModelBuilder("none").build(); }), HasSubstr("'none' has no layers"));
  EXPECT_THAT(message_of([] { ModelBuilder("net").add(Activation{}); }),
              HasSubstr("the first layer must be an input"));
  ModelBuilder builder("net");
  builder.add(Input{flat(3)});
  EXPECT_THAT(message_of([&] { builder.add(Activation{}, {1}); }),
              HasSubstr("does not come before it"));
  EXPECT_THAT(message_of([&] { builder.add(Activation{}, {-1}); }),
              HasSubstr("does not come before it"));
}

TEST(ModelBuilder, RefusesAbsurdSizes) {
  ModelBuilder builder("net");
  builder.add(Input{image(1 << 12, 1 << 12, 1 << 12)});
  EXPECT_THAT(message_of([&] { builder.add(Flatten{}); }), HasSubstr("channels must be from 1"));
  EXPECT_THAT(message_of([&] { builder.add(conv(1 << 24, 1)); }), HasSubstr("elements"));
  EXPECT_THAT(message_of([&] { builder.add(Input{image(1, 1 << 24, 1 << 24)}); }),
              HasSubstr("elements"));
  EXPECT_THROW(builder.add(Input{flat(INT64_MAX)}), Error);
  builder.add(Input{flat(1 << 24)});
  EXPECT_THAT(message_of([&] { builder.add(Linear{1 << 24}); }), HasSubstr("parameters"));
}

TEST(ModelBuilder, RefusesEndlessNetworks) {
  ModelBuilder builder("net");
  builder.add(Input{flat(1)});
  const auto go_on = [&] {
    for (int i = 0; i < 200'000; ++i) builder.add(Activation{});
  };
  EXPECT_THAT(message_of(go_on), HasSubstr("at most 131072 layers"));
}

}  // namespace
}  // namespace ampere
