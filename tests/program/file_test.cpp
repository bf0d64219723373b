#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "base/gzip.h"
#include "base/text.h"
#include "program/programs.h"
#include "support/code_of.h"
#include "support/error_of.h"
#include "support/temp_folder.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing_support::code_of;
using testing_support::error_of;
using testing_support::TempFolder;
using testing_support::tiny_json;
using testing_support::tiny_program;

TEST(ProgramFile, IsReadAsItsPageSays) {
  const Program program = tiny_program();
  EXPECT_EQ(program.name, "tiny");
  EXPECT_EQ(program.origin, (ProgramOrigin{TraceWay::fake, "torch 2.11.0+cu130", "cuda"}));
  EXPECT_EQ(program.setup->batch, 8);
  EXPECT_EQ(program.samples, 8);
  EXPECT_EQ(program.parameters, 40);
  EXPECT_EQ(program.module_calls, 1);
  EXPECT_THAT(program.modules, ElementsAre("", "fc"));
  EXPECT_EQ(program.tensors.at(1), (TensorType{ElementType::fp32, {8, 9}, {9, 1}}));
  EXPECT_EQ(program.tensors.at(2), (TensorType{ElementType::fp32, {9, 4}, {1, 9}}));
  EXPECT_FALSE(program.operations.at(0).launches);
  EXPECT_TRUE(program.operations.at(1).launches);
  EXPECT_EQ(program.operations.at(1).arguments.at(2), Value{TensorIndex{2}});
  EXPECT_THAT(program.steps, ElementsAre(ProgramStep{0, ProgramPhase::forward, 1},
                                         ProgramStep{1, ProgramPhase::forward, 1}));
  EXPECT_EQ(program.storages.at(3), (Storage{128, 1, std::nullopt, StorageKind::activation}));
}

Program rich_program() {
  Program program = tiny_program();
  program.setup.reset();
  program.samples.reset();
  program.tensors.push_back({ElementType::bf16, {}, {}});
  program.tensors.push_back({ElementType::boolean, {0, 3}, {3, 1}});
  program.tensors.push_back({ElementType::complex64, {2, 3}, {0, 1}});
  Operation operation;
  operation.name = "mylib.mixed";
  operation.arguments = {{},
                         {true},
                         {std::int64_t{-7}},
                         {2.0},
                         {1e-300},
                         {std::string("bf16 \u2713 \"x\"")},
                         {ValueList{{ValueList{{TensorIndex{4}}}}, {std::int64_t{INT64_MAX}}}}};
  operation.keywords = {{"a", {false}}, {"b", {TensorIndex{6}}}};
  operation.waits = true;
  operation.tf32 = false;
  program.operations.push_back(operation);
  program.steps.push_back({2, ProgramPhase::update, 0});
  program.storages[0].freed = 3;
  program.seen = SeenTimes{"a GPU", 0.02, {1e-6, 0, 2.5e-3}};
  return program;
}

TEST(ProgramFile, EverythingComesBackAsItWas) {
  for (const Program& program : {tiny_program(), rich_program()})
    EXPECT_EQ(parse_program(to_json(program), "again"), program);
}

TEST(ProgramFile, IsPackedOnDiskAndReadPlainToo) {
  const TempFolder folder;
  const std::string path = folder / "x.program";
  save_program(path, rich_program());
  EXPECT_TRUE(is_gzip(read_text_file(path)));
  EXPECT_EQ(load_program(path), rich_program());
  std::ofstream(path) << tiny_json();
  EXPECT_EQ(load_program(path), tiny_program());
}

TEST(ProgramFile, ANumberThatIsNotFiniteIsAText) {
  Program program = tiny_program();
  program.operations[1].arguments.push_back({-std::numeric_limits<double>::infinity()});
  EXPECT_EQ(parse_program(to_json(program), "again").operations[1].arguments.back(),
            Value{std::string("-inf")});
}

TEST(ProgramFile, KeywordsAreSorted) {
  Json json = Json::parse(tiny_json());
  json["operations"][1]["keywords"] = {{"beta", 1}, {"alpha", 2}};
  const Program program = parse_program(json.dump(), "sorted");
  EXPECT_EQ(program.operations[1].keywords.at(0).first, "alpha");
}

TEST(ProgramFile, WhatATerminalWouldObeyIsReplaced) {
  Json json = Json::parse(tiny_json());
  json["modules"][1] = "\x1b[31mred";
  EXPECT_EQ(parse_program(json.dump(), "red").modules[1], "\uFFFD[31mred");
}

TEST(ProgramFile, UnknownKeysAreIgnored) {
  Json json = Json::parse(tiny_json());
  json["later"] = {{"more", 1}};
  json["operations"][0]["later"] = true;
  EXPECT_EQ(parse_program(json.dump(), "later"), tiny_program());
}

TEST(ProgramFile, AFileThatIsNotThereIsUnknown) {
  const TempFolder folder;
  EXPECT_EQ(error_of([&] { load_program(folder / "no.program"); }).code(), ErrorCode::unknown);
  EXPECT_EQ(code_of([&] { load_program(folder.path()); }), ErrorCode::usage);
  EXPECT_EQ(code_of([&] { save_program(folder / "no/x.program", tiny_program()); }),
            ErrorCode::usage);
}

}  // namespace
}  // namespace ampere
