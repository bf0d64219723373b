#include "report/script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "report/report.h"

namespace ampere {
namespace {

using testing::HasSubstr;

std::string complaint(const std::string& script, const std::string& argument = "") {
  try {
    return "gave " + call_script(script, "a.f", argument);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    return error.what();
  }
}

TEST(Script, CallsAFunctionOfAnObjectWithAText) {
  EXPECT_EQ(call_script("var a = {n: 2, f(t) { return t + t.length * this.n; }};", "a.f", "abc"),
            "abc6");
  EXPECT_EQ(call_script("function f(t) { return JSON.stringify(JSON.parse(t)); }", "f", "[1, 2]"),
            "[1,2]");
}

TEST(Script, TextsKeepTheirLetters) {
  for (const std::string text : {"größe 网络 \xF0\x9F\x94\x8B", "", "\"\\\n"})
    EXPECT_EQ(call_script("function f(t) { return t; }", "f", text), text);
}

TEST(Script, OneCallKnowsNothingOfAnother) {
  const std::string script = "var n; function f(t) { n = (n || 0) + 1; return t + n; }";
  EXPECT_EQ(call_script(script, "f", "call "), "call 1");
  EXPECT_EQ(call_script(script, "f", "call "), "call 1");
}

TEST(Script, WhatItThrowsNamesTheLine) {
  const std::string thrown = complaint("var a = {\n f() {\n  throw new TypeError('no data'); }};");
  EXPECT_THAT(thrown, HasSubstr("line 3"));
  EXPECT_THAT(thrown, HasSubstr("no data"));
  EXPECT_THAT(complaint("var a = {\n f() { return"), HasSubstr("line 2"));
  EXPECT_THAT(complaint("var a = {f() { throw 'a text'; }};"), HasSubstr("a text"));
}

TEST(Script, WhatIsMissingOrNoTextIsSaid) {
  EXPECT_THAT(complaint(""), HasSubstr("a.f"));
  EXPECT_THAT(complaint("var a = {};"), HasSubstr("a.f"));
  EXPECT_THAT(complaint("var a = 5;"), HasSubstr("a.f"));
  EXPECT_THAT(complaint("var a = {f: 5};"), HasSubstr("not a function"));
  EXPECT_THAT(complaint("var a = {f: () => 5};"), HasSubstr("no text"));
}

TEST(Script, EndlessRecursionIsAnErrorToo) {
  EXPECT_THAT(complaint("var a = {f() { return a.f() + 1; }};"), HasSubstr("recursion"));
}

TEST(Script, ABrokenTextIsRefused) {
  EXPECT_THAT(complaint("var a = {f(t) { return t; }};", "\xFF\xFE"), HasSubstr("failed"));
}

TEST(ReportFigures, AreReadFromWhatTheScriptGives) {
  const std::string script = R"(var ampere_report = {figures(p) {
    return JSON.stringify([{name: 'a-1', title: JSON.parse(p).title, svg: '<svg/>'}]); }};)";
  const std::vector<ReportFigure> figures = report_figures(R"({"title": "T"})", script);
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_EQ(figures[0].name, "a-1");
  EXPECT_EQ(figures[0].title, "T");
  EXPECT_EQ(figures[0].svg, "<svg/>");
}

TEST(ReportFigures, ANameThatIsNoFileIsRefused) {
  for (const std::string name : {"../x", "", "a/b", "A", "a b"}) {
    const std::string script = "var ampere_report = {figures() { return JSON.stringify([{name: '" +
                               name + "', title: '', svg: ''}]); }};";
    EXPECT_THROW(report_figures("{}", script), Error) << name;
  }
}

}  // namespace
}  // namespace ampere
