// A trainer and a meter on one device under the measuring protocol; and what a rig can be asked and
// what it answers: plain values that are sent, recorded and replayed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "ampere/measurement.h"
#include "ampere/model.h"
#include "ampere/program.h"
#include "ampere/progress.h"
#include "ampere/train.h"

namespace ampere {

// What a rig can do. It refuses requests that need anything else.
enum class Ability {
  measure,           // energy and time per iteration
  phases,            // the phases forward, backward and update
  inference,         // the phase inference
  time,              // the time of one step, and the phase block
  pace,              // two networks trained in turn
  idle,              // the power of the idle device
  train,             // training on a data set, and describing one
  work,              // so many iterations within so much energy
  scripts,           // a training step that the user wrote
  operations,        // tracing a step, and timing operations alone
  operation_energy,  // energy and time of one operation that is called again and again
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

// So many iterations on random data, as one job of many does them. Everything counts, from before
// the network is built until the device is idle and the meter has shown it.
struct WorkDone {
  std::int64_t iterations = 0;  // fewer than asked for when the energy would not have sufficed
  Joules energy;
  Seconds time{};
  Source source = Source::measured;
};
struct WorkRequest {
  using Result = WorkDone;
  static constexpr Ability kAbility = Ability::work;
  Model model;
  Setup setup;
  std::int64_t iterations = 1;
  // Not exceeded. What building the network and its first iteration take cannot be foreseen, so the
  // limit must be more than that. A request for the network of the request before it builds
  // nothing.
  std::optional<Joules> stop_at = {};
};

// Energy and time per iteration of a training step that the user wrote, or of one call of the
// language model that a script makes.
struct ScriptMeasurement {
  Measurement measurement;
  ScriptInfo script;
};
struct ScriptRequest {
  using Result = ScriptMeasurement;
  static constexpr Ability kAbility = Ability::scripts;
  Script script;
  Precision precision;
  // As in a TraceRequest. The call is repeated without gradients, each time with the same cache.
  std::optional<GenerationStep> generation = {};
  std::string number_format = {};
};

// One iteration as the framework of the rig executes it, of a network or of the user's own step.
// Nothing is measured.
struct Trace {
  Program program;
  std::vector<std::string> notes;
};
struct TraceRequest {
  using Result = Trace;
  static constexpr Ability kAbility = Ability::operations;
  struct Network {
    Model model;
    Setup setup;
  };
  std::variant<Network, Script> step;
  std::optional<TraceWay> way = {};  // fake or run; absent: fake where that works, otherwise run
  // One call of the language model that a script makes, instead of a training step; without the
  // bytes of the cache. The model's numbers are converted to this format; empty: they stay.
  std::optional<GenerationStep> generation = {};
  std::string number_format = {};
};

// The time of each operation alone, or why it could not be timed.
struct OperationTimes {
  std::vector<std::variant<StepTimes, std::string>> each;  // in the order of the request
};
struct OperationTimesRequest {
  using Result = OperationTimes;
  static constexpr Ability kAbility = Ability::operations;
  std::vector<TensorType> tensors;
  std::vector<Operation> operations;  // with indices into `tensors`
};

// Energy and time per call of one operation, on numbers like those in a network where it takes
// such. The device works in short bursts and rests as long after each, so that its power limit does
// not lower its clock. The time contains these rests.
struct OperationMeasurement {
  Measurement measurement;
};
struct OperationRequest {
  using Result = OperationMeasurement;
  static constexpr Ability kAbility = Ability::operation_energy;
  std::vector<TensorType> tensors;
  Operation operation;  // with indices into `tensors`
  Precision precision;
  // Numbers of fp32 are as they come out of operations in 16 bits, as most are in mixed precision.
  bool rounded = false;
};

// The answer to a request is the alternative at the same position.
using Request =
    std::variant<MeasureRequest, TimeRequest, PaceRequest, IdleRequest, DataRequest, TrainRequest,
                 WorkRequest, ScriptRequest, TraceRequest, OperationTimesRequest, OperationRequest>;
using RigAnswer =
    std::variant<Measurement, Timing, Pace, Window, DataInfo, TrainingResult, WorkDone,
                 ScriptMeasurement, Trace, OperationTimes, OperationMeasurement>;

// Null where the request has none.
const Model* model_of(const Request& request);
const Setup* setup_of(const Request& request);

// What happens while a request is being answered. Each function may be empty.
struct RunListener {
  std::function<void(const Window&)> window;  // each one as it is taken, rejected ones included
  TrainingListener training = {};
  std::function<void(const WorkDone&)> work = {};  // what is done so far, about once per second
};

// What a measurement depends on apart from the network. Devices with equal fingerprints share
// measurements.
struct DeviceInfo {
  std::string name;      // "NVIDIA H200", "AMD EPYC (2 cores)", "simulated Jetson Xavier"
  std::string hardware;  // cores, memory, chip
  std::string driver;
  std::string framework;   // "libtorch 1.13.1, OpenBLAS"
  std::string meter;       // "nvml:0 (energy counter)"
  std::string power_mode;  // power limit or governor; "unknown" when it cannot be read
  Source source = Source::measured;
  std::string fingerprint;  // 16 hex digits over all of the above
};
std::string fingerprint_of(const DeviceInfo& device);

// The bytes of memory that `hardware` names, as in "132 multiprocessors, 140 GiB"; nothing where it
// names none.
std::optional<std::int64_t> memory_of(const DeviceInfo& device);

class Rig {
 public:
  virtual ~Rig() = default;
  virtual const DeviceInfo& device() const = 0;
  virtual Abilities abilities() const = 0;
  virtual SetupRange setups() const { return {}; }

