#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ampere/error.h"
#include "ampere/model.h"
#include "measured.h"
#include "method/kernels/kernel_fit.h"

namespace ampere {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::measured;

constexpr const char* kConv = "conv+relu";

// Convolutions around those of AlexNet, and others to ask about.
std::vector<Kernel> convolutions(int count, unsigned seed) {
  const std::vector<Model> networks{make_zoo_model("alexnet")};
  std::vector<Kernel> kernels;
  for (const Kernel& kernel : distinct_kernels(networks))
    if (kernel.type == kConv && !kernel.config.contains("PADDING")) kernels.push_back(kernel);
  return widen_kernels(kernels, count, seed);
}

double mape(const KernelFit& fit, const std::vector<Kernel>& kernels, double noise = 0) {
  double sum = 0;
  const std::vector<TableRow> rows = measured(kernels, noise);
  for (const TableRow& row : rows)
    sum += std::abs(predict(fit, row.config).energy_j.mean - row.energy_j) / row.energy_j;
  return sum / static_cast<double>(kernels.size());
}

class EitherPredictor : public testing::TestWithParam<PredictorKind> {
 protected:
  KernelFit fit(std::span<const TableRow> rows, int folds = 5) const {
    return fit_kernel(kConv, rows, {.kind = GetParam(), .folds = folds});
  }
};

INSTANTIATE_TEST_SUITE_P(Kernels, EitherPredictor,
                         testing::Values(PredictorKind::gp, PredictorKind::forest),
                         [](const auto& tested) { return std::string(to_string(tested.param)); });

TEST_P(EitherPredictor, SaysInAdvanceHowFarOffItWillBe) {
  const KernelFit found = fit(measured(convolutions(150, 1), 0.02));
  ASSERT_TRUE(found.energy_accuracy);
  ASSERT_TRUE(found.time_accuracy);
  const double later = mape(found, convolutions(150, 2), 0.02);
  EXPECT_GT(found.energy_accuracy->mape, later / 2);
  EXPECT_LT(found.energy_accuracy->mape, later * 2);
  EXPECT_LT(found.energy_accuracy->mape, GetParam() == PredictorKind::gp ? 0.04 : 0.6);
  EXPECT_LE(found.energy_accuracy->within_5, found.energy_accuracy->within_10);
  EXPECT_EQ(found.rows, 150);
}

TEST_P(EitherPredictor, IsReadBackExactly) {
  const KernelFit found = fit(measured(convolutions(40, 1)));
  const std::string text = to_text(found);
  const KernelFit again = parse_kernel_fit(text);
  EXPECT_EQ(to_text(again), text);
  EXPECT_EQ(again.columns, found.columns);
  EXPECT_EQ(again.rows, 40);
  EXPECT_EQ(again.low, found.low);
  for (const Kernel& kernel : convolutions(20, 3)) {
    const KernelCost one = predict(found, kernel.config), other = predict(again, kernel.config);
    EXPECT_EQ(one.energy_j.mean, other.energy_j.mean);
    EXPECT_EQ(one.energy_j.stddev, other.energy_j.stddev);
    EXPECT_EQ(one.time_s->mean, other.time_s->mean);
    EXPECT_EQ(one.extrapolated, other.extrapolated);
  }
}

TEST_P(EitherPredictor, IsTheSameForTheSameRows) {
  const std::vector<TableRow> rows = measured(convolutions(30, 1));
  EXPECT_EQ(to_text(fit(rows)), to_text(fit(rows)));
}

TEST_P(EitherPredictor, HasNoTimeWithoutLatencies) {
  std::vector<TableRow> rows = measured(convolutions(20, 1));
  rows[7].latency_s.reset();
  const KernelFit found = fit(rows, 0);
  EXPECT_FALSE(found.time);
  EXPECT_FALSE(found.energy_accuracy) << "nobody asked";
  const KernelFit again = parse_kernel_fit(to_text(found));
  EXPECT_FALSE(predict(again, rows[0].config).time_s);
}

TEST_P(EitherPredictor, TakesRepeatsAsOne) {
  std::vector<TableRow> rows = measured(convolutions(20, 1));
  const std::vector<TableRow> once = rows;
  rows.insert(rows.end(), once.begin(), once.end());
  EXPECT_EQ(fit(rows).rows, 20);
}

TEST_P(EitherPredictor, TakesConstantSizesAndCosts) {
  std::vector<TableRow> rows;
  for (const std::int64_t channels : {8, 16, 24, 32, 40, 48})
    rows.push_back({"relu", {{"HW", 7}, {"CIN", channels}}, {}, 0.5});
  const KernelFit found = fit_kernel("relu", rows, {.kind = GetParam()});
  EXPECT_NEAR(predict(found, {{"HW", 7}, {"CIN", 20}}).energy_j.mean, 0.5, 1e-3);
  EXPECT_TRUE(predict(found, {{"HW", 8}, {"CIN", 20}}).extrapolated);
}

TEST_P(EitherPredictor, AnswersManyAsOne) {
  const KernelFit found = fit(measured(convolutions(30, 1)), 0);
  std::vector<KernelConfig> configs;
  for (const Kernel& kernel : convolutions(200, 4)) configs.push_back(kernel.config);
  const std::vector<KernelCost> all = predict(found, configs);
  for (std::size_t i = 0; i < configs.size(); ++i)
    EXPECT_NEAR(all[i].energy_j.mean / predict(found, configs[i]).energy_j.mean, 1, 1e-9);
  EXPECT_TRUE(predict(found, std::vector<KernelConfig>{}).empty());
}

TEST(GpPredictor, IsBetterThanTheForest) {
  const std::vector<TableRow> rows = measured(convolutions(150, 1), 0.02);
  const KernelFit gp = fit_kernel(kConv, rows),
                  forest = fit_kernel(kConv, rows, {.kind = PredictorKind::forest});
  EXPECT_LT(gp.energy_accuracy->mape, 0.3 * forest.energy_accuracy->mape);
}

// A device that runs convolutions with odd channels by another algorithm.
std::vector<TableRow> by_alignment(const std::vector<Kernel>& kernels) {
  std::vector<TableRow> rows = measured(kernels, 0.02);
  for (TableRow& row : rows)
    if (row.config.at("COUT") % 8 != 0) row.energy_j *= 3;
  return rows;
}

TEST(GpPredictor, SeesHowChannelsAreAligned) {
  const KernelFit fit = fit_kernel(kConv, by_alignment(convolutions(150, 1)), {.folds = 0});
  double sum = 0;
  const std::vector<TableRow> asked = by_alignment(convolutions(150, 2));
  for (const TableRow& row : asked)
    sum += std::abs(predict(fit, row.config).energy_j.mean / row.energy_j - 1);
  EXPECT_LT(sum / static_cast<double>(asked.size()), 0.1);  // 0.35 by the sizes alone
}

TEST(GpPredictor, StatesIntervalsThatHold) {
  const KernelFit fit = fit_kernel(kConv, measured(convolutions(150, 1), 0.1));
  const std::vector<Kernel> unseen = convolutions(150, 2);
  const std::vector<TableRow> truth = measured(unseen, 0.1);
  int inside = 0;
  for (std::size_t i = 0; i < unseen.size(); ++i) {
    const KernelCost cost = predict(fit, unseen[i].config);
    inside +=
        std::abs(cost.energy_j.mean - truth[i].energy_j) <= 1.645 * cost.energy_j.stddev.value();
  }
  EXPECT_GT(inside, 120);
}

TEST(GpPredictor, FollowsAPowerLawFarOutside) {
  std::vector<TableRow> rows;
  for (const std::int64_t channels : {8, 16, 24, 32, 40, 48, 56, 64})
    rows.push_back(
        {"relu", {{"HW", channels}, {"CIN", channels}}, {}, 1e-9 * std::pow(channels, 3)});
  const KernelCost cost = predict(fit_kernel("relu", rows), {{"HW", 512}, {"CIN", 512}});
  EXPECT_TRUE(cost.extrapolated);
  EXPECT_GT(cost.energy_j.mean, 0.3 * 1e-9 * std::pow(512, 3));
  EXPECT_LT(cost.energy_j.mean, 3 * 1e-9 * std::pow(512, 3));
}

TEST(KernelFits, SayWhatTheyHaveNotSeen) {
  const KernelFit fit = fit_kernel(kConv, measured(convolutions(30, 1)), {.folds = 0});
  KernelConfig config = convolutions(1, 1)[0].config;
  EXPECT_FALSE(predict(fit, config).extrapolated);
  config["GROUPS"] = 1;
  EXPECT_FALSE(predict(fit, config).extrapolated) << "as usual";
  config["GROUPS"] = 4;
  EXPECT_TRUE(predict(fit, config).extrapolated) << "a size it does not look at";
  EXPECT_THROW(predict(fit, {{"HW", 7}}), Error);
}

std::string fit_refusal(const std::vector<TableRow>& rows) {
  try {
    fit_kernel("relu", rows);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "taken";
}

TEST(KernelFits, RefuseRowsThatAreTooFewOrIncomplete) {
  const auto row = [](std::int64_t channels, int line) {
    TableRow made{"relu", {{"HW", 7}, {"CIN", channels}}, {}, 0.5};
    made.line = line;
    return made;
  };
  EXPECT_THAT(fit_refusal({}), HasSubstr("no row of relu"));
  EXPECT_THAT(fit_refusal({row(8, 12)}), HasSubstr("relu has 1 different configuration (line 12)"));
  EXPECT_THAT(fit_refusal({row(8, 12), row(9, 13), row(8, 14)}),
              HasSubstr("2 different configurations (lines 12 to 14)"));
  std::vector<TableRow> rows{row(1, 2), row(2, 3), row(3, 4), row(4, 5), row(5, 6)};
  rows[3].config["HEADS"] = 2;
  EXPECT_THAT(fit_refusal(rows), HasSubstr("line 2: this relu does not say its HEADS"));
  rows[3] = row(4, 5);
  rows[2].energy_j = std::nan("");
  EXPECT_THAT(fit_refusal(rows), HasSubstr("line 4"));
}

TEST(KernelFits, OfADataSetLeaveOutWhatCannotBeFitted) {
  EnergyTable data;
  data.environment["source"] = "simulated";
  data.rows = measured(convolutions(20, 1));
  data.rows.push_back({"fc", {{"CIN", 3}, {"COUT", 4}}, {}, 1});
  const KernelFitting fitting = fit_kernels(data, {.folds = 0});
  EXPECT_TRUE(fitting.fits.contains(kConv));
  EXPECT_EQ(fitting.fits.at(kConv).source, Source::simulated);
  EXPECT_THAT(fitting.left_out.at("fc"), HasSubstr("1 different configuration"));
  data.level = TableLevel::model;
  EXPECT_THROW(fit_kernels(data), Error);
}

TEST(KernelFits, AreAsGoodAsTheSourceOfTheirRows) {
  EnergyTable data;
  data.rows = measured(convolutions(20, 1));
  EXPECT_THROW(fit_kernels(data, {.folds = 0}), Error) << "nobody says that they were measured";
  for (TableRow& row : data.rows) row.labels["source"] = "measured";
  EXPECT_EQ(fit_kernels(data, {.folds = 0}).fits.at(kConv).source, Source::measured);
  data.rows[7].labels["source"] = "modelled";
  EXPECT_EQ(fit_kernels(data, {.folds = 0}).fits.at(kConv).source, Source::modelled);
}

TEST(KernelFits, RefuseTextThatIsNone) {
  for (const PredictorKind kind : {PredictorKind::gp, PredictorKind::forest}) {
    const std::string text =
        to_text(fit_kernel(kConv, measured(convolutions(12, 1)), {.kind = kind, .folds = 0}));
    EXPECT_THROW(parse_kernel_fit(""), Error);
    EXPECT_THROW(parse_kernel_fit("{}"), Error);
    for (std::size_t length = 0; length < text.size(); length += 1 + text.size() / 97)
      EXPECT_THROW(parse_kernel_fit(text.substr(0, length)), Error) << length;
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {"\"version\":1", "\"version\":2"},
             {"\"columns\":[\"HW\",", "\"columns\":["},
             {"\"HW\"", "\"XX\""},
             {"conv+relu", "relu"},
             {kind == PredictorKind::gp ? "gp" : "forest", "oracle"},
             {"measured", "dreamt"}}) {
      std::string wrong = text;
      ASSERT_NE(wrong.find(from), std::string::npos) << from;
      EXPECT_THROW(parse_kernel_fit(wrong.replace(wrong.find(from), from.size(), to)), Error)
          << from;
    }
  }
}

