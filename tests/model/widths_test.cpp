#include "ampere/widths.h"

#include <gmock/gmock.h>

#include "every_op.h"
#include "support.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using Widths = std::vector<std::int64_t>;

Model residual() {
  ModelBuilder builder("residual");
  builder.add(Input{image(3, 8, 8)});
  const int stem = builder.add(conv(8, 3, 1), "stem");
  builder.module("unit0");
  builder.add(depthwise(3, 1), "depthwise");
  builder.add(conv(6, 1), "inner");
  const int last = builder.add(conv(8, 3, 1), "last");
  builder.add(Add{}, {stem, last}, "sum");
  builder.module("");
  builder.add(Flatten{});
  builder.add(Linear{10}, "fc");
  return std::move(builder).build();
}

TEST(WithWidths, ChangesEverythingThatFollows) {
  const Model narrow = with_widths(residual(), Widths{4, 3});
  EXPECT_EQ(narrow.layers()[1].output, image(4, 8, 8));
  EXPECT_EQ(narrow.layers()[3].output, image(3, 8, 8));
  EXPECT_EQ(narrow.layers()[4].output, image(4, 8, 8));
  EXPECT_EQ(narrow.layers()[6].output, flat(4 * 64));
  EXPECT_EQ(narrow.output().output, flat(10));
}

TEST(WithWidths, KeepsNamesAndModules) {
  const Model model = residual();
  const Model narrow = with_widths(model, Widths{4, 3});
  EXPECT_EQ(narrow.name(), "residual");
  for (std::size_t i = 0; i < model.layers().size(); ++i) {
    EXPECT_EQ(narrow.layers()[i].name, model.layers()[i].name);
    EXPECT_EQ(narrow.layers()[i].module, model.layers()[i].module);
  }
}

TEST(WithWidths, OwnWidthsGiveTheSameModel) {
  EXPECT_EQ(to_json(with_widths(residual(), Widths{8, 6})), to_json(residual()));
}

TEST(WithWidths, MayBeWider) {
  EXPECT_EQ(with_widths(residual(), Widths{80, 60}).layers()[1].output, image(80, 8, 8));
}

TEST(WithWidths, FreeOutputsAndBoundariesAreWidthsToo) {
  ModelBuilder builder("block");
  builder.add(Input{image(8, 8, 8), true}, "before");
  builder.add(conv(4, 3), "conv");
  const Model wide = with_widths(std::move(builder).build(), Widths{16, 32}, OutputChannels::free);
  EXPECT_EQ(wide.layers()[0].output, image(16, 8, 8));
  EXPECT_EQ(wide.output().output, image(32, 6, 6));
}

TEST(WithWidths, SaysWhichWidthIsWrong) {
  const Model model = residual();
  EXPECT_THAT(message_of([&] {
                with_widths(model, Widths{0, 3});
              }),
              HasSubstr("width 1 ('stem') must be from 1"));
  EXPECT_THAT(message_of([&] {
                with_widths(model, Widths{4, -3});
              }),
              HasSubstr("width 2 ('inner') must be from 1"));
  EXPECT_THAT(message_of([&] {
                with_widths(model, Widths{1'000'000'000, 3});
              }),
              HasSubstr("not 1000000000"));
  EXPECT_THAT(message_of([&] { with_widths(model, Widths{INT64_MAX, 3}); }), HasSubstr("stem"));
}

TEST(WithWidths, SaysHowManyThereAre) {
  const Model model = residual();
  EXPECT_EQ(message_of([&] { with_widths(model, Widths{4}); }),
            "residual has 2 widths (stem, inner), not 1");
  EXPECT_THROW(with_widths(model, Widths{4, 3, 2}), Error);
  EXPECT_THROW(with_widths(model, Widths{}), Error);
}

TEST(WithWidths, AsksForMultiples) {
  ModelBuilder builder("net");
  builder.add(Input{tokens(8, 100)});
  builder.add(Embedding{24}, "embedding");
  builder.add(SelfAttention{4});
  builder.add(Linear{10});
  const Model model = std::move(builder).build();
  EXPECT_THAT(message_of([&] { with_widths(model, Widths{10}); }),
              HasSubstr("width 1 ('embedding') must be a multiple of 4, not 10"));
  EXPECT_EQ(with_widths(model, Widths{4}).layers()[1].output, sequence(8, 4));
}

TEST(Widths, OfASharedTableVaryTogether) {
  const Model model = language_ops();
  ASSERT_EQ(free_widths(model).size(), 2u);  // the width of the tokens, and of the layer between
  const Model narrow = with_widths(model, std::vector<std::int64_t>{4, 6});
  EXPECT_EQ(narrow.output().shares, 1);
  EXPECT_EQ(narrow.output().output, sequence(6, 20));
  EXPECT_EQ(count(narrow, 1).parameters, 20 * 4 + 16 * 4 + 5 * 4 + (4 * 6 + 6) + (6 * 4 + 4));
}

}  // namespace
}  // namespace ampere
