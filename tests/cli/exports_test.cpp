// Results for other programs, and what a network costs at other widths.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <sstream>

#include "base/csv.h"
#include "cli.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::Cli;
using testing_support::Ran;

constexpr const char* kEstimate =
    "estimate resnet18 --iterations 1000 --device h200 --store sqlite:none.db ";

TEST(Exports, AModelCardHasAllFieldsInGrams) {
  const Cli cli;
  const Ran ran = cli.run(std::string(kEstimate) +
                          "--json --carbon 400 --location 'Quebec, Canada' --training-type "
                          "fine-tuning --export model-card=card.yaml");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::string card = cli.read("card.yaml");
  EXPECT_THAT(card, HasSubstr("co2_eq_emissions:\n  emissions: "));
  EXPECT_THAT(card, HasSubstr("estimated from a measured profile"));
  EXPECT_THAT(card, HasSubstr("  training_type: \"fine-tuning\"\n"));
  EXPECT_THAT(card, HasSubstr("  geographical_location: \"Quebec, Canada\"\n"));
  EXPECT_THAT(card, HasSubstr("  hardware_used: \"NVIDIA H200\"\n"));
  const double grams = std::stod(card.substr(card.find("emissions: ") + 11));
  EXPECT_NEAR(grams, ran.json().at("energy_j").at("mean").get<double>() / 3.6e6 * 400,
              1e-4 * grams);
}

TEST(Exports, NothingIsAssumed) {
  const Cli cli;
  const Ran ran = cli.run(std::string(kEstimate) + "--export model-card=card.yaml");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("--carbon G_PER_KWH --location PLACE --training-type"));
  EXPECT_EQ(cli.run(std::string(kEstimate) + "--export codecarbon=e.csv").status, 2);
  const Ran wrong = cli.run(std::string(kEstimate) + "--export modelcard=x");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'model-card'"));
  EXPECT_EQ(cli.run(std::string(kEstimate) + "--export mlflow").status, 2);
  const Ran folder = cli.run(std::string(kEstimate) + "--export mlflow=no/such/x.json");
  EXPECT_NE(folder.status, 0);
  EXPECT_TRUE(folder.out.empty()) << "it is refused before anything is estimated";
}

TEST(Exports, RowsAreAddedToAnEmissionsFileInKilograms) {
  const Cli cli;
  const std::string words =
      "run lenet5 --rig sim:server --store memory: --iterations 100 --json --carbon 500 --export "
      "codecarbon=emissions.csv";
  const Ran first = cli.run(words);
  ASSERT_EQ(first.status, 0) << first.err;
  ASSERT_EQ(cli.run(words).status, 0);
  const CsvTable table = parse_csv(cli.read("emissions.csv"), "emissions.csv");
  ASSERT_EQ(table.rows.size(), 2u);
  const auto cell = [&](const std::string& name) {
    for (std::size_t i = 0; i < table.header.cells.size(); ++i)
      if (table.header.cells[i] == name) return table.rows[0].cells.at(i);
    ADD_FAILURE() << "no column " << name;
    return std::string();
  };
  const double joules = first.json().at("energy_j").get<double>();
  EXPECT_NEAR(std::stod(cell("energy_consumed")), joules / 3.6e6, 1e-6 * joules / 3.6e6);
  EXPECT_NEAR(std::stod(cell("emissions")), joules / 3.6e6 * 0.5, 1e-6 * joules / 3.6e6);
  EXPECT_EQ(cell("energy_source"), "simulated");
  EXPECT_EQ(cell("cpu_energy"), "") << "what is not known is no 0";
  cli.write("emissions.csv", "a,b\n1,2\n");
  const Ran other = cli.run(words);
  EXPECT_EQ(other.status, 2);
  EXPECT_EQ(cli.read("emissions.csv"), "a,b\n1,2\n");
}