TEST(KernelFits, AreReadOrRefusedWhateverIsDoneToTheirText) {
  std::mt19937_64 random(1);
  for (const PredictorKind kind : {PredictorKind::gp, PredictorKind::forest}) {
    std::vector<TableRow> rows;
    for (const std::int64_t channels : {8, 16, 24, 32, 40})
      rows.push_back({"relu", {{"HW", 7}, {"CIN", channels}}, {}, 0.5});
    const std::string text = to_text(fit_kernel("relu", rows, {.kind = kind, .folds = 0}));
    const std::size_t head = std::min<std::size_t>(text.size(), 900);
    int read = 0, refused = 0;
    for (int i = 0; i < 500; ++i) {
      std::string wrong = text;
      wrong[random() % head] = "\"{}[],:019-eAn"[random() % 14];
      try {
        const KernelFit fit = parse_kernel_fit(wrong);
        predict(fit, rows[0].config);
        ++read;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
        ++refused;
      }
    }
    EXPECT_GT(read, 0) << "a digit more or less is no fault of the text";
    EXPECT_GT(refused, 100);
  }
}

TEST(SuggestedKernels, LieWhereThePredictorIsLeastCertain) {
  const std::vector<Kernel> all = convolutions(300, 1);
  std::vector<Kernel> small, pool;
  for (const Kernel& kernel : all)
    (kernel.config.at("CIN") < 300 && small.size() < 60 ? small : pool).push_back(kernel);
  const KernelFit fit = fit_kernel(kConv, measured(small));
  const std::vector<std::size_t> next = suggest_kernels(fit, pool, 20);
  ASSERT_EQ(next.size(), 20u);
  double chosen = 0, average = 0;
  for (const std::size_t i : next) {
    const KernelCost cost = predict(fit, pool[i].config);
    chosen += cost.energy_j.stddev.value() / cost.energy_j.mean / 20;
  }
  for (const Kernel& kernel : pool) {
    const KernelCost cost = predict(fit, kernel.config);
    average += cost.energy_j.stddev.value() / cost.energy_j.mean / static_cast<double>(pool.size());
  }
  EXPECT_GT(chosen, average);
  EXPECT_EQ(std::set<std::size_t>(next.begin(), next.end()).size(), 20u);
}

