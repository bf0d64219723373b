#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/error.h"
#include "base/json.h"
#include "report/known.h"
#include "report/report.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::kHead;
using testing_support::Known;

TEST(ReadResults, TakesObjectsLinesAndLists) {
  for (const char* text : {R"({"a": 1} {"a": 2})", "{\"a\": 1}\n{\"a\": 2}\n",
                           R"([{"a": 1}, {"a": 2}])", "\n {\n \"a\": 1\n}\n\n[{\"a\": 2}]\n"}) {
    const std::vector<ReportItem> items = read_results(text, "f.json");
    ASSERT_EQ(items.size(), 2u) << text;
    EXPECT_EQ(Json::parse(items[1].json).at("a"), 2) << text;
    EXPECT_EQ(items[0].name, "f.json");
    EXPECT_EQ(items[0].profile, "");
  }
}

TEST(ReadResults, ASummaryIsNoResult) {
  EXPECT_EQ(read_results(R"({"methods": {}, "networks": []} {"methods": {}})", "f.json").size(),
            1u);
}

TEST(ReadResults, BracketsInTextsAreText) {
  const auto items = read_results(R"({"a": "}{\"]["}{"a": "\\"})", "f.json");
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(Json::parse(items[0].json).at("a"), "}{\"][");
}

class BrokenResults : public testing::TestWithParam<const char*> {};

TEST_P(BrokenResults, AreRefusedWithTheFile) {
  try {
    read_results(GetParam(), "f.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("f.json"));
  }
}

INSTANTIATE_TEST_SUITE_P(Report, BrokenResults,
                         testing::Values("", " \n", "{", "}", "]", "{\"a\": 1} x", "\"", "[]",
                                         "{\"a\" 1}", "\x89PNG\r\n", "<html>"));

struct Wrong {
  const char* json;
  const char* field;
};
void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.json; }

class WrongEvaluation : public testing::TestWithParam<Wrong> {};

TEST_P(WrongEvaluation, IsRefusedByNameAndField) {
  try {
    evaluate_payload(kHead, std::vector<ReportItem>{{"some.json", "", GetParam().json}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("some.json"));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().field));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Report, WrongEvaluation,
    testing::Values(
        Wrong{"{}", "family"}, Wrong{"5", "object"}, Wrong{R"({"family": 5})", "family"},
        Wrong{R"({"family": "a", "batch": 1})", "device"},
        Wrong{R"({"family": "a", "batch": 1, "device": {"name": "D"}, "source": "measured",
                  "methods": {"m": 5}, "networks": []})",
              "methods.m"},
        Wrong{R"({"family": "a", "batch": 1, "device": {"name": "D"}, "source": "measured",
                  "methods": {}, "networks": [{"model": "x", "measured_j_per_iteration": ["y"]}]})",
              "networks[0].measured_j_per_iteration[0]"}));

TEST(StoredPrunings, AreThoseDocumentsOnly) {
  Known known;
  const std::int64_t id = known.store->open_profile(known.rig->device(), {}, "sim:xavier");
  known.store->put_document(id, {pruning_name("cnn5 to 50 %"), R"({"model": "cnn5"})"});
  known.store->put_document(id, {"idle window", "{}"});
  const std::vector<ReportItem> found = stored_prunings(*known.store);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].profile, std::to_string(id));
  EXPECT_EQ(found[0].json, R"({"model": "cnn5"})");
  EXPECT_EQ(stored_evaluations(*known.store).size(), 0u);
}

}  // namespace
}  // namespace ampere
