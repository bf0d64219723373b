// What a rig can be asked and what it answers: plain values that are sent, recorded and replayed.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <variant>

#include "ampere/measurement.h"
#include "ampere/model.h"
#include "ampere/training.h"

namespace ampere {

// What a rig can do. It refuses requests that need anything else.
enum class Ability {
  measure,    // energy and time per iteration
  phases,     // the phases forward, backward and update
  inference,  // the phase inference
  time,       // the time of one step, and the phase block
  pace,       // two networks trained in turn
  idle,       // the power of the idle device
  train,      // training on a data set, and describing one
};
using Abilities = std::set<Ability>;

// Energy and time per iteration, as precisely as asked for.
struct MeasureRequest {
  using Result = Measurement;
  static constexpr Ability kAbility = Ability::measure;
  Model model;
  Setup setup;
  Precision precision;
};

// How long one step takes: a few milliseconds of work, without a meter.
struct TimeRequest {
  using Result = Timing;
  static constexpr Ability kAbility = Ability::time;
  Model model;
  Setup setup;
};

// The time per iteration of the network and of a reference trained in turn with it.
struct PaceRequest {
  using Result = Pace;
  static constexpr Ability kAbility = Ability::pace;
  Model model, reference;
  Setup setup;
};

// A window without iterations: about one second of rest directly after training the network, while
// the clocks of the device are still high.
struct IdleRequest {
  using Result = Window;
  static constexpr Ability kAbility = Ability::idle;
  Model model;
  Setup setup;
};

// What a data set on the machine of the device contains.
struct DataRequest {
  using Result = DataInfo;
  static constexpr Ability kAbility = Ability::train;
  std::string data;
};

// Training on a data set.
struct TrainRequest {
  using Result = TrainingResult;
  static constexpr Ability kAbility = Ability::train;
  TrainingTask task;
};

// The answer to a request is the alternative at the same position.
using Request =
    std::variant<MeasureRequest, TimeRequest, PaceRequest, IdleRequest, DataRequest, TrainRequest>;
using RigAnswer = std::variant<Measurement, Timing, Pace, Window, DataInfo, TrainingResult>;

// Null where the request has none.
const Model* model_of(const Request& request);
const Setup* setup_of(const Request& request);

// What happens while a request is being answered. Each function may be empty.
struct RunListener {
  std::function<void(const Window&)> window;  // each one as it is taken, rejected ones included
  TrainingListener training = {};
};

}  // namespace ampere
