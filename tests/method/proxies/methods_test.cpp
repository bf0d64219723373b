#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "method/registry.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Methods, AreFoundByName) {
  for (const Phase phase : {Phase::iteration, Phase::inference})
    for (const Method* method : methods_for(phase))
      EXPECT_EQ(&find_method(method->name(), phase), method);
}

TEST(Methods, StandInTheOrderTheyAreCompared) {
  std::vector<std::string> names;
  for (const Method* method : methods_for(Phase::iteration)) names.push_back(method->name());
  EXPECT_THAT(names, ElementsAre("dual", "operations", "ampere", "flops", "flops+constant",
                                 "flops+layers", "params", "layers", "activations", "neuralpower"));
}

TEST(Methods, AWrongNameIsToldTheNearest) {
  try {
    find_method("flop", Phase::iteration);
    FAIL() << "there is no such method";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("'flops'"));
  }
}

TEST(Methods, OfInferenceAreNotThoseOfTraining) {
  EXPECT_EQ(find_method("kernels", Phase::inference).name(), "kernels");
  EXPECT_THROW(find_method("kernels", Phase::iteration), Error);
  EXPECT_THROW(find_method("dual", Phase::inference), Error);
}

TEST(Methods, WithoutEvidenceNoneAnswers) {
  const auto store = open_store("memory:");
  DeviceInfo device;
  device.name = "nothing";
  for (const Phase phase : {Phase::iteration, Phase::inference}) {
    store->open_profile(device, with_phase({}, phase), "test");
    const ProfileRow profile = store->profiles().front();
    EXPECT_TRUE(methods_of(*store, profile).empty());
    for (const Method* method : methods_for(phase)) {
      EXPECT_FALSE(method->answers(*store, profile)) << method->name();
      try {
        const Estimate estimate = method->load(*store, profile)->estimate(open_model("cnn5"), {});
        EXPECT_FALSE(estimate.energy_j) << method->name() << " knows nothing and answers";
        EXPECT_FALSE(estimate.uncovered.empty()) << method->name();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::unknown) << method->name();
      }
    }
  }
}

}  // namespace
}  // namespace ampere
