// Steps are read from the text of a program where they are spelled as usual, and otherwise as any
// JSON. Nobody must see a difference.
#include <gtest/gtest.h>

#include "program/number_rows.h"
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

TEST(StepsText, IsCutOutOfTheUsualSpelling) {
  const auto steps = cut_steps(tiny_json());
  ASSERT_TRUE(steps);
  ASSERT_EQ(steps->rows.size(), 2u);
  EXPECT_EQ(steps->rows[1], (std::array{1, 0, 1}));
  EXPECT_EQ(steps->rest.find(kUsual), std::string::npos);
  EXPECT_TRUE(cut_steps(with_steps(" [\n\t[0,0,1] ,\r\n [1,0,1]\n] ")));
}

TEST(StepsText, HasOneMeaningHoweverItIsSpelled) {
  for (const std::string steps : {"[[0,0,1],[1,0,1]]", "\n[ [0 , 0 , 1],\t[1,0,1] ]\n",
                                  "[[0,0,1],[1,0,1]], \"steps_note\": 1"})
    EXPECT_EQ(parse_program(with_steps(steps), "x"), tiny_program()) << steps;
  std::string named = tiny_json();
  named.replace(named.find("\"tiny\""), 6, "\"steps\"");
  EXPECT_EQ(parse_program(named, "x").steps, tiny_program().steps) << "another text of that name";
}

TEST(StepsText, IsNotReadWhereItIsNotJson) {
  for (const std::string steps :
       {"[[0,0,1],[1,0,1],]", "[[0,0,01]]", "[[0,0,1][1,0,1]]", "[[0,0,1],[1,0]]", "[]", "[[]]",
        "[[0,0,1.5]]", "[[0,0,-1]]", "[[0,0,99999999999]]", "[[0,0,1],[9,0,1]]", "[[0,0,1]",
        "[[0,0,\"1\"]]", "[[0,0,null]]", "-1", "null", "{}", "[[0,0,1,1]]"})
    EXPECT_EQ(code_of([&] { parse_program(with_steps(steps), "x"); }), ErrorCode::usage) << steps;
  const std::string nul("[[0,0,\0001]]", 11);
  EXPECT_EQ(code_of([&] { parse_program(with_steps(nul), "x"); }), ErrorCode::usage);
}

TEST(StepsText, MustBelongToTheProgramItself) {
  std::string text = with_steps("[[0,0,1]]");
  const std::string key = "\"steps\": [[0,0,1]]";
  ASSERT_NE(text.find(key), std::string::npos);
  text.replace(text.find(key), key.size(), "\"other\": {" + key + "}");
  EXPECT_EQ(code_of([&] { parse_program(text, "x"); }), ErrorCode::usage);
}

}  // namespace
}  // namespace ampere
