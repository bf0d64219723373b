// The method "operations": networks, and programs from elsewhere, from one general profile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ampere/error.h"
#include "ampere/model.h"
#include "base/json.h"
#include "method/operations/number_formats.h"
#include "method/operations/operations_method.h"
#include "method/operations/simulated.h"
#include "method/operations/simulated_profile.h"
#include "program/tf32.h"
#include "setup/general_setup.h"

namespace ampere {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class OperationsMethod : public testing::Test {
 protected:
  static void SetUpTestSuite() { general = new GeneralProfile(simulated_general_profile()); }
  static void TearDownTestSuite() { delete general; }

  OperationsMethod() {
    row.device = general->device;
    row.setup = setup_;
    row.id = store->open_profile(general->device, general_setup(), "test");
    store->put_document(row.id, {kGeneralDocument, to_json(*general)});
  }

  Estimate estimate(const std::string& model, const ampere::Setup& setup) {
    row.setup = setup;
    return method->load(*store, row)->estimate(open_model(model), {});
  }

  static ampere::Setup of_batch(std::int64_t batch) {
    ampere::Setup setup;
    setup.batch = batch;
    return setup;
  }

  static inline GeneralProfile* general = nullptr;
  ampere::Setup setup_ = of_batch(64);
  std::unique_ptr<Store> store = open_store("memory:");
  std::unique_ptr<Method> method = make_operations_method();
  ProfileRow row;
};

TEST_F(OperationsMethod, AnswersForAnyNetworkBatchAndFormat) {
  EXPECT_TRUE(method->answers(*store, row));
  const Estimate small = estimate("resnet18", of_batch(8)),
                 large = estimate("resnet18", of_batch(64));
  EXPECT_THAT(small.uncovered, IsEmpty());
  EXPECT_GT(large.energy_j->mean, small.energy_j->mean);
  ampere::Setup half = of_batch(64);
  half.precision = "bf16";
  half.optimizer = Optimizer::adamw;
  EXPECT_LT(estimate("resnet18", half).energy_j->mean, large.energy_j->mean);
  ASSERT_TRUE(large.iteration);
  EXPECT_GT(large.iteration->host_s, 0);
  EXPECT_GT(large.iteration->peak_bytes.value_or(0), 0);
  EXPECT_GT(large.iteration->modules.size(), 10u);
}

TEST_F(OperationsMethod, SaysWhyANetworkIsNotCoveredAndGivesNoNumber) {
  ampere::Setup compiled = of_batch(64);
  compiled.options.compiled = true;
  ampere::Setup turned = of_batch(64);
  turned.options.channels_last = true;
  for (const ampere::Setup& setup : {compiled, turned}) {
    const Estimate nothing = estimate("lenet5", setup);
    EXPECT_FALSE(nothing.energy_j);
    ASSERT_EQ(nothing.uncovered.size(), 1u);
    EXPECT_EQ(nothing.uncovered[0].layer, "lenet5");
    EXPECT_THAT(nothing.uncovered[0].reason, HasSubstr("cannot be lowered"));
  }
}

TEST_F(OperationsMethod, DoesNotAnswerFromOtherProfiles) {
  const auto other = store->open_profile(general->device, of_batch(10), "test");
  row.id = other;
  EXPECT_FALSE(method->answers(*store, row));
  EXPECT_THROW(load_general_profile(*store, row), Error);
  EXPECT_FALSE(method->serves(Phase::inference));
}

TEST_F(OperationsMethod, WidensTheIntervalOfProgramsFromElsewhere) {
  Program program = lower(open_model("cnn5"), of_batch(64));
  const auto estimate = [&](const std::string& framework, const std::string& device) {
    program.origin = {TraceWay::fake, framework, device};
    return estimate_of_program(program, *general, {}, {});
  };
  const auto width = [](const Estimate& of) {
    return std::log(of.energy_j->high / of.energy_j->low);
  };
  const Estimate same = estimate("torch 2.11.1", "cuda");
  EXPECT_THAT(same.warnings, IsEmpty()) << "a patch does not matter";
  const Estimate older = estimate("torch 2.8.0", "cuda");
  EXPECT_THAT(older.warnings, ElementsAre(HasSubstr("traced with torch 2.8.0")));
  EXPECT_NEAR(width(older), 1.5 * width(same), 1e-9);
  EXPECT_DOUBLE_EQ(older.energy_j->mean, same.energy_j->mean);
  const Estimate of_cpu = estimate("torch 2.8.0", "cpu");
  EXPECT_THAT(of_cpu.warnings, ElementsAre(HasSubstr("torch 2.8.0"), HasSubstr("kind cpu")));
  EXPECT_NEAR(width(of_cpu), 2.25 * width(same), 1e-9);
  EXPECT_THAT(estimate("", "").warnings, IsEmpty()) << "nothing is said of where it was traced";
}

TEST_F(OperationsMethod, WidensTheIntervalOfTrainingInFp16) {
  ampere::Setup setup = of_batch(64);
  setup.precision = "fp16";
  const Estimate half = estimate("cnn5", setup);
  EXPECT_THAT(half.warnings, ElementsAre(HasSubstr("in fp16 were not timed")));
  const auto width = [](const Interval& of) { return std::log(of.high / of.low); };
  const ProgramEstimate plain =
      estimate_program(lower(open_model("cnn5"), setup), general->fitted, {});
  EXPECT_NEAR(width(*half.energy_j), 1.5 * width(plain.energy_j), 1e-9);
  EXPECT_NEAR(width(*half.time_s), 1.5 * width(plain.time_s), 1e-9);
  EXPECT_DOUBLE_EQ(half.energy_j->mean, plain.energy_j.mean);
  setup.precision = "bf16";
  EXPECT_THAT(estimate("cnn5", setup).warnings, IsEmpty());
}

// Text that is generated: no profile has measured that.
TEST_F(OperationsMethod, WidensTheIntervalOfWhatGeneratesText) {
  const auto estimate = [&](const std::string& precision, bool generates) {
    ampere::Setup setup = of_batch(64);
    setup.precision = precision;
    Program program = lower(open_model("cnn5"), setup);
    if (generates) program.generation = GenerationStep{GenerationStage::decode, 64, 1, 9};
    return estimate_of_program(program, *general, {}, {});
  };
  const auto width = [](const Estimate& of) {
    return std::log(of.energy_j->high / of.energy_j->low);
  };
  const Estimate training = estimate("fp32", false), decode = estimate("fp32", true);
  EXPECT_THAT(decode.warnings, ElementsAre(HasSubstr("rests on training iterations")));
  EXPECT_NEAR(width(decode), 1.5 * width(training), 1e-9);
  EXPECT_DOUBLE_EQ(decode.energy_j->mean, training.energy_j->mean);
  EXPECT_THAT(estimate("bf16", true).warnings.size(), 1u);
}

// A single product of fp32 numbers in TF32.
Program product_in_tf32() {
  ProgramBuilder builder("model");
  const Value a = builder.tensor(ElementType::fp32, {8, 64}),
              b = builder.tensor(ElementType::fp32, {64, 32});
  builder.call("mm", {a, b}, {builder.tensor(ElementType::fp32, {8, 32})});
  allow_tf32(builder.program);
  return builder.program;
}

// The simulated device has timed none.
TEST_F(OperationsMethod, RefusesProductsInTf32ThatWereNeverTimed) {
  try {
    estimate_of_program(product_in_tf32(), *general, {}, {});
    ADD_FAILURE() << "TF32 was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown);
    EXPECT_THAT(error.what(),
                HasSubstr("model: multiplies matrices in TF32, and products in TF32"));
  }
  GeneralProfile of_cpu = *general;
  of_cpu.is_gpu = false;
  EXPECT_GT(estimate_of_program(product_in_tf32(), of_cpu, {}, {}).energy_j->mean, 0)
      << "the setting means nothing to a CPU";
  Program full = lower(open_model("cnn5"), of_batch(64)), told = full;
  for (Operation& operation : told.operations)
    if (operation.name.starts_with("convolution")) operation.tf32 = false;
  const auto joules = [&](const Program& program, const GeneralProfile& profile) {
    return estimate_of_program(program, profile, {}, {}).energy_j->mean;
  };
  EXPECT_EQ(joules(told, of_cpu), joules(full, of_cpu)) << "nor that it is off";
  EXPECT_NE(joules(told, *general), joules(full, *general));
  ampere::Setup tf32 = of_batch(64);
  tf32.precision = "tf32";
  const Estimate nothing = estimate("lenet5", tf32);
  EXPECT_FALSE(nothing.energy_j);
  ASSERT_EQ(nothing.uncovered.size(), 1u);
  EXPECT_THAT(nothing.uncovered[0].reason, HasSubstr("in TF32 were not timed"));
}

// A single product in the format, as a program of a decode.
Program product_in(ElementType format) {
  ProgramBuilder builder("model");
  const Value a = builder.tensor(format, {8, 64}), b = builder.tensor(format, {64, 32});
  builder.call("mm", {a, b}, {builder.tensor(format, {8, 32})});
  builder.program.generation = GenerationStep{GenerationStage::decode, 8, 1, 9};
  return builder.program;
}

TEST_F(OperationsMethod, RefusesToGenerateInAFormatThatWasNeverTimed) {
  const auto estimate = [&](ElementType format) {
    return estimate_of_program(product_in(format), *general, {}, {});
  };
  EXPECT_GT(estimate(ElementType::bf16).energy_j->mean, 0);
  EXPECT_THAT(estimate(ElementType::fp16).warnings, testing::Contains(HasSubstr("fp16")));
  for (const ElementType format : {ElementType::fp64, ElementType::fp8}) try {
      estimate(format);
      ADD_FAILURE() << to_string(format);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unknown);
      EXPECT_THAT(error.what(),
                  HasSubstr(std::string("model: multiplies numbers in ") + to_string(format)));
    }
  EXPECT_THAT(product_formats(product_in(ElementType::bf16)), ElementsAre(ElementType::bf16));
}

