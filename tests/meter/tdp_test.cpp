#include "meter/modelled/tdp.h"

#include <gtest/gtest.h>

#include <set>

#include "meter/modelled/tdp_table.h"
#include "sysfs_tree.h"

namespace ampere {
namespace {

using testing_support::SysfsTree;

int watts_of(const std::string& name) {
  const auto tdp = find_tdp(name);
  return tdp ? tdp->watts : 0;
}

TEST(FindTdp, KnowsNamesAsTheKernelWritesThem) {
  EXPECT_EQ(watts_of("Intel(R) Core(TM) i7-8700K CPU @ 3.70GHz"), 95);
  EXPECT_EQ(watts_of("Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz"), 120);
  EXPECT_EQ(watts_of("Intel(R) Xeon(R) Gold 6154 CPU @ 3.00GHz"), 200);
  EXPECT_EQ(watts_of("11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz"), 28);
  EXPECT_EQ(watts_of("Intel(R) Core(TM) Ultra 7 155H"), 28);
  EXPECT_EQ(watts_of("AMD EPYC 7742 64-Core Processor"), 225);
  EXPECT_EQ(watts_of("AMD Ryzen 7 5800H with Radeon Graphics"), 45);
  EXPECT_EQ(watts_of("AMD Ryzen Threadripper PRO 3995WX 64-Cores"), 280);
  EXPECT_EQ(watts_of("AMD FX(tm)-8350 Eight-Core Processor"), 125);
  EXPECT_EQ(watts_of("Raspberry Pi 4 Model B Rev 1.2"), 7);
}

TEST(FindTdp, TakesNoNeighbourForIt) {
  EXPECT_FALSE(find_tdp("AMD EPYC"));
  EXPECT_FALSE(find_tdp("Intel(R) Xeon(R) CPU E5-2680 v9 @ 2.40GHz"));
  EXPECT_FALSE(find_tdp("AMD Ryzen 7 5800X9D"));
  EXPECT_FALSE(find_tdp("Raspberry Pi 40 Model B"));
  EXPECT_FALSE(find_tdp(""));
  EXPECT_NE(watts_of("AMD Ryzen 9 7950X"), watts_of("AMD Ryzen 9 7950X3D"));
}

TEST(TdpTable, HoldsEveryNameOnceAsItIsLookedUp) {
  std::set<std::string_view> names;
  for (const Tdp& row : processor_tdps()) {
    EXPECT_EQ(normal_cpu_name(row.name), row.name);
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_GT(row.watts, 0) << row.name;
    EXPECT_LE(row.watts, 500) << row.name;
    EXPECT_GE(row.threads, 1) << row.name;
    EXPECT_LE(row.watts / row.threads, 40) << row.name;
  }
  EXPECT_GT(names.size(), 150u);
}

TEST(ReadCpuInfo, CountsCoresAndPackages) {
  const SysfsTree tree;
  tree.write("cpuinfo",
             "processor\t: 0\nmodel name\t: A CPU\nphysical id\t: 0\n\n"
             "processor\t: 1\nmodel name\t: A CPU\nphysical id\t: 1\n");
  const CpuInfo info = read_cpu_info(tree.root());
  EXPECT_EQ(info.name, "A CPU");
  EXPECT_EQ(info.logical_cores, 2);
  EXPECT_EQ(info.packages, 2);
}

TEST(ReadCpuInfo, TakesTheNameOfTheBoardOnArm) {
  const SysfsTree tree;
  tree.write("cpuinfo", "processor\t: 0\nmodel name\t: ARMv7 Processor rev 3 (v7l)\n");
  tree.write("device-tree/model", std::string("Raspberry Pi 5 Model B Rev 1.0\0", 31));
  EXPECT_EQ(read_cpu_info(tree.root()).name, "Raspberry Pi 5 Model B Rev 1.0");
  tree.write("cpuinfo", "processor : 0\nModel : Raspberry Pi 3 Model B Plus Rev 1.3\n");
  EXPECT_EQ(watts_of(read_cpu_info(tree.root()).name), 6);
}

TEST(ReadCpuInfo, NeedsNothing) {
  const SysfsTree tree;
  EXPECT_EQ(read_cpu_info(tree.root() / "nowhere").name, "");
  tree.write("cpuinfo", "junk\n:::\n\xff\xfe");
  EXPECT_EQ(read_cpu_info(tree.root()).logical_cores, 1);
}

}  // namespace
}  // namespace ampere
