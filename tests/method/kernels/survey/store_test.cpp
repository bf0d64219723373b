// What a survey keeps, as others read it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "ampere/error.h"
#include "method/kernels/survey.h"
#include "method/kernels/survey/environment.h"
#include "method/kernels/survey/findings.h"

namespace ampere {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

EnergyTable phone_table() {
  EnergyTable table;
  table.environment = {{"device", "Some Phone"}, {"runtime", "lite 2.14"}, {"source", "measured"}};
  for (std::int64_t channels = 1; channels <= 8; ++channels) {
    TableRow row{"relu", {{"HW", 28}, {"CIN", 16 * channels}}};
    row.energy_j = 1e-5 * static_cast<double>(channels);
    row.latency_s = row.energy_j / 2;
    row.power_w = 2;
    table.rows.push_back(row);
  }
  return table;
}

ProfileRow row_of(const Store& store, std::int64_t id) {
  const auto rows = store.profiles();
  return *std::ranges::find(rows, id, &ProfileRow::id);
}

TEST(ImportedTable, BecomesAProfileOfInference) {
  const auto store = open_store("memory:");
  const auto profiles = keep_table(*store, phone_table());
  ASSERT_EQ(profiles.size(), 1u);
  const ProfileRow row = row_of(*store, profiles[0]);
  EXPECT_EQ(row.device.name, "Some Phone");
  EXPECT_EQ(row.device.framework, "lite 2.14");
  EXPECT_EQ(row.setup, inference_setup());
  const EnergyTable back = kernel_table(*store, row);
  ASSERT_EQ(back.rows.size(), 8u);
  EXPECT_EQ(back.rows[3].config, phone_table().rows[3].config);
  EXPECT_DOUBLE_EQ(back.rows[3].energy_j, phone_table().rows[3].energy_j);
}

TEST(ImportedTable, ASecondTimeChangesNothing) {
  const auto store = open_store("memory:");
  const auto first = keep_table(*store, phone_table());
  EXPECT_EQ(keep_table(*store, phone_table()), first);
  EXPECT_EQ(kernel_table(*store, row_of(*store, first[0])).rows.size(), 8u);
}

TEST(ImportedTable, DelegatesAreProfilesOfTheirOwn) {
  EnergyTable table = phone_table();
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    table.rows[i].labels["delegate"] = i % 2 == 0 ? "CPU" : "GPU";
  const auto store = open_store("memory:");
  const auto profiles = keep_table(*store, table);
  ASSERT_EQ(profiles.size(), 2u);
  EXPECT_EQ(kernel_table(*store, row_of(*store, profiles[0])).rows.size(), 4u);
  EXPECT_EQ(row_of(*store, profiles[0]).device.framework, "lite 2.14, CPU");
}

// The table must be refused for what it does not say.
void expect_unstated(const EnergyTable& table, const std::string& fact) {
  const auto store = open_store("memory:");
  try {
    keep_table(*store, table);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_EQ(error.remedy(), fact == "device" ? Remedy::device : Remedy::source);
    EXPECT_THAT(error.what(), HasSubstr("a column " + fact));
    EXPECT_THAT(error.what(), Not(HasSubstr("--"))) << "the library knows no options";
  }
  EXPECT_TRUE(store->profiles().empty());
}

// It became a profile of measured energies once.
TEST(ImportedTable, HasToSayHowItsEnergiesWereFound) {
  EnergyTable table = phone_table();
  table.environment.erase("source");
  expect_unstated(table, "source");
  for (TableRow& row : table.rows) row.labels["source"] = "modelled";
  const auto store = open_store("memory:");
  const ProfileRow profile = row_of(*store, keep_table(*store, table).at(0));
  EXPECT_EQ(profile.device.source, Source::modelled);
  EXPECT_EQ(fit_kernels(kernel_table(*store, profile), {.folds = 0}).fits.at("relu").source,
            Source::modelled);
  table.rows[3].labels["source"] = "measured";
  EXPECT_EQ(keep_table(*store, table).size(), 2u) << "each source is a profile of its own";
}

TEST(ImportedTable, HasToSayWhichDeviceItIsOf) {
  EnergyTable table = phone_table();
  table.environment.erase("device");
  expect_unstated(table, "device");
  const auto store = open_store("memory:");
  EXPECT_EQ(row_of(*store, keep_table(*store, table, "Mine")[0]).device.name, "Mine");
}

TEST(ImportedTable, OtherLevelsStayApart) {
  EnergyTable networks;
  networks.level = TableLevel::model;
  networks.environment = phone_table().environment;
  TableRow row{"resnet18"};
  row.energy_j = 0.2;
  networks.rows.push_back(row);
  const auto store = open_store("memory:");
  keep_table(*store, phone_table());
  const ProfileRow profile = row_of(*store, keep_table(*store, networks)[0]);
  EXPECT_EQ(store->profiles().size(), 1u);
  EXPECT_EQ(kernel_table(*store, profile).rows.size(), 8u);
  EXPECT_EQ(kernel_table(*store, profile, TableLevel::model).rows.size(), 1u);
  EXPECT_TRUE(kernel_table(*store, profile, TableLevel::application).rows.empty());
}

TEST(MeasuredNetworks, AreModelsOrApplications) {
  const auto store = open_store("memory:");
  const DeviceInfo device{"d", "", "", "", "", "", {}, "f"};
  const std::int64_t profile = store->open_profile(device, inference_setup(), "");
  for (const char* name : {"lenet5", "fsrcnn:size=8", "ds_cnn"}) {
    Observation observation;
    observation.device = device;
    observation.setup = inference_setup();
    observation.model = open_model(name);
    Measurement measured;
    measured.energy_j = {0.2, 0.01};
    measured.time_s = {0.1, 0.01};
    observation.measurement = measured;
    store->add(profile, observation);
  }
  const ProfileRow row = row_of(*store, profile);
  const EnergyTable models = kernel_table(*store, row, TableLevel::model);
  ASSERT_EQ(models.rows.size(), 1u);
  EXPECT_EQ(models.rows[0].name, "lenet5");
  const EnergyTable applications = kernel_table(*store, row, TableLevel::application);
  ASSERT_EQ(applications.rows.size(), 2u);
  EXPECT_EQ(applications.rows[0].name, "super-resolution");
  EXPECT_EQ(applications.rows[0].labels.at("network"), "fsrcnn:size=8");
  EXPECT_DOUBLE_EQ(applications.rows[0].power_w.value(), 2);
  EXPECT_EQ(applications.rows[1].name, "keyword spotting");
}

TEST(TableEnvironment, DeviceSetupAndFindingsComeBack) {
  DeviceInfo device{"Phone", "8 cores", "7", "lite", "rail", "2 GHz", Source::modelled, ""};
  device.fingerprint = fingerprint_of(device);
  FusionFindings findings;
  findings.rules = parse_fusion_rules("conv+bn+relu", "test");
  findings.overhead = {{2e-4, 1e-6}, {3e-4, 2e-6}};
  const Environment environment = environment_of(device, inference_setup(4), findings);
  EXPECT_EQ(device_of(environment).fingerprint, device.fingerprint);
  EXPECT_EQ(setup_of(environment), inference_setup(4));
  const auto back = findings_of(environment);
  EXPECT_EQ(back.value().rules, findings.rules);
  EXPECT_DOUBLE_EQ(back->overhead.value().time_s.mean, 3e-4);
  EXPECT_DOUBLE_EQ(back->overhead->energy_j.stddev.value(), 1e-6);
  EXPECT_FALSE(findings_of({{"device", "x"}}));
}

TEST(Findings, ComeBackFromTheStore) {
  FusionFindings findings;
  findings.rules = parse_fusion_rules("conv+bn", "test");
  findings.overhead = {{1, 2}, {3, 4}};
  FusionTest test;
  test.pair = {"conv", "bn"};
  test.together.energy_j = {5, 0.5};
  test.rounds = 2;
  test.fused = true;
  test.note = "close";
  findings.tests.push_back(test);
  const auto store = open_store("memory:");
  const auto profile =
      store->open_profile({"d", "", "", "", "", "", {}, ""}, inference_setup(), "");
  EXPECT_FALSE(read_fusion(*store, profile));
  EXPECT_EQ(read_fusion_rules(*store, profile), default_fusion_rules());
  put_findings(*store, profile, findings);
  EXPECT_EQ(to_json(read_fusion(*store, profile).value()), to_json(findings));
  EXPECT_EQ(read_fusion_rules(*store, profile), findings.rules);
}

TEST(KernelFitsInTheStore, AreReadByTypeAndKind) {
  const auto store = open_store("memory:");
  const auto profile = keep_table(*store, phone_table())[0];
  EXPECT_TRUE(stored_predictors(*store, profile).empty());
  put_kernel_fits(*store, profile, fit_kernels(phone_table(), {.folds = 0}).fits);
  EXPECT_THAT(stored_predictors(*store, profile), ElementsAre(PredictorKind::gp));
  EXPECT_EQ(read_kernel_fits(*store, profile, PredictorKind::gp).count("relu"), 1u);
  EXPECT_TRUE(read_kernel_fits(*store, profile, PredictorKind::gp, {"conv"}).empty());
  EXPECT_TRUE(read_kernel_fits(*store, profile, PredictorKind::forest).empty());
  try {
    make_kernel_estimator(*store, profile, PredictorKind::forest);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown);
    EXPECT_EQ(error.remedy(), Remedy::fit_kernels);
    EXPECT_EQ(error.about(), "forest");
  }
}

}  // namespace
}  // namespace ampere