TEST(NumberFormats, AProfileOfOneFormatRefusesTheOther) {
  std::vector<FamilyProgram> only_fp32;
  for (FamilyProgram& each : usual_programs())
    if (product_formats(each.program) == std::vector{ElementType::fp32})
      only_fp32.push_back(std::move(each));
  const GeneralProfile profile = simulated_general_profile(only_fp32);
  EXPECT_NO_THROW(require_product_formats(product_in(ElementType::fp32), profile));
  try {
    require_product_formats(product_in(ElementType::bf16), profile);
    ADD_FAILURE() << "bf16 was accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("no product in this format was timed on"));
  }
}

TEST_F(OperationsMethod, TheHeadAloneIsTheSame) {
  const std::string text = to_json(*general);
  const GeneralHead head = parse_general_head(text, "p");
  EXPECT_EQ(head.device.fingerprint, general->device.fingerprint);
  EXPECT_EQ(head.operations, general->operations);
  EXPECT_EQ(head.windows, general->windows);
  EXPECT_EQ(head.taken_at, general->taken_at);
  EXPECT_NO_THROW(parse_general_head(text.substr(0, text.size() / 2), "p"))
      << "its end is not read";
  EXPECT_THROW(parse_general_head(text.substr(0, 100), "p"), Error);
  EXPECT_THROW(parse_general_head("", "p"), Error);
  EXPECT_THROW(parse_general_head("[1, 2]", "p"), Error);
}