  // False for requests that can only fail: one that needs a missing ability, or a network that a
  // recording does not contain.
  virtual bool can_answer(const Request& request) const;

  // What whoever uses the answers given so far should know: a recording that was asked more often
  // than it has answers repeats the last one.
  virtual std::vector<std::string> warnings() const { return {}; }

  // Throws Error(usage) when the rig lacks an ability that the request needs, and Error(failed)
  // when the request failed (out of memory, the runner died): the rig is usable again afterwards.
  // After an error of another code there is no point in going on.
  RigAnswer run(const Request& request, const RunListener& listener = {});

  // The requests by name. All throw as run() does.
  Measurement measure(const Model& model, const Setup& setup, const Precision& precision);
  Timing time(const Model& model, const Setup& setup);
  Pace pace(const Model& model, const Model& reference, const Setup& setup);
  Window idle_after(const Model& load, const Setup& setup);
  // These two also throw Error(unknown) when there is no such data set, and Error(usage) when it is
  // broken or does not fit the network.
  DataInfo describe_data(const std::string& data);
  TrainingResult train(const TrainingTask& task, const TrainingListener& listener = {});
  WorkDone work(const WorkRequest& request,
                const std::function<void(const WorkDone&)>& listener = {});
  ScriptMeasurement measure(const Script& script, const Precision& precision);
  ScriptMeasurement measure(const ScriptRequest& request);
  Trace trace(const TraceRequest& request);
  OperationTimes time(const std::vector<TensorType>& tensors,
                      const std::vector<Operation>& operations);
  Measurement measure(const OperationRequest& request);

  bool can_time() const { return abilities().contains(Ability::time); }
  bool can_pace() const { return abilities().contains(Ability::pace); }
  bool can_idle() const { return abilities().contains(Ability::idle); }
  bool can_train() const { return abilities().contains(Ability::train); }
  bool can_work() const { return abilities().contains(Ability::work); }
  bool can_measure(const Model& model, const Setup& setup) const;

 protected:
  // Throws Error(usage) that names what is missing.
  void require_abilities(const Request& request) const;

 private:
  // Called for requests whose abilities the rig has; throws as run() does.
  virtual RigAnswer answer(const Request& request, const RunListener& listener) = 0;
};

// Programs and operations on a device, for trainers whose framework can tell.
class Tracer {
 public:
  virtual ~Tracer() = default;
  // Both throw as Rig::run() does.
  virtual Trace trace(const TraceRequest& request) = 0;
  virtual OperationTimes time(const OperationTimesRequest& request) = 0;
};

struct RigOptions {
  std::string meter;         // spec for open_meter on the device; empty: the best available
  std::string runner;        // path of ampere-runner; empty: beside the program, then PATH
  int seed = 0;              // for simulated devices
  bool pin_threads = false;  // of a runner on this machine, each to a processor
  bool verbose = false;      // write the log of the runner to stderr
  StopToken stop = {};       // ends the wait for a runner: requests then throw Error(interrupted)
  // Of the rig "torch": its interpreter (empty: the first one that has PyTorch), and how long its
  // worker may build or train without an answer (absent: 900 s and 300 s).
  std::string python = {};
  std::optional<Seconds> step_timeout = {};
};

// "local", "cpu", "cpu:1" (with one thread), "cuda:0", "torch", "torch:cuda:0" (the PyTorch of a
// Python interpreter), "cmd:<command line>", "sim:<device>", "recorded:<file>". Throws Error(usage)
// for a bad spec and Error(unknown) when there is no such device or file.
std::unique_ptr<Rig> open_rig(const std::string& spec, const RigOptions& options = {});

// Passes every request on to `rig` and appends the answers to a file that `recorded:` replays.
// Throws Error(usage) when the file is something else or a recording of another device, and
// Error(permission) when it cannot be written.
std::unique_ptr<Rig> make_recording_rig(std::unique_ptr<Rig> rig, const std::string& path);

struct SimDevice {
  std::string name;         // "xavier"
  std::string description;  // its cost law in one sentence
};
const std::vector<SimDevice>& sim_devices();

}  // namespace ampere
