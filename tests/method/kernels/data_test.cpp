#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "ampere/error.h"
#include "method/kernels/kernel_data.h"

namespace ampere {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kHeader =
    "kernel,HW,CIN,COUT,KERNEL_SIZE,STRIDES,energy_mj,power_mw,latency_ms\n";

auto bad(int line, const std::string& reason) {
  return AllOf(Field(&BadRow::line, line), Field(&BadRow::reason, HasSubstr(reason)));
}

TableImport imported(const std::string& rows, const ImportOptions& options = {}) {
  return import_table(kHeader + rows, "kernels.csv", options);
}

TEST(KernelData, IsReadIntoJoulesWattsAndSeconds) {
  const TableImport result = imported("conv++bn++relu,56,64,128,3,1,12,3000,4\n");
  EXPECT_THAT(result.bad, IsEmpty());
  ASSERT_EQ(result.data.rows.size(), 1u);
  const TableRow& row = result.data.rows[0];
  EXPECT_EQ(row.name, "conv+bn+relu");
  EXPECT_EQ(to_string(row.config), "HW=56, CIN=64, COUT=128, KERNEL_SIZE=3, STRIDES=1");
  EXPECT_DOUBLE_EQ(row.energy_j, 0.012);
  EXPECT_DOUBLE_EQ(*row.power_w, 3);
  EXPECT_DOUBLE_EQ(*row.latency_s, 0.004);
  EXPECT_EQ(row.line, 2);
}

TEST(KernelData, LeavesOutSizesThatAreAsUsualOrDoNotApply) {
  const TableImport result = import_table(
      "kernel,HW,W,CIN,COUT,KERNEL_SIZE,STRIDES,PADDING,energy_mj\n"
      "dwconv+bn+relu,14,14,96,96,5,1,2,1\nrelu,14.0,,32.0,,,,,1\nconv,9,7,3,3,3,1,0,1\n",
      "kernels.csv");
  ASSERT_THAT(result.bad, IsEmpty());
  EXPECT_EQ(to_string(result.data.rows[0].config), "HW=14, CIN=96, KERNEL_SIZE=5, STRIDES=1");
  EXPECT_EQ(to_string(result.data.rows[1].config), "HW=14, CIN=32");
  EXPECT_EQ(to_string(result.data.rows[2].config),
            "HW=9, W=7, CIN=3, COUT=3, KERNEL_SIZE=3, STRIDES=1, PADDING=0");
}

TEST(KernelData, ListsEveryBadRowWithItsLineAndReason) {
  const TableImport result = imported(
      "conv,56,64,128,3,1,12,3000,4\n"     // 2
      "conv,57,64,128,3,1,0,3000,4\n"      // 3
      "conv,58,64,128,3,1,-1,3000,4\n"     // 4
      "conv,59,64,128,3,1,nan,3000,4\n"    // 5
      "conv,60,64,128,3,1,12\n"            // 6
      "conv,61,64,128,3,1,12,3000,4,9\n"   // 7
      "conv,62,64,128,3,1,20,3000,4\n"     // 8
      "conv,63,64,128,3,1,0.012,3000,4\n"  // 9
      "conv,64,64,,3,1,12,3000,4\n"        // 10
      "conv,65,64,128,3.5,1,12,3000,4\n"   // 11
      "conv,0,64,128,3,1,12,3000,4\n"      // 12
      "conv,67,64,128,3,1,12 mJ,3000,4\n"  // 13
      ",68,64,128,3,1,12,3000,4\n"         // 14
      "conv,\"69,64,128,3,1,12,3000,4\n"   // 15
      "conv,70,1e99,128,3,1,12,3000,4\n"   // 16
      "conv,71,64,128,3,1,,3000,4\n");     // 17
  ASSERT_EQ(result.data.rows.size(), 1u);
  EXPECT_THAT(result.bad,
              ElementsAre(bad(3, "energy is 0"), bad(4, "energy is -1"), bad(5, "finite"),
                          bad(6, "7 cells for 9"), bad(7, "10 cells for 9"),
                          bad(8, "is not power x latency"), bad(9, "another unit"),
                          bad(10, "needs COUT"), bad(11, "no size"), bad(12, "HW is 0"),
                          bad(13, "not a number"), bad(14, "kernel is empty"),
                          bad(15, "not closed"), bad(16, "no size"), bad(17, "energy is empty")));
}

TEST(KernelData, TakesNeitherOfTwoThatDisagree) {
  const TableImport result = imported(
      "conv,56,64,128,3,1,12,,\nconv,56,64,128,3,1,20,,\nconv,28,64,128,3,1,5,,\n"
      "conv,28,64,128,3,1,5.1,,\n");
  EXPECT_EQ(result.data.rows.size(), 2u) << "those that agree are repeats";
  EXPECT_THAT(result.bad, ElementsAre(bad(2, "12 mJ in line 2, 20 mJ in line 3"),
                                      bad(3, "12 mJ in line 2, 20 mJ in line 3")));
  EXPECT_THAT(
      imported("conv,56,64,128,3,1,12,,\nconv,56,64,128,3,1,20,,\n", {.repeat_tolerance = 0.5}).bad,
      IsEmpty());
}

TEST(KernelData, OfTwoDelegatesDoesNotDisagree) {
  const TableImport result = import_table(
      "kernel,delegate,HW,CIN,energy_mj\nrelu,CPU,56,64,12\nrelu,GPU,56,64,2\n", "kernels.csv");
  EXPECT_THAT(result.bad, IsEmpty());
  EXPECT_EQ(result.data.rows[1].labels.at("delegate"), "GPU");
}

TEST(KernelData, TakesOtherPeoplesColumns) {
  const TableImport result =
      import_table("cin,input_h,Energy(mJ),note\n64,56,12,x\n", "kernels.csv",
                   {.columns = "energy_mj=Energy(mJ), HW=input_h", .kernel = "relu"});
  ASSERT_EQ(result.data.rows.size(), 1u);
  EXPECT_EQ(result.data.rows[0].name, "relu");
  EXPECT_EQ(to_string(result.data.rows[0].config), "HW=56, CIN=64");
  EXPECT_THAT(result.notes, Contains("line 1: columns without a meaning here: note"));
}

TEST(KernelData, MakesEnergyOfPowerAndLatencyWhereItIsNotThere) {
  const TableImport result =
      import_table("kernel,HW,CIN,power_w,latency_us\nrelu,56,64,2,500\nrelu,28,64,2,\n", "k.csv");
  ASSERT_EQ(result.data.rows.size(), 1u);
  EXPECT_DOUBLE_EQ(result.data.rows[0].energy_j, 1e-3);
  EXPECT_THAT(result.bad, ElementsAre(bad(3, "there is no energy")));
}

TEST(KernelData, NotesSingleRowsAndSizesThatNeverVary) {
  const TableImport result = imported(
      "conv,56,64,128,3,1,12,,\nconv,28,32,64,3,1,3,,\nconv,14,32,32,3,2,1,,\nfc,,9,9,,,1,,\n");
  EXPECT_THAT(result.notes, Contains(HasSubstr("KERNEL_SIZE is 3 in all 3 rows (lines 2 to 4)")));
  EXPECT_THAT(result.notes, Contains(HasSubstr("fc has a single row (line 5)")));
}

std::string refusal(const std::string& csv, const ImportOptions& options = {}) {
  try {
    import_table(csv, "kernels.csv", options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "taken";
}

TEST(KernelData, RefusesATableThatCannotBeUnderstood) {
  EXPECT_THAT(refusal(""), HasSubstr("is empty"));
  EXPECT_THAT(refusal(kHeader), HasSubstr("no rows"));
  EXPECT_THAT(refusal("# a\nkernel,HW\nx,1\n"), HasSubstr("line 2: there is neither"));
  EXPECT_THAT(refusal("HW,energy_mj\n1,1\n"), HasSubstr("no column kernel, model or application"));
  EXPECT_THAT(refusal("kernel,energy_mj,energy_j\n"), HasSubstr("one quantity in two units"));
  EXPECT_THAT(refusal("kernel,energy_mj,energy_mj\n"), HasSubstr("there twice"));
  EXPECT_THAT(refusal("kernel;energy_mj\n"), HasSubstr("apart by ';'"));
  EXPECT_THAT(refusal("kernel,\"energy_mj\n"), HasSubstr("not closed"));
  EXPECT_THAT(refusal(kHeader, {.columns = "KERNELSIZE=HW"}),
              HasSubstr("did you mean 'KERNEL_SIZE'?"));
  EXPECT_THAT(refusal(kHeader, {.columns = "HW=height"}), HasSubstr("no column 'height'"));
}

TEST(KernelData, IsReadBackAsItWasWritten) {
  EnergyTable data;
  data.environment = {{"device", "phone, \"old\""}, {"runtime", "lite\n2.1"}};
  data.rows.push_back({"conv+bn+relu",
                       {{"HW", 56}, {"CIN", 64}, {"COUT", 128}, {"KERNEL_SIZE", 3}, {"STRIDES", 1}},
                       {{"delegate", "CPU, 4 threads"}},
                       0.0123456,
                       3.5,
                       0.0123456 / 3.5});
  data.rows.push_back({"fc", {{"CIN", 9}, {"COUT", 10}}, {}, 1e-7});
  const TableImport result = import_table(export_table(data), "own.csv");
  EXPECT_THAT(result.bad, IsEmpty());
  EXPECT_EQ(result.data.environment.at("device"), "phone, \"old\"");
  EXPECT_EQ(result.data.environment.at("runtime"), "lite 2.1");
  ASSERT_EQ(result.data.rows.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(result.data.rows[i].name, data.rows[i].name);
    EXPECT_EQ(result.data.rows[i].config, data.rows[i].config);
    EXPECT_EQ(result.data.rows[i].labels, data.rows[i].labels);
    EXPECT_NEAR(result.data.rows[i].energy_j / data.rows[i].energy_j, 1, 1e-11);
    EXPECT_EQ(result.data.rows[i].power_w.has_value(), data.rows[i].power_w.has_value());
  }
}

TEST(KernelData, IsOfTheSourceThatItSays) {
  const std::string rows = "kernel,HW,CIN,energy_mj,source\nrelu,7,8,1,modelled\nrelu,7,9,1,\n";
  const TableImport silent = import_table(rows, "k.csv");
  EXPECT_EQ(source_of(silent.data, silent.data.rows.at(0)), Source::modelled);
  EXPECT_THROW(source_of(silent.data, silent.data.rows.at(1)), Error);
  const TableImport told = import_table(rows, "k.csv", {.source = Source::simulated});
  EXPECT_EQ(source_of(told.data, told.data.rows.at(0)), Source::modelled);
  EXPECT_EQ(source_of(told.data, told.data.rows.at(1)), Source::simulated);
  const TableImport says =
      import_table("# source: measured\n" + rows, "k.csv", {.source = Source::simulated});
  EXPECT_EQ(source_of(says.data, says.data.rows.at(1)), Source::measured) << "the file knows";
  const TableImport wrong = import_table(rows + "relu,7,10,1,guessed\n", "k.csv");
  ASSERT_EQ(wrong.bad.size(), 1u);
  EXPECT_THAT(wrong.bad[0].reason, HasSubstr("'guessed' is not a source"));
}

TEST(KernelData, IsReadOrRefusedWhateverIsDoneToIt) {
  const std::string whole =
      "# device: a\n" + kHeader + "conv,56,64,128,3,1,12,3000,4\nrelu,\"7\",8,,,,1,,\n";
  std::mt19937_64 random(1);
  int taken = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = whole;
    for (int change = 0; change < 3; ++change)
      text[random() % text.size()] = static_cast<char>("\"\n\r,#-.e9\0\xff"[random() % 11]);
    try {
      const TableImport result = import_table(text, "kernels.csv");
      for (const TableRow& row : result.data.rows) EXPECT_GT(row.energy_j, 0) << text;
      ++taken;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage) << text;
    }
  }
  EXPECT_GT(taken, 300);
}

TEST(ModelData, KeepsNetworksAndApplicationsByName) {
  const TableImport models = import_table("model,energy_mj,HW\nresnet18,250,7\n", "models.csv");
  EXPECT_EQ(models.data.level, TableLevel::model);
  EXPECT_EQ(models.data.rows[0].name, "resnet18");
  EXPECT_TRUE(models.data.rows[0].config.empty());
  const TableImport applications = import_table(
      "application,network,precision,delegate,energy_j\nsegmentation,DeepLab v3,fp32,GPU,2\n",
      "applications.csv");
  EXPECT_EQ(applications.data.level, TableLevel::application);
  EXPECT_EQ(applications.data.rows[0].labels.at("network"), "DeepLab v3");
  const TableImport again = import_table(export_table(applications.data), "again.csv");
  EXPECT_EQ(again.data.level, TableLevel::application);
  EXPECT_EQ(again.data.rows[0].labels, applications.data.rows[0].labels);
}

EnergyTable level_table(TableLevel level, TableRow row) {
  EnergyTable table;
  table.level = level;
  table.environment = {{"device", "Some Phone"}, {"source", "simulated"}};
  row.energy_j = 0.5;
  table.rows.push_back(std::move(row));
  return table;
}

TEST(AllLevels, AreOneFileThatSaysTheLevelAndSourceOfEachRow) {
  const std::vector<EnergyTable> tables{
      level_table(TableLevel::kernel, {"relu", {{"HW", 7}, {"CIN", 3}}}),
      level_table(TableLevel::model, {"resnet18"}),
      level_table(TableLevel::application, {"super-resolution", {}, {{"network", "fsrcnn"}}})};
  const std::string csv = export_tables(tables);
  EXPECT_EQ(csv,
            "# device: Some Phone\n# source: simulated\n"
            "level,name,source,network,HW,CIN,energy_mj,power_mw,latency_ms\n"
            "kernel,relu,simulated,,7,3,500,,\n"
            "model,resnet18,simulated,,,,500,,\n"
            "application,super-resolution,simulated,fsrcnn,,,500,,\n");
  const std::vector<TableImport> again = import_tables(csv, "all.csv");
  ASSERT_EQ(again.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(again[i].data.level, tables[i].level);
    EXPECT_TRUE(again[i].bad.empty());
    ASSERT_EQ(again[i].data.rows.size(), 1u);
    EXPECT_EQ(again[i].data.rows[0].name, tables[i].rows[0].name);
    EXPECT_EQ(again[i].data.rows[0].config, tables[i].rows[0].config);
    EXPECT_EQ(source_of(again[i].data, again[i].data.rows[0]), Source::simulated);
  }
  EXPECT_TRUE(again[1].notes.empty()) << "sizes are those of the kernels";
  EXPECT_EQ(again[2].data.rows[0].labels.at("network"), "fsrcnn");
  EXPECT_THROW(import_table(csv, "all.csv"), Error) << "one table is wanted";
}

TEST(AllLevels, RowsOfNoLevelAreBad) {
  const auto tables = import_tables(
      "level,name,energy_mj\nmodel,lenet5,1\nchair,x,1\nmodel\nmodel,cnn5,0\n\"model,x,1\n",
      "a.csv");
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].data.rows.size(), 1u);
  ASSERT_EQ(tables[0].bad.size(), 4u);
  EXPECT_EQ(tables[0].bad[0],
            (BadRow{3, "the level 'chair' is none of kernel, model and application"}));
  EXPECT_THAT(tables[0].bad[1].reason, HasSubstr("1 cells for 3 columns"));
  EXPECT_THAT(tables[0].bad[2].reason, HasSubstr("energy is 0"));
  const auto none = import_tables("level,name,energy_mj\nsofa,x,1\n", "a.csv");
  ASSERT_EQ(none.size(), 1u);
  EXPECT_TRUE(none[0].data.rows.empty());
  EXPECT_EQ(none[0].bad.size(), 1u);
  EXPECT_THAT(refusal("level,energy_mj\nmodel,1\n"), HasSubstr("no column name"));
}

}  // namespace
}  // namespace ampere