TEST(SuggestedKernels, TeachMoreThanTheFirstOnes) {
  std::vector<Kernel> known = convolutions(300, 1);
  const std::vector<Kernel> pool(known.begin() + 15, known.end()), unseen = convolutions(150, 2);
  known.resize(15);
  std::vector<Kernel> guided = known, plain = known;
  const KernelFit first = fit_kernel(kConv, measured(known));
  for (const std::size_t i : suggest_kernels(first, pool, 25)) guided.push_back(pool[i]);
  plain.insert(plain.end(), pool.begin(), pool.begin() + 25);
  EXPECT_LT(mape(fit_kernel(kConv, measured(guided), {.folds = 0}), unseen), mape(first, unseen));
  EXPECT_LT(mape(fit_kernel(kConv, measured(guided), {.folds = 0}), unseen),
            1.2 * mape(fit_kernel(kConv, measured(plain), {.folds = 0}), unseen));
}

TEST(SuggestedKernels, LieAroundRowsThatWereMissed) {
  std::vector<Kernel> pool;
  std::vector<TableRow> rows;
  for (std::int64_t channels = 1; channels <= 60; ++channels) {
    Kernel kernel{"relu", {{"HW", 7}, {"CIN", channels}}, 0, 0, {}, {}};
    if (channels % 2 == 0) {
      pool.push_back(kernel);
      continue;
    }
    const bool odd = channels > 40 && channels % 4 == 1;
    rows.push_back({"relu", kernel.config, {}, odd ? 3.0 : 1.0});
  }
  const KernelFit forest = fit_kernel("relu", rows, {.kind = PredictorKind::forest});
  const std::vector<std::size_t> next = suggest_kernels(forest, pool, 3);
  for (const std::size_t i : next) EXPECT_GT(pool[i].config.at("CIN"), 36);
}

