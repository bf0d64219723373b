// One iteration of a network as PyTorch executes it, derived from the network alone.
#include <fmt/format.h>

#include "ampere/error.h"
#include "ampere/program.h"
#include "lowering/eager.h"
#include "lowering/network.h"
#include "lowering/optimizers.h"
#include "lowering/pointwise.h"
#include "lowering/reductions.h"
#include "lowering/views.h"
#include "program/tf32.h"

namespace ampere {
namespace {

using namespace lowering;

std::optional<ElementType> low_format(const std::string& precision) {
  if (precision == "bf16") return ElementType::bf16;
  if (precision == "fp16") return ElementType::fp16;
  return std::nullopt;
}

void check(const Setup& setup, const Dialect& dialect) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorCode::usage, why); };
  if (setup.options.compiled)
    refuse("a compiled network cannot be lowered: the compiler chooses what the device executes");
  if (setup.options.channels_last && dialect.is_cuda)
    refuse(
        "channels last cannot be lowered for CUDA: it is not known which kernels keep that order");
  if (low_format(setup.precision) && !dialect.is_cuda)
    refuse(setup.precision + " cannot be lowered for the CPU: its autocast is not known");
  if (setup.options.fused && !dialect.is_cuda && setup.phase != Phase::inference)
    refuse("fused optimizers cannot be lowered for the CPU: PyTorch 1.13 has them only on CUDA");
  if (setup.precision == "tf32" && !dialect.is_cuda) refuse("a CPU has no TF32");
}

bool classifies(const TensorShape& output) {
  return (output.layout == Layout::flat || output.layout == Layout::sequence) &&
         output.channels >= 2;
}

// The worker's iteration, phase by phase.
class Iteration {
 public:
  Iteration(Eager& eager, const Model& model, const Setup& setup)
      : eager_(eager), model_(model), setup_(setup), network_(eager, model, setup) {
    if (setup.phase == Phase::inference) {
      eager.keeps_graph = false;
      return;
    }
    trained_ = make_trained(eager, network_.learned(), setup);
    if (setup.precision == "fp16" && !trained_.empty()) scaler_.emplace(eager);
    if (classifies(model.output().output))
      labels_ =
          eager.make(dense(ElementType::int64, {setup.batch * model.output().output.positions()}),
                     StorageKind::input);
  }

  // Runs the phase once and returns how often modules were called.
  std::int64_t run() {
    const std::int64_t parts = setup_.phase == Phase::inference ? 1 : setup_.options.accumulation;
    switch (setup_.phase) {
      case Phase::inference:
        forward();
        break;
      case Phase::iteration:
        for (std::int64_t i = 0; i < parts; ++i) step(parts);
        update_weights();
        break;
      case Phase::forward:
        for (std::int64_t i = 0; i < parts; ++i) output_ = forward();
        break;
      case Phase::block:
        for (std::int64_t i = 0; i < parts; ++i) pass_back(forward(), false);
        update_weights();
        break;
      case Phase::backward:
        prepare([&] { output_ = forward(); });
        for (std::int64_t i = 0; i < parts; ++i) pass_back(output_, true);
        eager_.drop_gradients();
        break;
      case Phase::update:
        prepare([&] { pass_back(forward(), false); });
        update_weights();
        break;
    }
    return calls_;
  }

 private:
  // Before the iteration that counts.
  template <class Action>
  void prepare(Action action) {
    eager_.recorder.paused = true;
    action();
    eager_.recorder.paused = false;
    calls_ = 0;
  }

  Tensor forward() {
    eager_.recorder.phase = ProgramPhase::forward;
    eager_.low_format = low_format(setup_.precision);
    Tensor output = network_.forward();
    calls_ += network_.module_calls();
    if (setup_.phase != Phase::iteration) leave_autocast();
    return output;
  }

  void leave_autocast() {
    eager_.low_format.reset();
    eager_.cast_weights.clear();
  }