// What a broken profile is refused for: with the file and the field, and never with a crash.
struct Damage {
  std::vector<std::string> path;
  Json value;  // null: the field is taken away
};

std::string damaged(const std::string& text, const Damage& damage) {
  Json whole = Json::parse(text);
  Json* place = &whole;
  for (std::size_t i = 0; i + 1 < damage.path.size(); ++i) place = &place->at(damage.path[i]);
  if (damage.value.is_null())
    place->erase(damage.path.back());
  else
    (*place)[damage.path.back()] = damage.value;
  return whole.dump();
}

TEST_F(OperationsMethod, NamesTheFieldOfAProfileThatIsBroken) {
  const std::string text = to_json(*general);
  const Json whole = Json::parse(text);
  std::vector<Damage> damages{{{"format"}, "something"},   {{"version"}, 99},
                              {{"kind"}, "tpu"},           {{"operations"}, -1},
                              {{"windows"}, "many"},       {{"taken_at"}, 5},
                              {{"device"}, Json::array()}, {{"device", "name"}, nullptr}};
  for (const auto& [key, value] : whole.items()) damages.push_back({{key}, nullptr});
  for (const char* half : {"map", "laws"})
    for (const auto& [key, value] : whole.at(half).items()) {
      const bool has_none = key == "energy_rows";  // of profiles that are older
      if (key != "cross_validated" && !has_none) damages.push_back({{half, key}, nullptr});
      damages.push_back({{half, key}, "a text that is none"});
      damages.push_back({{half, key}, -1.5});
      if (!has_none) damages.push_back({{half, key}, Json::array()});
      if (!value.is_object()) continue;
      for (const auto& [inner, content] : value.items()) {
        damages.push_back({{half, key, inner}, "a text that is none"});
        damages.push_back({{half, key, inner}, Json::array({1})});
      }
    }
  const Json known = whole.at("laws").at("energy_rows").at(0);
  for (const auto& [key, value] : known.items()) {
    Json broken = known;
    broken[key] = key == "elsewhere" ? Json(1) : Json(value.is_string() ? Json(2) : Json(-1));
    damages.push_back({{"laws", "energy_rows"}, Json::array({known, broken})});
  }
  int accepted = 0;
  for (const Damage& damage : damages) try {
      parse_general_profile(damaged(text, damage), "bad.json");
      ++accepted;
      ADD_FAILURE() << "accepted without " << testing::PrintToString(damage.path) << " "
                    << damage.value.dump();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_THAT(error.what(), testing::StartsWith("bad.json: "));
    }
  EXPECT_EQ(accepted, 0);
}

}  // namespace
}  // namespace ampere
