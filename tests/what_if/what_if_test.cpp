#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "../support/loose_module.h"
#include "../support/temp_folder.h"
#include "../widths/profiles.h"
#include "ampere/error.h"
#include "compare.h"

namespace ampere {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class WhatIfPage : public Page {};

std::string of_fits(const Model& model) {
  return make_ampere_estimator(curved_fits({model}))->what_if(model);
}

std::string of_dual(const std::string& spec) {
  return make_dual_estimator(dual_profile("server", spec, 10))->what_if(open_model(spec));
}

// Empty where there is an answer.
Texts reasons(const Texts& what_ifs, const Texts& widths) {
  Texts found;
  for (const Json& answer : ask(what_ifs, widths)) found.push_back(answer.value("reason", ""));
  return found;
}

std::string reason(const std::string& what_if, const std::string& widths) {
  return reasons({what_if}, {widths}).front();
}

TEST(WhatIf, WidthsAreThoseOfTheSpace) {
  const WidthSpace space = make_space(open_model("transformer"));
  const Json document = parse_json(of_fits(space.original), "what-if");
  ASSERT_EQ(document.at("widths").size(), space.widths.size());
  for (std::size_t i = 0; i < space.widths.size(); ++i) {
    const WidthRange& range = space.widths[i];
    EXPECT_EQ(document.at("widths")[i], (Json{{"name", range.name},
                                              {"least", range.least},
                                              {"most", range.most},
                                              {"step", range.step},
                                              {"original", range.most},
                                              {"held", nullptr}}));
  }
}

TEST(WhatIf, SaysWhoseItIs) {
  const ampere::Setup setup{.batch = 32, .optimizer = Optimizer::adam};
  const Model model = open_model("cnn5");
  const Json document =
      parse_json(make_ampere_estimator(curved_fits({model}), setup)->what_if(model), "what-if");
  EXPECT_EQ(document.at("method"), "ampere");
  EXPECT_EQ(document.at("network"), model.name());
  EXPECT_EQ(document.at("setup").at("batch"), 32);
  EXPECT_EQ(document.at("setup").at("optimizer"), "adam");
}

TEST(WhatIf, HoldsKindsOfItsNetworkAlone) {
  const Model model = open_model("cnn5");
  const Fits more = curved_fits({model, open_model("resnet18"), open_model("lstm")});
  EXPECT_EQ(make_ampere_estimator(more)->what_if(model), of_fits(model));
}

TEST(WhatIf, WhatTheProfileLacksIsNamed) {
  const Model other = open_model("lenet5");
  const auto expect_unknown = [&](const auto& make) {
    try {
      make();
      ADD_FAILURE() << "a what-if of unknown blocks";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unknown);
      EXPECT_THAT(error.what(), HasSubstr(parse_blocks(other)[0].kind->title));
    }
  };
  expect_unknown([&] { make_dual_estimator(dual_profile("server", "cnn5", 128))->what_if(other); });
  expect_unknown([&] { make_ampere_estimator(curved_fits({open_model("cnn5")}))->what_if(other); });
}

Model loose_module(const std::vector<std::int64_t>& hidden) {
  ModelBuilder builder("loose");
  testing_support::add_loose_module(builder);
  builder.add(Flatten{});
  for (const std::int64_t features : hidden) builder.add(Linear{features});
  builder.add(Linear{10});
  return std::move(builder).build();
}

SharedDualModel dual_profile_of(const Model& model) {
  const testing_support::TempFolder folder;
  std::ofstream(folder / "model.json") << to_json(model);
  return dual_profile("server", folder / "model.json", 10);
}

TEST_F(WhatIfPage, WidthsThatMayChangeAKindAreHeld) {
  const Model model = loose_module({24, 18});
  const std::string what_if = of_fits(model);
  const Json document = parse_json(what_if, "what-if");
  Json widths = Json::array();
  int held = 0, free = 0;
  for (const Json& width : document.at("widths")) {
    (width.at("held").is_null() ? free : held) += 1;
    EXPECT_EQ(width.at("least") == width.at("most"), !width.at("held").is_null());
    widths.push_back(width.at("original"));
  }
  EXPECT_EQ(held, 3);
  EXPECT_EQ(free, 2);
  expect_equal(model, what_if, *make_ampere_estimator(curved_fits({model})));
  const SharedDualModel dual = dual_profile_of(model);
  const auto estimator = make_dual_estimator(dual);
  expect_equal(model, estimator->what_if(model), *estimator);
  widths[0] = 1;
  EXPECT_THAT(reason(what_if, widths.dump()), HasSubstr(document.at("widths")[0].at("name")));
}

TEST(WhatIf, PartsOfConcatenationsMayVary) {
  for (const char* spec : {"squeezenet", "googlenet", "densenet121", "shufflenet_v2"}) {
    const Json widths = parse_json(of_fits(open_model(spec)), "what-if").at("widths");
    EXPECT_GT(widths.size(), 10u) << spec;
    for (const Json& width : widths)
      EXPECT_TRUE(width.at("held").is_null()) << spec << " " << width.at("name");
  }
}

TEST(WhatIf, WithoutAWidthThatMayVaryThereIsNone) {
  try {
    of_fits(loose_module({}));
    ADD_FAILURE() << "all widths of it touch the module";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("no width that can vary"));
  }
}

