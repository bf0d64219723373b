#include <gtest/gtest.h>

#include "ampere/error.h"
#include "ampere/train.h"
#include "record/record_json.h"

namespace ampere {
namespace {

TEST(Optimizer, ReadsItsOwnText) {
  for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::adam})
    EXPECT_EQ(parse_optimizer(to_string(optimizer)), optimizer);
}

TEST(Optimizer, RefusesOthersNamingThem) {
  try {
    parse_optimizer("adamw");
    FAIL() << "accepted adamw";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string(error.what()).find("adamw"), std::string::npos);
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

}  // namespace
}  // namespace ampere
