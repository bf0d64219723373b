#include <gmock/gmock.h>

#include <filesystem>
#include <random>

#include "base/gzip.h"
#include "base/text.h"
#include "program/programs.h"
#include "support/error_of.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing_support::error_of;
using testing_support::tiny_json;
using testing_support::tiny_json_with;

std::string complaint(const std::string& text) {
  const Error error = error_of([&] { parse_program(text, "x.program"); });
  EXPECT_EQ(error.code(), ErrorCode::usage);
  return error.what();
}

std::string complaint(const std::string& pointer, const Json& value) {
  return complaint(tiny_json_with(pointer, value));
}

TEST(HostileProgram, AnIndexThatPointsNowhereIsNamed) {
  EXPECT_EQ(complaint("/operations/1/arguments/2/tensor", 99),
            "x.program: operations[1].arguments[2]: tensor 99 does not exist (there are 4)");
  EXPECT_EQ(complaint("/operations/1/results/0/tensor", -1),
            "x.program: operations[1].results[0]: tensor -1 does not exist (there are 4)");
  EXPECT_EQ(complaint("/steps/1/0", 2),
            "x.program: steps[1]: operation 2 does not exist (there are 2)");
  EXPECT_EQ(complaint("/steps/1/1", 4),
            "x.program: steps[1]: phase 4 does not exist (there are 4)");
  EXPECT_EQ(complaint("/steps/1/2", 1e3), "x.program: steps[1]: must be a whole number");
  EXPECT_EQ(complaint("/storages/3/1", 2),
            "x.program: storages[3][1]: step 2 does not exist (there are 2)");
  EXPECT_THAT(complaint("/storages/3/2", 1),
              StartsWith("x.program: storages[3][2]: must be after"));
  EXPECT_THAT(complaint("/storages/3/3", 5), HasSubstr("kind 5 does not exist"));
  EXPECT_THAT(complaint("/steps/0/0", std::uint64_t{1} << 63), HasSubstr("is too large"));
}

TEST(HostileProgram, TimesThatAreNoneAreRefused) {
  const Json seen{{"device", "a GPU"}, {"host_s", 0.1}, {"operations_s", {1e-3, 2e-3}}};
  const auto with = [&](const char* key, const Json& value) {
    Json changed = seen;
    changed[key] = value;
    return complaint("/seen", changed);
  };
  EXPECT_EQ(parse_program(tiny_json_with("/seen", seen), "x.program").seen->host_s, 0.1);
  EXPECT_EQ(with("device", 1), "x.program: seen.device: must be text");
  EXPECT_EQ(with("host_s", -1), "x.program: seen.host_s: must be seconds, and not negative");
  EXPECT_EQ(with("host_s", nullptr), "x.program: seen.host_s: must be seconds, and not negative");
  EXPECT_EQ(with("operations_s", {1e-3}),
            "x.program: seen.operations_s: has 1 times, and there are 2 operations");
  EXPECT_EQ(with("operations_s", {1e-3, "2"}),
            "x.program: seen.operations_s[1]: must be seconds, and not negative");
}

TEST(HostileProgram, SizesThatOverflowAreRefused) {
  const std::int64_t huge = std::int64_t{1} << 40;
  EXPECT_EQ(complaint("/tensors/0", {"fp32", {huge, huge}}),
            "x.program: tensors[0]: has more bytes than 63 bits can count");
  EXPECT_EQ(complaint("/tensors/0", {"fp32", {0, huge, huge}}),
            "x.program: tensors[0]: has more bytes than 63 bits can count");
  EXPECT_EQ(complaint("/tensors/0", {"fp32", {INT64_MAX, INT64_MAX, INT64_MAX}}),
            "x.program: tensors[0]: has more bytes than 63 bits can count");
  EXPECT_EQ(complaint("/tensors/0", {"fp32", {2, 2}, {INT64_MAX, INT64_MAX}}),
            "x.program: tensors[0]: spans more bytes than 63 bits can count");
  EXPECT_EQ(complaint("/tensors/0", {"fp32", {-2}}),
            "x.program: tensors[0][1][0]: must not be negative");
  EXPECT_EQ(complaint("/tensors/0", {"fp32", {2}, {-1}}),
            "x.program: tensors[0][2][0]: must not be negative");
  EXPECT_EQ(complaint("/tensors/0", {"fp32", {2}, {1, 1}}),
            "x.program: tensors[0]: must have as many strides as sizes");
  EXPECT_EQ(complaint("/tensors/0", {"fp32", std::vector<int>(17, 1)}),
            "x.program: tensors[0][1]: has more than 16 axes");
  EXPECT_EQ(complaint("/storages", {{INT64_MAX, -1, nullptr, 0}, {1, -1, nullptr, 0}}),
            "x.program: storages: has more bytes than 63 bits can count");
}

TEST(HostileProgram, AnotherTypeIsNamedForEachField) {
  for (const char* field : {"/format",
                            "/version",
                            "/name",
                            "/origin",
                            "/origin/way",
                            "/origin/framework",
                            "/origin/device",
                            "/setup",
                            "/setup/batch",
                            "/samples",
                            "/parameters",
                            "/module_calls",
                            "/modules",
                            "/modules/1",
                            "/tensors",
                            "/tensors/0",
                            "/tensors/0/0",
                            "/tensors/0/1",
                            "/tensors/0/1/0",
                            "/tensors/2/2",
                            "/operations",
                            "/operations/0",
                            "/operations/0/name",
                            "/operations/0/arguments",
                            "/operations/0/results",
                            "/operations/0/keywords",
                            "/operations/0/launches",
                            "/operations/0/waits",
                            "/steps",
                            "/steps/0",
                            "/steps/0/0",
                            "/storages",
                            "/storages/0",
                            "/storages/0/0",
                            "/storages/0/1",
                            "/storages/0/2",
                            "/storages/0/3"})
    EXPECT_THAT(complaint(field, Json::array({Json::object({{"wrong", 0.5}})})),
                StartsWith("x.program: "))
        << field;
}