// As CodeCarbon 2.4 writes it, and as a later version may.
TEST(Exports, ARowFitsTheColumnsOfAFileThatCodeCarbonBegan) {
  const Cli cli;
  const std::string columns =
      "timestamp,project_name,run_id,duration,emissions,emissions_rate,cpu_power,gpu_power,"
      "ram_power,cpu_energy,gpu_energy,ram_energy,energy_consumed,country_name,country_iso_code,"
      "region,cloud_provider,cloud_region,os,python_version,codecarbon_version,cpu_count,cpu_model,"
      "gpu_count,gpu_model,longitude,latitude,ram_total_size,tracking_mode,on_cloud,pue";
  const std::string words =
      "measure --meter modelled:cpu=machine --carbon 500 --export codecarbon=";
  for (const std::string more : {"", ",wue"}) {
    const std::string row = std::string(30 + more.size() / 4, ',') + "\n";
    cli.write("theirs.csv", columns + more + "\n" + row);
    const Ran ran = cli.run(words + "theirs.csv -- sleep 0.3");
    ASSERT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("energy_source has no column there"));
    const CsvTable table = parse_csv(cli.read("theirs.csv"), "theirs.csv");
    ASSERT_EQ(table.rows.size(), 2u);
    ASSERT_EQ(table.rows[1].cells.size(), table.header.cells.size());
    EXPECT_NE(table.rows[1].cells[4], "") << "emissions";
    EXPECT_NE(table.rows[1].cells[12], "") << "energy_consumed";
  }
}

TEST(Exports, AFileOfSomethingElseIsRefusedBeforeTheCommandRuns) {
  const Cli cli;
  cli.write("other.csv", "a,b\n1,2\n");
  const Ran ran = cli.run(
      "measure --meter modelled:cpu=machine --carbon 500 --export codecarbon=other.csv -- touch "
      "ran");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("other.csv: is no emissions file of CodeCarbon"));
  EXPECT_FALSE(std::filesystem::exists(cli.path("ran")));
  EXPECT_EQ(cli.read("other.csv"), "a,b\n1,2\n");
}

TEST(Exports, MetricsAreWhatALogBatchTakes) {
  const Cli cli;
  ASSERT_EQ(
      cli.run("measure --meter modelled:cpu=machine --export mlflow=m.json -- sleep 0.3").status,
      0);
  const Json json = Json::parse(cli.read("m.json"));
  std::set<std::string> keys;
  for (const Json& metric : json.at("metrics")) {
    keys.insert(metric.at("key"));
    EXPECT_TRUE(metric.at("timestamp").is_number_integer());
  }
  EXPECT_TRUE(keys.contains("energy_j") && keys.contains("time_s"));
  EXPECT_FALSE(keys.contains("co2_eq_g")) << "no carbon intensity was given";
  EXPECT_EQ(json.at("tags").at(0).at("value"), "modelled");
}

// --- widths

class WidthsCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cli_ = new Cli;
    const Ran ran =
        cli_->run("profile cnn5 --rig sim:server --store sqlite:s.db --timings 150 --networks 14");
    ASSERT_EQ(ran.status, 0) << ran.err;
  }
  static void TearDownTestSuite() { delete cli_; }
  static Ran estimate(const std::string& words, const std::string& input = "") {
    return cli_->run("estimate " + words + " --store sqlite:s.db", input);
  }
  static Cli* cli_;
};
Cli* WidthsCommand::cli_ = nullptr;

