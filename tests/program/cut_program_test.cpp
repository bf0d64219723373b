// Steps and operations are read from the text of a program where they are spelled as usual, and
// otherwise as any JSON. Nobody must see a difference.
#include "program/cut_program.h"

#include <gtest/gtest.h>

#include "base/gzip.h"
#include "base/read_file.h"
#include "program/programs.h"
#include "support/code_of.h"

namespace ampere {
namespace {

using testing_support::code_of;
using testing_support::tiny_json;
using testing_support::tiny_program;

const std::string kUsual = "[[0, 0, 1], [1, 0, 1]]";

std::string with_steps(const std::string& steps) {
  std::string text = tiny_json();
  return text.replace(text.find(kUsual), kUsual.size(), steps);
}

TEST(CutProgram, TakesStepsAndOperationsOutOfTheUsualSpelling) {
  const auto cut = cut_program(tiny_json());
  ASSERT_TRUE(cut);
  ASSERT_EQ(cut->steps.size(), 2u);
  EXPECT_EQ(cut->steps[1], (std::array{1, 0, 1}));
  EXPECT_EQ(cut->operations, tiny_program().operations);
  EXPECT_EQ(cut->rest.find(kUsual), std::string::npos);
  EXPECT_EQ(cut->rest.find("addmm"), std::string::npos);
  EXPECT_TRUE(cut_program(with_steps(" [\n\t[0,0,1] ,\r\n [1,0,1]\n] ")));
}

TEST(CutSteps, HasOneMeaningHoweverItIsSpelled) {
  for (const std::string steps : {"[[0,0,1],[1,0,1]]", "\n[ [0 , 0 , 1],\t[1,0,1] ]\n",
                                  "[[0,0,1],[1,0,1]], \"steps_note\": 1"})
    EXPECT_EQ(parse_program(with_steps(steps), "x"), tiny_program()) << steps;
  std::string named = tiny_json();
  named.replace(named.find("\"tiny\""), 6, "\"steps\"");
  EXPECT_EQ(parse_program(named, "x").steps, tiny_program().steps) << "another text of that name";
}

TEST(CutSteps, IsNotReadWhereItIsNotJson) {
  for (const std::string steps :
       {"[[0,0,1],[1,0,1],]", "[[0,0,01]]", "[[0,0,1][1,0,1]]", "[[0,0,1],[1,0]]", "[]", "[[]]",
        "[[0,0,1.5]]", "[[0,0,-1]]", "[[0,0,99999999999]]", "[[0,0,1],[9,0,1]]", "[[0,0,1]",
        "[[0,0,\"1\"]]", "[[0,0,null]]", "-1", "null", "{}", "[[0,0,1,1]]"})
    EXPECT_EQ(code_of([&] { parse_program(with_steps(steps), "x"); }), ErrorCode::usage) << steps;
  const std::string nul("[[0,0,\0001]]", 11);
  EXPECT_EQ(code_of([&] { parse_program(with_steps(nul), "x"); }), ErrorCode::usage);
}

TEST(CutSteps, MustBelongToTheProgramItself) {
  std::string text = with_steps("[[0,0,1]]");
  const std::string key = "\"steps\": [[0,0,1]]";
  ASSERT_NE(text.find(key), std::string::npos);
  text.replace(text.find(key), key.size(), "\"other\": {" + key + "}");
  EXPECT_EQ(code_of([&] { parse_program(text, "x"); }), ErrorCode::usage);
}

// What reading the text comes to: the program as text, or what is wrong with it.
std::string outcome(const std::string& text) try {
  return to_json(parse_program(text, "x"));
} catch (const Error& error) {
  return error.what();
}

// The same program, of which nothing can be cut out, because a key occurs twice.
std::string as_any_json(std::string text) {
  return text.insert(text.find('{') + 1, R"("note": {"steps": 0}, )");
}

// The tiny program with one more argument of its first operation, or something else in its place.
std::string with_argument(const std::string& argument) {
  std::string text = tiny_json();
  const std::string last = R"({"tensor": 2}], "results": [{"tensor": 2}])";
  const std::size_t at = text.find(last);
  return at == std::string::npos ? "" : text.insert(at + 13, ", " + argument);
}

TEST(CutOperations, MeanTheSameHoweverTheyAreRead) {
  for (const std::string argument : {"null",
                                     "true",
                                     "false",
                                     "0",
                                     "-1",
                                     "7",
                                     "9223372036854775807",
                                     "-9223372036854775808",
                                     "-9223372036854775809",
                                     "99999999999999999999999",
                                     "0.0",
                                     "-0.0",
                                     "1.5",
                                     "-2.5e-3",
                                     "1E5",
                                     "1e+5",
                                     "0.1",
                                     "1e-310",
                                     "123456789.123456789",
                                     "\"bf16\"",
                                     "\"\"",
                                     "\"a b/c:~\"",
                                     "[]",
                                     "[1, 2.0, null]",
                                     "[[[[1]]]]",
                                     "[ [ true ] , {\"tensor\" : 1} ]",
                                     "{\"tensor\": 0}",
                                     "-0",
                                     "\"\\u0062\"",
                                     "\"\xc3\xa9\""}) {
    const std::string text = with_argument(argument);
    ASSERT_NE(text, "");
    EXPECT_EQ(outcome(text), outcome(as_any_json(text))) << argument;
    EXPECT_NE(outcome(text).find("ampere-program"), std::string::npos) << outcome(text);
  }
}

TEST(CutOperations, AreRefusedAlikeHoweverTheyAreRead) {
  for (const std::string argument : {"01",
                                     "-01",
                                     "1.",
                                     ".5",
                                     "1.e5",
                                     "1e",
                                     "+1",
                                     "-",
                                     "inf",
                                     "nan",
                                     "NaN",
                                     "tru",
                                     "nulls",
                                     "1e999",
                                     "9223372036854775808",

                                     "\"",
                                     "\"a",
                                     "\"\\q\"",
                                     "\"\t\"",
                                     "[1,]",
                                     "[,1]",
                                     "[1",
                                     "1]",
                                     "[[[[[[1]]]]]]",
                                     "{}",
                                     "{\"tensor\": 4}",
                                     "{\"tensor\": -1}",
                                     "{\"tensor\": 1.0}",
                                     "{\"tensor\": \"1\"}",
                                     "{\"tensor\": 1, \"a\": 2}",
                                     "{\"tensor\": 99999999999}",
                                     "{\"tensors\": 1}",
                                     "{1: 2}",
                                     "'a'",
                                     "// x",
                                     "\x01",
                                     "\xff"}) {
    const std::string text = with_argument(argument);
    ASSERT_NE(text, "");
    EXPECT_EQ(outcome(text), outcome(as_any_json(text))) << argument;
    EXPECT_EQ(outcome(text).find("ampere-program"), std::string::npos) << argument;
  }
}

TEST(CutOperations, MayHaveTheirKeysInAnyOrderAndSomeTwice) {
  const std::string name = R"("name": "t", )";
  for (const std::string instead :
       {R"("waits": true, "name": "t", )", R"("name": "t", "keywords": {"b": 1, "a": [2.5]}, )",
        R"("name": "t", "keywords": {}, )", R"("name": "t", "keywords": {"a": 1, "a": 2}, )",
        R"("name": "s", "name": "t", )", R"("name": "t", "waits": null, )",
        R"("name": "t", "tf32": true, )", R"("name": "t", "tf32": false, )",
        R"("name": "t", "tf32": null, )", R"("name": "t", "tf32": "yes", )",
        R"("name": "t", "unknown": [1], )", R"("name": "t", "waits": 1, )", R"("name": "", )", "",
        R"("name": 1, )", R"("name": "t", "keywords": [], )", R"("name": "t" "waits": true, )"}) {
    std::string text = tiny_json();
    ASSERT_NE(text.find(name), std::string::npos);
    text.replace(text.find(name), name.size(), instead);
    EXPECT_EQ(outcome(text), outcome(as_any_json(text))) << instead;
  }
}

// What is done with a text that was cut must be decided by the text as a whole.
TEST(CutOperations, MustBelongToTheProgramItself) {
  std::string text = tiny_json();
  text.replace(text.find("\"operations\""), 12, "\"x\": {\"operations\"");
  text.replace(text.find("\"steps\""), 7, "\"y\": 0}, \"steps\"");
  EXPECT_EQ(code_of([&] { parse_program(text, "x"); }), ErrorCode::usage);
}

// Every program that the general profiles rest on.
TEST(CutOperations, OfRealProgramsAreCut) {
  const std::string corpus = gunzip(read_file(AMPERE_CORPUS, 1 << 30), "corpus", 1 << 30);
  int programs = 0;
  for (std::size_t begin = 0, end; (end = corpus.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    const std::string text = corpus.substr(begin, end - begin);
    if (text.find("ampere-program") == std::string::npos) continue;
    ASSERT_TRUE(cut_program(text)) << text.substr(0, 200);
    if (++programs % 10 == 0) {
      EXPECT_EQ(outcome(text), outcome(as_any_json(text)));
    }
  }
  EXPECT_GT(programs, 50);
}

}  // namespace
}  // namespace ampere