  Tensor loss_of(Tensor output, std::int64_t parts) {
    eager_.recorder.phase = ProgramPhase::loss;
    Tensor loss;
    if (classifies(model_.output().output)) {
      if (model_.output().output.layout == Layout::sequence) output = flatten(eager_, output, 0, 1);
      eager_.recorder.module = eager_.recorder.module_of("CrossEntropyLoss");
      ++calls_;
      loss = cross_entropy(eager_, output, labels_);
      eager_.recorder.module = 0;
    } else {
      loss = mean_of_squares(eager_, output);
    }
    if (parts > 1) loss = divide_number(eager_, loss, parts);
    leave_autocast();
    return loss;
  }

  void step(std::int64_t parts) {
    loss_ = loss_of(forward(), parts);
    check_trainable(loss_);
    const Tensor root = scaler_ ? scaler_->scaled(loss_) : loss_;
    eager_.recorder.phase = ProgramPhase::backward;
    Keywords keywords{{"memory_format", "preserve_format"}};
    if (eager_.dialect.names_format_of_ones)
      keywords = {{"dtype", root.type.element}, {"layout", "strided"}, keywords[0]};
    const Tensor one = eager_.run("ones_like", {root}, root.type, std::move(keywords));
    eager_.walk_back(root, one, false);
  }

  void pass_back(const Tensor& output, bool keep_graph) {
    check_trainable(output);
    if (!gradient_.defined()) gradient_ = eager_.make(same_type(output), StorageKind::input);
    eager_.recorder.phase = ProgramPhase::backward;
    eager_.walk_back(output, gradient_, keep_graph);
  }

  void update_weights() {
    eager_.recorder.phase = ProgramPhase::update;
    update(eager_, trained_, setup_, scaler_ ? &*scaler_ : nullptr);
    eager_.drop_gradients();
  }

  void check_trainable(const Tensor& output) const {
    if (!output.needs_gradient())
      throw Error(ErrorCode::usage, model_.name() +
                                        ": nothing to train: no parameter and no "
                                        "boundary input reaches the output");
  }

  Eager& eager_;
  const Model& model_;
  const Setup& setup_;
  Network network_;
  std::vector<Trained> trained_;
  std::optional<GradientScaler> scaler_;  // in fp16
  Tensor labels_, loss_;
  Tensor output_;    // of the forward pass that is kept
  Tensor gradient_;  // of the output
  std::int64_t calls_ = 0;
};

std::int64_t trained_numbers(const Model& model) {
  std::int64_t numbers = 0;
  for (const Layer& layer : model.layers())
    for (const WeightShape& shape : weight_shapes(layer, model))
      if (shape.learned && !(layer.shares >= 0 && shape.name == "weight"))
        numbers += product(shape.sizes);
  return numbers;
}

}  // namespace

Program lower(const Model& model, const Setup& setup, const Dialect& dialect) {
  check(setup, dialect);
  Program program;
  program.name = model.name();
  program.origin = {TraceWay::lowered, dialect.framework, dialect.is_cuda ? "cuda" : "cpu"};
  program.setup = setup;
  const bool once = setup.phase == Phase::inference;
  program.samples = setup.batch * (once ? 1 : setup.options.accumulation);
  program.parameters = trained_numbers(model);
  Recorder recorder(std::move(program));
  recorder.module_of("");
  Eager eager(recorder, dialect);
  Iteration iteration(eager, model, setup);
  const std::int64_t calls = iteration.run();
  Program result = std::move(recorder).finish();
  result.module_calls = calls;
  if (setup.precision == "tf32") allow_tf32(result);
  return result;
}

Dialect cpu_dialect() {
  Dialect dialect;
  dialect.framework = "torch 1.13";
  dialect.is_cuda = false;
  dialect.updates_in_lists = false;
  dialect.fused_attention = false;
  dialect.recurrent_in_one_call = false;
  dialect.drops_in_one_call = false;
  dialect.folds_transposed_batches = false;
  dialect.names_strides_of_views = true;
  dialect.spreads_slopes = false;
  dialect.resizes_by_vectors = true;
  dialect.slices_every_axis = true;
  dialect.zeros_in_two_calls = true;
  dialect.names_format_of_ones = true;
  dialect.detaches_per_gradient = 2;
  return dialect;
}

}  // namespace ampere