TEST_F(WidthsCommand, SensitivityIsTheSlopeOfTheEstimate) {
  const Ran ran = estimate("cnn5:8,16,32,64 --sensitivity --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json widths = ran.json().at("sensitivity");
  ASSERT_EQ(widths.size(), 4u);
  const auto joules = [&](const std::string& model) {
    return estimate(model + " --json").json().at("energy_j_per_iteration").at("mean").get<double>();
  };
  const double slope = (joules("cnn5:8,16,32,64") - joules("cnn5:8,16,16,64")) / 16;
  EXPECT_NEAR(widths[2].at("energy_j_per_channel").get<double>(), slope, 1e-6 * std::abs(slope));
  EXPECT_EQ(widths[2].at("channels"), 32);
  EXPECT_EQ(widths[2].at("scanned"), Json({16, 32}));
  const Ran text = estimate("cnn5 --sensitivity");
  EXPECT_THAT(text.out, HasSubstr("energy per channel"));
  EXPECT_THAT(text.out, HasSubstr("as a whole pays most"));
}

TEST_F(WidthsCommand, RequestsAreAnsweredLineByLineAndErrorsAreOnesOfTheirLine) {
  const Ran ran =
      estimate("cnn5 --widths --json",
               "{\"widths\": [[8, 16, 32, 64], [8, 16, 32, 64.5]], \"gradient\": true}\n"
               "{\"widths\": [[8, 16]]}\nnonsense\n"
               "{\"widths\": [[8, 16, 32, 65]]}\n");
  ASSERT_EQ(ran.status, 0) << ran.err;
  std::istringstream lines(ran.out);
  std::vector<Json> answers;
  for (std::string line; std::getline(lines, line);) answers.push_back(Json::parse(line));
  ASSERT_EQ(answers.size(), 5u);
  EXPECT_EQ(answers[0].at("widths").size(), 4u);
  EXPECT_EQ(answers[0].at("source"), "simulated");
  const auto& energies = answers[1].at("energy_j");
  const double whole = estimate("cnn5:8,16,32,64 --json")
                           .json()
                           .at("energy_j_per_iteration")
                           .at("mean")
                           .get<double>();
  EXPECT_NEAR(energies[0].get<double>(), whole, 1e-9 * whole);
  const double next = answers[4].at("energy_j")[0].get<double>();
  EXPECT_NEAR(energies[1].get<double>(), (whole + next) / 2, 1e-9 * whole);
  EXPECT_NEAR(answers[1].at("gradient")[1][3].get<double>(), next - whole, 1e-9 * whole);
  EXPECT_EQ(answers[2].at("error").at("code"), "usage");
  EXPECT_THAT(answers[2].at("error").at("message").get<std::string>(), HasSubstr("widths[0]"));
  EXPECT_EQ(answers[3].at("error").at("code"), "usage");
}

// A general profile that came with the program.
TEST_F(WidthsCommand, AGeneralProfileAnswersAsItsEstimateDoes) {
  const auto general = [](const std::string& words, const std::string& input = "") {
    return cli_->run("estimate " + words + " --device h200 --batch 64 --store sqlite:none.db",
                     input);
  };
  const auto estimate = [&](const std::string& model) {
    return general(model + " --json --confidence 0.8").json();
  };
  const Json narrow = estimate("cnn5:8,16,16,64"), whole = estimate("cnn5:8,16,32,64");
  const auto joules = [](const Json& json) {
    return json.at("energy_j_per_iteration").at("mean").get<double>();
  };
  const Ran ran = general("cnn5:8,16,32,64 --sensitivity --json");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const double slope = (joules(whole) - joules(narrow)) / 16;
  EXPECT_NEAR(ran.json().at("sensitivity")[2].at("energy_j_per_channel").get<double>(), slope,
              1e-9 * joules(whole));

  const Ran stream = general("cnn5 --widths --json",
                             "{\"widths\": [[8, 16, 32, 64]], \"confidence\": 0.8}\n"
                             "{\"widths\": [[8, 16, 32, 64]], \"confidence\": 2}\n");
  std::istringstream lines(stream.out);
  std::vector<Json> answers;
  for (std::string line; std::getline(lines, line);) answers.push_back(Json::parse(line));
  ASSERT_EQ(answers.size(), 3u) << stream.err;
  EXPECT_EQ(answers[0].at("method"), "operations");
  const auto expect_equal = [&](const char* key, const Json& expected) {
    const double found = answers[1].at(key)[0].get<double>(), other = expected.get<double>();
    EXPECT_NEAR(found, other, 1e-9 * other) << key;
  };
  expect_equal("energy_j", whole.at("energy_j").at("mean"));
  expect_equal("energy_low_j", whole.at("energy_j").at("low"));
  expect_equal("energy_high_j", whole.at("energy_j").at("high"));
  expect_equal("time_s", whole.at("time_s").at("mean"));
  EXPECT_EQ(answers[1].at("normal_intervals"), false);
  EXPECT_EQ(answers[2].at("error").at("code"), "usage");
}

TEST_F(WidthsCommand, WhatCannotBeIsRefused) {
  EXPECT_EQ(estimate("cnn5 cnn5 --widths").status, 2);
  EXPECT_EQ(estimate("- --sensitivity", "cnn5\n").status, 2);
  const Ran refused =
      cli_->run("estimate cnn5 --widths --device h200 --compile --store sqlite:none.db");
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.err, HasSubstr("a compiled network cannot be lowered"));
  EXPECT_EQ(refused.out, "");
}

}  // namespace
}  // namespace ampere
