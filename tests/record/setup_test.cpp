#include <gtest/gtest.h>

#include "ampere/error.h"
#include "ampere/train.h"
#include "record/record_json.h"

namespace ampere {
namespace {

TEST(Optimizer, ReadsItsOwnText) {
  for (const Optimizer optimizer :
       {Optimizer::sgd, Optimizer::plain_sgd, Optimizer::adam, Optimizer::adamw})
    EXPECT_EQ(parse_optimizer(to_string(optimizer)), optimizer);
}

TEST(Optimizer, RefusesOthersNamingThem) {
  try {
    parse_optimizer("adamv");
    FAIL() << "accepted adamv";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string(error.what()).find("adamv"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("plain-sgd"), std::string::npos);
  }
  EXPECT_THROW(parse_optimizer(""), Error);
  EXPECT_THROW(parse_optimizer("SGD"), Error);
}

TEST(Setup, TellsWhatIsFixed) {
  EXPECT_EQ(to_string(ampere::Setup{}), "batch 10, sgd, fp32");
  EXPECT_EQ(to_string(ampere::Setup{1, Optimizer::adam, "bf16"}), "batch 1, adam, bf16");
}

TEST(Setup, APhaseAloneIsAnotherSetup) {
  ampere::Setup forward;
  forward.phase = Phase::forward;
  EXPECT_EQ(to_string(forward), "batch 10, sgd, fp32, forward alone");
  EXPECT_NE(forward, ampere::Setup{});
  EXPECT_EQ(to_string(ampere::Setup{.batch = 1, .phase = Phase::inference}),
            "batch 1, fp32, inference");
  for (const Phase phase : {Phase::iteration, Phase::forward, Phase::backward, Phase::update,
                            Phase::block, Phase::inference}) {
    ampere::Setup setup;
    setup.phase = phase;
    const Json json = setup_json(setup);
    EXPECT_EQ(json.contains("phase"), phase != Phase::iteration);
    EXPECT_EQ(read_setup(JsonField(json, "setup: ")), setup);
  }
  EXPECT_THROW(parse_phase("loss"), Error);
}

ampere::Setup with_every_option() {
  ampere::Setup setup{.batch = 8, .optimizer = Optimizer::adamw, .precision = "bf16"};
  setup.options = {.weight_decay = 0.1,
                   .fused = true,
                   .plain_attention = true,
                   .compiled = true,
                   .channels_last = true,
                   .accumulation = 4};
  return setup;
}

TEST(Setup, EveryOptionIsPartOfIt) {
  const ampere::Setup setup = with_every_option();
  EXPECT_EQ(to_string(setup),
            "batch 8, adamw, bf16, weight decay 0.1, fused optimizer, plain attention, compiled, "
            "channels last, 4 micro-batches");
  const Json json = setup_json(setup);
  EXPECT_EQ(read_setup(JsonField(json, "setup: ")), setup);
  for (const char* key :
       {"weight_decay", "fused", "attention", "compile", "channels_last", "accumulation"}) {
    Json less = json;
    less.erase(key);
    EXPECT_NE(read_setup(JsonField(less, "setup: ")), setup) << key;
  }
}

TEST(Setup, DefaultsAreNotWritten) {
  EXPECT_EQ(setup_json({}).dump(), R"({"batch":10,"optimizer":"sgd","precision":"fp32"})");
}

TEST(Setup, RefusesMalformedOptions) {
  for (const char* text : {R"({"attention": "flash"})", R"({"accumulation": 0})",
                           R"({"weight_decay": -1})", R"({"compile": "yes"})"}) {
    Json json = setup_json({});
    json.update(Json::parse(text));
    EXPECT_THROW(read_setup(JsonField(json, "setup: ")), Error) << text;
  }
}

TEST(SetupRange, NamesWhatIsMissingAndWhatThereIs) {
  const SetupRange usual;
  EXPECT_EQ(missing_from(usual, {}), "");
  EXPECT_EQ(missing_from(usual, {.precision = "bf16"}), "train in bf16 (there is fp32)");
  EXPECT_EQ(missing_from(usual, {.optimizer = Optimizer::adamw}),
            "train with adamw (there are sgd, adam)");
  ampere::Setup compiled;
  compiled.options.compiled = true;
  EXPECT_EQ(missing_from(usual, compiled), "train with the option 'compiled' (it has none)");
  EXPECT_EQ(missing_from(every_setup(), with_every_option()), "");
  EXPECT_EQ(missing_from(usual, {.optimizer = Optimizer::adamw, .phase = Phase::inference}), "")
      << "inference has no optimizer";
}

}  // namespace
}  // namespace ampere
