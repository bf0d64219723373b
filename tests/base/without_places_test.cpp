#include "base/without_places.h"

#include <gtest/gtest.h>

namespace ampere {
namespace {

TEST(WithoutPlaces, KeepsTheNamesOfFilesAlone) {
  EXPECT_EQ(without_places("cannot run '/home/me/bin/runner': No such file"),
            "cannot run 'runner': No such file");
  EXPECT_EQ(without_places("~/models/a.onnx: 3 J / iteration, 1/2, a/b"),
            "a.onnx: 3 J / iteration, 1/2, a/b");
  EXPECT_EQ(without_places("the runner ended with status 1; it said:\n  me@host: denied"),
            "the runner ended with status 1");
  EXPECT_EQ(without_places(""), "");
}

TEST(WithoutPlaces, LeavesCommandsOut) {
  EXPECT_EQ(without_command("cmd:ssh me@jetson /home/me/ampere-runner"), "cmd");
  EXPECT_EQ(without_command("stream:ssh me@bench meter,clock=unix (integrated)"), "stream");
  EXPECT_EQ(without_command("recorded:/home/me/gpu.jsonl.gz"), "recorded:gpu.jsonl.gz");
  for (const char* plain : {"local", "cuda:0", "sim:xavier", "nvml:0 (energy counter)", ""})
    EXPECT_EQ(without_command(plain), plain);
}

}  // namespace
}  // namespace ampere
