#include "base/command_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "../support/error_of.h"
#include "ampere/error.h"

namespace ampere {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing_support::error_of;

TEST(CommandWords, KnowsQuotesEscapesAndVariables) {
  setenv("OF_THIS_TEST", "a value", 1);
  EXPECT_THAT(command_words(R"(ssh  'my host' "$OF_THIS_TEST" a\ b '$OF_THIS_TEST;|&')", "it"),
              ElementsAre("ssh", "my host", "a value", "a b", "$OF_THIS_TEST;|&"));
}

TEST(CommandWords, RefusesWhatOnlyAShellCouldRun) {
  for (const char* command : {"a | b", "a; b", "a & b", "a > b", "a < b", "a $(b)", "a `b`"}) {
    const Error error = error_of([&] { command_words(command, "rig 'x'"); });
    EXPECT_EQ(error.code(), ErrorCode::usage) << command;
    EXPECT_THAT(error.what(), HasSubstr("rig 'x' is run without a shell")) << command;
    EXPECT_THAT(error.what(), HasSubstr("write sh -c '")) << command;
  }
}

// Found by a fuzzer: this one searched the whole file tree for minutes.
TEST(CommandWords, RefusesMoreThanAFewWildcards) {
  for (const char* command : {"/*/*/*/*/*", "a /?/[a]/*", "*/* */* *", "/*/*/\"'\"*",
                              "/*/*\"*/*/*/*/", "'/*/*/'*", "~x' /*/*/*", "/\\*/\\*/*"}) {
    const Error error = error_of([&] { command_words(command, "it"); });
    EXPECT_EQ(error.code(), ErrorCode::usage) << command;
    EXPECT_THAT(error.what(), HasSubstr("wildcards")) << command;
  }
  EXPECT_THAT(command_words("sh -c 'cat /*/*/*/*' \"/*/*/*\" /\\*/\\*/\\*", "it"),
              ElementsAre("sh", "-c", "cat /*/*/*/*", "/*/*/*", "/*/*/*"))
      << "quoted ones are no wildcards";
  EXPECT_THAT(command_words("cat /no/such*folder/a**b?c", "it"),
              ElementsAre("cat", "/no/such*folder/a**b?c"));
}

// The C library crashed on the first of these.
TEST(CommandWords, RefusesToCalculate) {
  for (const char* command :
       {"]$[]$[ )", "a $((1 + 1))", "a \"$[1]\"", "][]$'$[]!$[\t$[$[]", "~60'[]$((", "* '$((1))'"})
    EXPECT_THAT(error_of([&] { command_words(command, "it"); }).what(), HasSubstr("calculates"))
        << command;
  EXPECT_THAT(command_words("sh -c 'echo $((1 + 1))'", "it"),
              ElementsAre("sh", "-c", "echo $((1 + 1))"));
}

TEST(CommandWords, SaysWhatIsUnfinished) {
  EXPECT_THAT(error_of([] { command_words("a 'b", "it"); }).what(), HasSubstr("quote"));
  EXPECT_THAT(error_of([] { command_words("a $NO_SUCH_THING_AT_ALL", "it"); }).what(),
              HasSubstr("variable that is not set"));
  EXPECT_THAT(error_of([] { command_words("  ", "it"); }).what(), HasSubstr("no words"));
}

}  // namespace
}  // namespace ampere