TEST(SuggestedKernels, AreNoneOfOtherTypesNorThoseMeasured) {
  const std::vector<Kernel> kernels = convolutions(20, 1);
  const KernelFit fit = fit_kernel(kConv, measured(kernels));
  EXPECT_TRUE(suggest_kernels(fit, kernels, 5).empty());
  EXPECT_TRUE(suggest_kernels(fit, {}, 5).empty());
  std::vector<Kernel> pool = convolutions(3, 9);
  EXPECT_EQ(suggest_kernels(fit, pool, 5).size(), 3u);
  EXPECT_TRUE(suggest_kernels(fit, pool, 0).empty());
  for (Kernel& kernel : pool) kernel.type = "relu";
  EXPECT_TRUE(suggest_kernels(fit, pool, 5).empty());
}

TEST(DeviceTime, IsFittedByTheProcessToTheRowsThatHaveOne) {
  std::vector<TableRow> rows = measured(convolutions(40, 1));
  const auto fit = [&](PredictorKind kind) {
    return fit_kernel(kConv, rows, {.kind = kind, .folds = 0});
  };
  const KernelFit untimed = fit(PredictorKind::gp);
  EXPECT_FALSE(knows_host({{kConv, untimed}}));
  EXPECT_THAT(to_text(untimed), testing::Not(HasSubstr("device"))) << "as it always was";
  for (TableRow& row : rows) row.device_s = row.latency_s.value() / 4;
  const KernelFit timed = fit(PredictorKind::gp);
  EXPECT_TRUE(knows_host({{kConv, timed}}));
  EXPECT_TRUE(knows_host({{kConv, parse_kernel_fit(to_text(timed))}}));
  EXPECT_EQ(to_text(parse_kernel_fit(to_text(timed))), to_text(timed));
  EXPECT_FALSE(knows_host({{kConv, fit(PredictorKind::forest)}})) << "its authors know of none";
  for (std::size_t i = kLeastKernelRows; i < rows.size(); ++i) rows[i].device_s.reset();
  EXPECT_TRUE(knows_host({{kConv, fit(PredictorKind::gp)}}));
  rows.front().device_s.reset();
  EXPECT_FALSE(knows_host({{kConv, fit(PredictorKind::gp)}})) << "too few are left";
  rows.back().device_s = -1;
  EXPECT_THROW(fit(PredictorKind::gp), Error);
}

}  // namespace
}  // namespace ampere