TEST(HostileProgram, WhatIsMissingIsNamed) {
  const Json removed(Json::value_t::discarded);
  for (const char* field : {"/format", "/version", "/origin", "/origin/way", "/tensors",
                            "/operations", "/operations/0/name", "/steps"})
    EXPECT_THAT(complaint(field, removed), StartsWith("x.program: ")) << field;
  EXPECT_NO_THROW(parse_program(tiny_json_with("/storages", removed), "x"));
  EXPECT_NO_THROW(parse_program(tiny_json_with("/setup", removed), "x"));
}

TEST(HostileProgram, AProgramWithoutStepsIsRefused) {
  EXPECT_EQ(complaint("/steps", Json::array()),
            "x.program: steps: is empty: an iteration has at least one step");
}

TEST(HostileProgram, AnotherVersionSaysWhatToDo) {
  EXPECT_EQ(complaint("/version", 2),
            "x.program: version: is not 1, the version that is read; trace the program again");
  EXPECT_EQ(complaint("{}"),
            "x.program: is not a program: its \"format\" is not \"ampere-program\"");
}

TEST(HostileProgram, AnOperationWithOtherArgumentsIsNamed) {
  EXPECT_EQ(complaint("/operations/1/arguments", {1, 2, 3}),
            "x.program: operations[1]: addmm: argument 1 must be a tensor");
}

TEST(HostileProgram, DeepNestingIsRefused) {
  Json deep = Json::array();
  for (int i = 0; i < 5; ++i) deep = Json::array({deep});
  EXPECT_THAT(complaint("/operations/0/arguments/0", deep),
              HasSubstr("has lists inside lists, deeper than 4"));
  EXPECT_EQ(complaint(std::string(10'000'000, '[')),
            "x.program: is nested deeper than 16 brackets");
}

TEST(HostileProgram, MoreStepsThanAreReadAreRefused) {
  Json steps = Json::array();
  for (int i = 0; i < 1'000'001; ++i) steps.push_back(0);
  EXPECT_EQ(complaint("/steps", steps),
            "x.program: steps: has 1000001 steps; at most 1000000 are read");
}

TEST(HostileProgram, WhatIsNoJsonIsRefused) {
  EXPECT_EQ(complaint(""), "x.program: is empty, not a program");
  EXPECT_THAT(complaint("hello"), StartsWith("x.program: not valid JSON"));
  EXPECT_THAT(complaint("[]"), HasSubstr("is not a program"));
}

TEST(HostileProgram, APackedFileThatWasCutOffIsRefused) {
  const std::string packed = gzip(tiny_json());
  EXPECT_NO_THROW(parse_program(packed, "x"));
  EXPECT_EQ(complaint(packed.substr(0, packed.size() / 2)),
            "x.program: cannot be unpacked: it was cut off");
  EXPECT_EQ(complaint(packed.substr(0, packed.size() - 1)),
            "x.program: cannot be unpacked: it was cut off");
  EXPECT_THAT(complaint(packed + "garbage"), StartsWith("x.program: cannot be unpacked"));
  EXPECT_THAT(complaint(gzip("")), StartsWith("x.program: is empty"));
}

TEST(HostileProgram, ABombIsStoppedByTheLimit) {
  const std::string bomb = gzip(std::string(std::size_t{65} << 20, ' '));
  EXPECT_LT(bomb.size(), 100'000u);
  EXPECT_EQ(complaint(bomb),
            "x.program: is larger than 64 MiB when it is unpacked, the most that is read");
  EXPECT_EQ(complaint(gzip("[" + std::string(std::size_t{40} << 20, ','))),
            "x.program: has more than 16000000 values, the most that are read");
}

// Read, and then everything that is done with a program.
bool survives(const std::string& bytes) {
  try {
    const Program program = parse_program(bytes, "fuzzed");
    peak_memory(program);
    program_hash(program);
    for (const Operation& operation : program.operations) count(operation, program.tensors);
    return parse_program(to_json(program), "again") == program;
  } catch (const Error&) {
    return true;
  }
}

TEST(HostileProgram, TheFuzzersSeedsAndTheirMutationsAreSurvived) {
  std::vector<std::string> seeds{tiny_json()};
  for (const auto& entry : std::filesystem::directory_iterator(AMPERE_FUZZ_CORPUS))
    seeds.push_back(read_text_file(entry.path().string()));
  ASSERT_GT(seeds.size(), 1u);
  std::ranges::sort(seeds);
  std::mt19937 random(11);
  for (const std::string& seed : seeds) {
    EXPECT_TRUE(survives(seed));
    for (int i = 0; i < 300; ++i) {
      std::string bytes = seed;
      for (int change = 0; change < 2; ++change)
        bytes[random() % bytes.size()] =
            static_cast<char>(i % 2 == 0 ? '0' + random() % 10 : random());
      EXPECT_TRUE(survives(bytes));
    }
  }
}

}  // namespace
}  // namespace ampere
