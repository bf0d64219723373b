// A program that is a call of a language model says so in its file.
#include <gmock/gmock.h>

#include "program/programs.h"
#include "support/error_of.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::error_of;
using testing_support::tiny_json_with;
using testing_support::tiny_program;

Program with_generation(const Json& json) {
  return parse_program(tiny_json_with("/generation", json), "tiny");
}

std::string refusal(const Json& json) {
  return error_of([&] { with_generation(json); }).what();
}

const Json kDecode{
    {"stage", "decode"}, {"batch", 8}, {"tokens", 1}, {"context", 512}, {"cache_bytes", 4096}};

Json decode_with(const char* key, const Json& value) {
  Json json = kDecode;
  json[key] = value;
  return json;
}

TEST(GenerationStep, IsReadAndWrittenWithItsProgram) {
  const Program program = with_generation(kDecode);
  EXPECT_EQ(program.generation,
            (GenerationStep{GenerationStage::decode, 8, 1, 512, std::int64_t{4096}}));
  EXPECT_EQ(parse_program(to_json(program), "again"), program);
  EXPECT_EQ(to_string(*program.generation), "decode, batch 8, context 512");
  const Program prefill =
      with_generation({{"stage", "prefill"}, {"batch", 2}, {"tokens", 7}, {"context", 0}});
  EXPECT_FALSE(prefill.generation->cache_bytes);
  EXPECT_EQ(to_string(*prefill.generation), "prefill, batch 2, prompt 7");
  EXPECT_EQ(parse_program(to_json(prefill), "again"), prefill);
}

TEST(GenerationStep, IsAbsentFromTrainingIterations) {
  EXPECT_FALSE(tiny_program().generation);
  EXPECT_EQ(to_json(tiny_program()).find("generation"), std::string::npos);
}

TEST(GenerationStep, NamesTheFieldThatIsWrong) {
  EXPECT_THAT(refusal(decode_with("stage", "sampling")),
              HasSubstr("generation.stage: is neither prefill nor decode"));
  EXPECT_THAT(refusal(decode_with("batch", 0)), HasSubstr("generation.batch"));
  EXPECT_THAT(refusal(decode_with("tokens", 2)), HasSubstr("generation.tokens: is not 1"));
  EXPECT_THAT(refusal(decode_with("context", 0)), HasSubstr("generation.context"));
  EXPECT_THAT(refusal(decode_with("context", "long")), HasSubstr("generation.context"));
  EXPECT_THAT(refusal(decode_with("cache_bytes", -1)), HasSubstr("generation.cache_bytes"));
  EXPECT_THAT(refusal(decode_with("stage", "prefill")),
              HasSubstr("generation.context: is not 0, as it is in a prefill"));
  EXPECT_THAT(refusal(Json(7)), HasSubstr("generation"));
}

}  // namespace
}  // namespace ampere
