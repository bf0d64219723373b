#include "compare.h"

#include <algorithm>
#include <random>

#include "ampere/widths.h"
#include "report/bundle.h"
#include "report/script.h"

namespace ampere {
namespace {

constexpr int kDrawn = 50;
constexpr double kEqual = 1e-6;

using Widths = std::vector<std::int64_t>;

std::vector<WidthRange> ranges_of(const std::string& what_if) {
  std::vector<WidthRange> ranges;
  const Json document = parse_json(what_if, "the what-if");
  for (const Json& width : document.at("widths"))
    ranges.push_back({width.at("name"), width.at("least"), width.at("most"), width.at("step")});
  return ranges;
}

// All widths at one end, every other one, and networks in between.
std::vector<Widths> questions(const std::vector<WidthRange>& ranges) {
  std::mt19937_64 random(3);
  std::vector<Widths> list(4);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::int64_t least = ranges[i].least, most = ranges[i].most;
    list[0].push_back(least);
    list[1].push_back(most);
    list[2].push_back(i % 2 == 0 ? least : most);
    list[3].push_back(i % 2 == 0 ? most : least);
  }
  for (int draw = 0; draw < kDrawn; ++draw) {
    list.emplace_back();
    for (const WidthRange& range : ranges)
      list.back().push_back(range.choice(
          static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range.choices()))));
  }
  return list;
}

void expect_near(const Json& found, const Quantity& expected) {
  EXPECT_NEAR(found.at("mean").get<double>() / expected.mean, 1, kEqual);
  EXPECT_NEAR(found.at("stddev").get<double>() / expected.stddev.value(), 1, kEqual);
}

}  // namespace

void Page::SetUp() {
  if (report_script().empty()) GTEST_SKIP() << "built without the script of reports";
  if (report_estimators().empty()) GTEST_SKIP() << report_estimators_missing();
}

std::vector<Json> ask(const Texts& what_ifs, const Texts& widths) {
  // All of them in one call, since each starts the script anew.
  const std::string script = std::string(report_script()) + R"(
    function ask_all(text) {
      const {bytes, what_ifs, widths} = JSON.parse(text);
      const module = new WebAssembly.Module(Uint8Array.from(bytes));
      return JSON.stringify(what_ifs.flatMap((what_if) =>
        ampere_report.what_if(module, what_if, widths).map((one) => JSON.parse(one))));
    })";
  const std::string_view bytes = report_estimators();
  const std::string question = Json{
      {"bytes", std::vector<std::uint8_t>(bytes.begin(), bytes.end())},
      {"what_ifs", what_ifs},
      {"widths", widths}}.dump();
  return parse_json(call_script(script, "ask_all", question), "the script's answers");
}

void expect_equal(const Model& original, const std::string& what_if, const Estimator& estimator) {
  const std::vector<Widths> list = questions(ranges_of(what_if));
  Texts texts;
  for (const Widths& widths : list) texts.push_back(Json(widths).dump());
  const std::vector<Json> answers = ask({what_if}, texts);
  ASSERT_EQ(answers.size(), list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    SCOPED_TRACE(texts[i] + " " + answers[i].dump());
    const Estimate expected = estimator.estimate(with_widths(original, list[i]), {});
    ASSERT_FALSE(answers[i].contains("reason"));
    expect_near(answers[i].at("energy_j_per_iteration"), *expected.energy_j_per_iteration);
    expect_near(answers[i].at("time_s_per_iteration"), *expected.time_s_per_iteration);
    EXPECT_EQ(answers[i].at("extrapolated").get<bool>(),
              std::ranges::any_of(expected.parts, &Part::extrapolated));
  }
}

}  // namespace ampere
