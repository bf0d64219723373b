#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "ampere/error.h"
#include "base/json.h"
#include "base/packed.h"
#include "base/gzip.h"
#include "report/report.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kPage =
    R"(<!doctype html><meta name="generator" content="ampere report"><title>@TITLE@</title>)"
    "<style>@STYLE@</style>@PAYLOAD@<script>@SCRIPT@</script>";
const ReportBundle kBundle{kPage, "p{}", "draw()"};

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  if (begin == std::string::npos) return "";
  return text.substr(begin + from.size(), text.find(to, begin) - begin - from.size());
}

std::string payload_in(const std::string& html) {
  return between(html, R"(<script type="application/json" id="payload">)", "</script>");
}

TEST(ReportPage, HoldsEverythingInItsPlace) {
  EXPECT_EQ(report_html("T", "{}", kBundle),
            R"(<!doctype html><meta name="generator" content="ampere report"><title>T</title>)"
            R"(<style>p{}</style><script type="application/json" id="payload">{}</script>)"
            "<script>draw()</script>");
}

class HostileText : public testing::TestWithParam<const char*> {};

TEST_P(HostileText, StaysText) {
  const std::string text = GetParam();
  const std::string html = report_html(text, Json{{"model", text}}.dump(), kBundle);
  EXPECT_EQ(Json::parse(payload_in(html)).at("model"), text);
  EXPECT_THAT(payload_in(html), Not(HasSubstr("<")));
  EXPECT_THAT(between(html, "<title>", "</title>"), Not(HasSubstr("<")));
  EXPECT_TRUE(html.ends_with("</script><script>draw()</script>"));
}

INSTANTIATE_TEST_SUITE_P(Report, HostileText,
                         testing::Values("</script><script>alert(1)</script>", "<!--<script>",
                                         "\"'&amp;<>\\", "@SCRIPT@ @PAYLOAD@ @STYLE@ @TITLE@",
                                         "größe 网络 \xF0\x9F\x94\x8B", "\u2028\u2029", "]]>", ""));

TEST(ReportPage, ALargePayloadIsPackedAndIsTheSameUnpacked) {
  Json numbers = Json::array();
  for (int i = 0; i < 300000; ++i) numbers.push_back(i % 977);
  const std::string payload = numbers.dump();
  const std::string html = report_html("", payload, kBundle);
  EXPECT_LT(html.size(), payload.size() / 4);
  EXPECT_THAT(html, HasSubstr(R"(<script type="text/plain" id="payload-gz">H4sI)"));
}

TEST(ReportPage, CarriesWhatComputesInItOrWhyThereIsNone) {
  ReportBundle bundle = kBundle;
  EXPECT_THAT(report_html("", "{}", bundle), Not(HasSubstr("estimators")));
  bundle.estimators_missing = "no compiler";
  EXPECT_THAT(
      report_html("", "{}", bundle),
      HasSubstr(R"(<script type="text/plain" id="estimators-missing">no compiler</script>)"));
  bundle.estimators = std::string_view("\0asm\1", 5);
  const std::string html = report_html("", "{}", bundle);
  EXPECT_EQ(between(html, R"(<script type="text/plain" id="estimators-gz">)", "</script>"),
            to_base64(gzip(bundle.estimators)));
  EXPECT_THAT(html, Not(HasSubstr("estimators-missing")));
}

TEST(ReportPage, WhatIsPackedCanBeUnpacked) {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += std::to_string(i * i);
  for (const std::string& whole : {text, std::string(), std::string("\0a", 2)}) {
    const std::string packed = gzip(whole);
    std::string back(whole.size() + 1, 'x');
    z_stream stream{};
    ASSERT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(back.data());
    stream.avail_out = static_cast<uInt>(back.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    back.resize(stream.total_out);
    inflateEnd(&stream);
    EXPECT_EQ(back, whole);
  }
}

TEST(ReportPage, APageWithoutAPlaceIsRefused) {
  for (const std::string place : {"@TITLE@", "@STYLE@", "@PAYLOAD@", "@SCRIPT@"}) {
    std::string page = kPage;
    page.erase(page.find(place), place.size());
    try {
      report_html("", "{}", {page, "", ""});
      FAIL() << place;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::failed);
      EXPECT_THAT(error.what(), HasSubstr(place));
    }
  }
}

TEST(ReportPage, IsKnownAgainByItsBeginning) {
  EXPECT_TRUE(is_report(report_html("", "{}", kBundle)));
  EXPECT_FALSE(is_report(""));
  EXPECT_FALSE(is_report("<!doctype html><title>my thesis</title>"));
  EXPECT_FALSE(is_report(std::string(5000, ' ') + kPage)) << "only the beginning is looked at";
}

}  // namespace
}  // namespace ampere
