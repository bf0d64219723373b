#include "ampere/rig.h"

#include <fmt/format.h>

#include "ampere/error.h"

namespace ampere {

Timing Rig::time(const Model&, const Setup&) {
  throw Error(
      ErrorCode::usage,
      fmt::format("{}: this rig measures energy but does not time steps; where it is behind "
                  "a runner, update it",
                  device().name));
}

Pace Rig::pace(const Model&, const Model&, const Setup&) {
  throw Error(ErrorCode::usage,
              fmt::format("{}: this rig does not train two networks by turns; where it is behind a "
                          "runner, update it",
                          device().name));
}

Window Rig::idle_after(const Model&, const Setup&) {
  throw Error(ErrorCode::usage,
              fmt::format("{}: this rig does not measure the device at rest; where it is behind a "
                          "runner, update it",
                          device().name));
}

namespace {

[[noreturn]] void refuse_data(const Rig& rig) {
  throw Error(ErrorCode::usage,
              fmt::format("{}: this rig does not train on data; use one with a runner of this "
                          "version, such as --rig local",
                          rig.device().name));
}

}  // namespace

DataInfo Rig::describe_data(const std::string&) { refuse_data(*this); }

TrainingResult Rig::train(const TrainingTask&, const TrainingListener&) { refuse_data(*this); }

}  // namespace ampere
