#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "method/registry.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Methods, AreFoundByName) {
  for (const MethodKind& kind : method_kinds()) EXPECT_EQ(&find_method(kind.name), &kind);
}

TEST(Methods, StandInTheOrderTheyAreCompared) {
  std::vector<std::string> names;
  for (const MethodKind& kind : method_kinds()) names.push_back(kind.name);
  EXPECT_THAT(names, ElementsAre("dual", "ampere", "flops", "flops+constant", "flops+layers",
                                 "params", "layers", "activations", "neuralpower"));
}

TEST(Methods, AWrongNameIsToldTheNearest) {
  try {
    find_method("flop");
    FAIL() << "there is no such method";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("'flops'"));
  }
}

TEST(Methods, WithoutEvidenceNoBaselineAnswers) {
  for (const MethodKind& kind : method_kinds()) {
    if (kind.evidence == Evidence::blocks) continue;
    try {
      make_estimator(kind.name, {});
      ADD_FAILURE() << kind.name << " knows nothing and answers";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unknown) << kind.name;
    }
  }
}

}  // namespace
}  // namespace ampere
