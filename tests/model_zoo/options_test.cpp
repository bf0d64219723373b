// What may be asked of a zoo network, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "ampere/error.h"
#include "ampere/model.h"

namespace ampere {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Refusal {
  ErrorCode code;
  std::string message;
};

Refusal refusal(const std::string& name, const std::map<std::string, std::int64_t>& options) {
  try {
    make_zoo_model(name, options);
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  ADD_FAILURE() << name << " was accepted";
  return {ErrorCode::failed, ""};
}

TEST(ZooOptions, UnknownNetworkIsAnsweredWithTheNearest) {
  const Refusal refused = refusal("resnet81", {});
  EXPECT_EQ(refused.code, ErrorCode::unknown);
  EXPECT_THAT(refused.message, AllOf(HasSubstr("resnet81"), HasSubstr("did you mean 'resnet")));
}

TEST(ZooOptions, EmptyAndAbsurdNamesAreUnknown) {
  EXPECT_EQ(refusal("", {}).code, ErrorCode::unknown);
  EXPECT_EQ(refusal(std::string(100000, 'x'), {}).code, ErrorCode::unknown);
  EXPECT_EQ(refusal("LeNet5", {}).code, ErrorCode::unknown);
}

TEST(ZooOptions, UnknownKeyIsAnsweredWithTheNearest) {
  const Refusal refused = refusal("transformer", {{"layer", 2}});
  EXPECT_EQ(refused.code, ErrorCode::usage);
  EXPECT_THAT(refused.message, AllOf(HasSubstr("transformer"), HasSubstr("'layer'"),
                                     HasSubstr("did you mean 'layers'"), HasSubstr("vocabulary")));
}

TEST(ZooOptions, EveryOptionOfEveryNetworkRefusesZeroNegativeAndHuge) {
  for (const ZooEntry& entry : zoo()) {
    for (const ZooOption& option : entry.options) {
      for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1000000000},
                                       std::int64_t{1} << 62, INT64_MIN}) {
        const Refusal refused = refusal(entry.name, {{option.key, value}});
        EXPECT_EQ(refused.code, ErrorCode::usage);
        EXPECT_THAT(refused.message,
                    AllOf(HasSubstr(entry.name),
                          HasSubstr(option.key + "=" + std::to_string(value)), HasSubstr("1 to ")));
      }
    }
  }
}

TEST(ZooOptions, DefaultsAreWhatIsBuiltWhenNothingIsAsked) {
  for (const ZooEntry& entry : zoo()) {
    std::map<std::string, std::int64_t> defaults;
    for (const ZooOption& option : entry.options) defaults[option.key] = option.default_value;
    EXPECT_EQ(model_hash(make_zoo_model(entry.name, defaults)),
              model_hash(make_zoo_model(entry.name)))
        << entry.name;
  }
}

TEST(ZooOptions, EveryOptionChangesTheNetwork) {
  for (const ZooEntry& entry : zoo()) {
    const std::string original = model_hash(make_zoo_model(entry.name));
    for (const ZooOption& option : entry.options) {
      const Model changed = make_zoo_model(entry.name, {{option.key, 2 * option.default_value}});
      EXPECT_NE(model_hash(changed), original) << entry.name << " " << option.key;
    }
  }
}

TEST(ZooOptions, TooSmallAnImageIsRefusedNamingTheLayer) {
  const Refusal refused = refusal("alexnet", {{"size", 16}});
  EXPECT_EQ(refused.code, ErrorCode::usage);
  EXPECT_THAT(refused.message, HasSubstr("pool2"));
  EXPECT_THAT(refusal("vgg16", {{"size", 16}}).message, HasSubstr("pool5"));
  EXPECT_THAT(refusal("har", {{"length", 8}}).message, HasSubstr("conv1"));
}

TEST(ZooOptions, WidthThatHeadsCannotShareIsRefusedNamingTheLayer) {
  EXPECT_THAT(refusal("transformer", {{"d", 30}}).message, HasSubstr("encoder0.attention"));
  EXPECT_EQ(refusal("vit_tiny", {{"d", 100}}).code, ErrorCode::usage);
}

TEST(ZooOptions, PatchesMustTileTheImage) {
  const Refusal refused = refusal("vit_tiny", {{"size", 100}});
  EXPECT_EQ(refused.code, ErrorCode::usage);
  EXPECT_THAT(refused.message, AllOf(HasSubstr("size=100"), HasSubstr("patch=16")));
}

TEST(ZooOptions, SmallImagesGetTheStemWithoutDownsampling) {
  const auto first_extent = [](std::int64_t size) {
    return make_zoo_model("resnet18", {{"size", size}}).layers()[1].output.extent[0];
  };
  EXPECT_EQ(first_extent(32), 32);
  EXPECT_EQ(first_extent(64), 64);
  EXPECT_EQ(first_extent(65), 33);
}

TEST(ZooOptions, ClassesOfResnetFollowTheSizeUnlessGiven) {
  EXPECT_EQ(make_zoo_model("resnet18", {{"size", 64}}).output().output, flat(10));
  EXPECT_EQ(make_zoo_model("resnet18", {{"size", 96}}).output().output, flat(1000));
  EXPECT_EQ(make_zoo_model("resnet18", {{"size", 96}, {"classes", 10}}).output().output, flat(10));
}

TEST(ZooOptions, VggTakesCifarImages) {
  EXPECT_EQ(make_zoo_model("vgg11", {{"size", 32}, {"classes", 10}}).output().output, flat(10));
}

TEST(ZooOptions, NameSaysWhatWasAskedAndOpensItAgain) {
  EXPECT_EQ(make_zoo_model("cnn5").name(), "cnn5");
  const Model model = make_zoo_model("transformer", {{"layers", 2}, {"d", 128}});
  EXPECT_EQ(model.name(), "transformer:d=128,layers=2");
  EXPECT_EQ(model_hash(open_model(model.name())), model_hash(model));
}

}  // namespace
}  // namespace ampere