TEST_F(WhatIfPage, OutsideWhatWasProfiledIsSaid) {
  const Model model = open_model("cnn5");
  Fits fits = curved_fits({model});
  const Block block = parse_blocks(model)[1];
  fits.at(block.kind->key).low[0] = block.features[0] / 2;
  const std::string what_if = make_ampere_estimator(fits)->what_if(model);
  Json widths = Json::array(), narrow = Json::array();
  for (const WidthRange& range : make_space(model).widths) {
    widths.push_back(range.most);
    narrow.push_back(range.least);
  }
  const std::vector<Json> answers = ask({what_if}, {widths.dump(), narrow.dump()});
  EXPECT_EQ(answers[0].at("extrapolated"), false);
  EXPECT_EQ(answers[1].at("extrapolated"), true);
  expect_equal(model, what_if, *make_ampere_estimator(fits));
}

// Channels that are permuted cannot vary, so that the first block has nothing that does.
TEST_F(WhatIfPage, ABlockWithoutFeaturesIsAConstant) {
  ModelBuilder builder("permuted");
  builder.add(Input{image(3, 16, 16)});
  builder.add(Conv{8, {3, 3}, {1, 1}, {1, 1}, {1, 1}});
  builder.add(Permute{{1, 2, 0}});
  builder.add(Flatten{});
  builder.add(Linear{12});
  builder.add(Linear{10});
  const Model model = std::move(builder).build();
  ASSERT_THAT(parse_blocks(model)[0].features, IsEmpty());
  const Fits fits = curved_fits({model});
  const auto by_fits = make_ampere_estimator(fits);
  expect_equal(model, by_fits->what_if(model), *by_fits);
  const SharedDualModel dual = dual_profile_of(model);
  const auto estimator = make_dual_estimator(dual);
  expect_equal(model, estimator->what_if(model), *estimator);
}

TEST_F(WhatIfPage, WidthsThatCannotBeAreRefused) {
  const std::string what_if = of_dual("cnn5");
  const Json document = parse_json(what_if, "what-if");
  Json right = Json::array();
  for (const Json& width : document.at("widths")) right.push_back(width.at("original"));
  Texts texts;
  for (const Json& wrong :
       {Json(0), Json(-3), Json(right[1].get<int>() + 1), Json(2.5), Json(1e300)}) {
    Json widths = right;
    widths[1] = wrong;
    texts.push_back(widths.dump());
  }
  EXPECT_THAT(reason(what_if, right.dump()), IsEmpty());
  EXPECT_THAT(reasons({what_if}, texts), Each(HasSubstr(document.at("widths")[1].at("name"))));
  EXPECT_THAT(reasons({what_if}, {"[]", "[1]", "[1,2,3,4,5,6,7,8,9]", "{}", "3", "null", "", "[1,",
                                  "[\"8\",8,8,8]", "[null,8,8,8]", "[[8],8,8,8]"}),
              Each(Not(IsEmpty())));
}

TEST_F(WhatIfPage, HeadsMustDivideAWidth) {
  const std::string what_if = of_dual("transformer");
  const Json width = parse_json(what_if, "what-if").at("widths")[0];
  const int step = width.at("step");
  ASSERT_GT(step, 1);
  EXPECT_THAT(reason(what_if, Json{2 * step + 1}.dump()), HasSubstr("multiple"));
}

TEST_F(WhatIfPage, AReasonIsPassedOn) {
  EXPECT_EQ(reason(R"({"reason": "never profiled"})", "[1]"), "never profiled");
}

TEST_F(WhatIfPage, BrokenDocumentsGiveAReason) {
  const Json dual = parse_json(of_dual("cnn5"), "what-if");
  Texts broken{"", "null", "[]", "{}", "{\"widths\": [", "{\"method\": 3}"};
  const auto add = [&](const char* pointer, const Json& value) {
    Json document = dual;
    document.at(Json::json_pointer(pointer)) = value;
    broken.push_back(document.dump());
  };
  add("/method", "guessing");
  add("/blocks/0/kind", 99);
  add("/blocks/0/features/0", {1, 99, 1});
  add("/blocks/0/features/0", {1, 0});
  add("/kinds/0/work", nullptr);
  add("/kinds/0/work/flops", {1, 2});
  add("/kinds/0/map/timed", "AAAA");
  add("/kinds/0/map/smooth/x", "?");
  add("/kinds/0/map/steps/nodes", "AAAAAAAAAAA=");
  add("/laws/energy/inverse_lower", "AAAAAAAAAAA=");
  add("/laws/time/overlap", "much");
  EXPECT_THAT(reasons(broken, {"[8,8,8,8]"}), Each(Not(IsEmpty())));
}

// A comparison that could not fail would be none.
TEST_F(WhatIfPage, AnotherModelGivesOtherNumbers) {
  const Json dual = parse_json(of_dual("cnn5"), "what-if");
  Texts changed{dual.dump()};
  for (const char* number :
       {"/laws/energy/ready_w", "/laws/time/device_scale", "/laws/energy_inflation",
        "/laws/time_inflation", "/kinds/1/map/smooth/constant", "/kinds/1/map/device_error"}) {
    Json document = dual;
    Json& value = document.at(Json::json_pointer(number));
    value = value.get<double>() * 1.1 + 1e-6;
    changed.push_back(document.dump());
  }
  const std::vector<Json> answers = ask(changed, {"[13,9,21,10]"});
  ASSERT_TRUE(answers.front().contains("energy_j_per_iteration"));
  for (std::size_t i = 1; i < answers.size(); ++i) EXPECT_NE(answers[i], answers[0]) << i;
}

}  // namespace
}  // namespace ampere
