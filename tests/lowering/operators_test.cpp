// What single operators become, written out. Real traces of PyTorch 2.11 on a GPU look like this.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ampere/program.h"
#include "lowering/program_text.h"
#include "model/support.h"

namespace ampere {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::StartsWith;
using testing_support::lines_of;

Setup setup_of(const std::string& precision, Optimizer optimizer = Optimizer::sgd) {
  Setup setup;
  setup.batch = 8;
  setup.optimizer = optimizer;
  setup.precision = precision;
  return setup;
}

Model linear_layer() {
  ModelBuilder builder("linear");
  builder.add(Input{flat(9)});
  builder.add(Linear{4});
  return std::move(builder).build();
}

Model of(const TensorShape& shape, std::initializer_list<Op> ops, bool boundary = false) {
  ModelBuilder builder("network");
  builder.add(Input{shape, boundary});
  for (const Op& op : ops) builder.add(op);
  return std::move(builder).build();
}

TEST(Lowering, WritesALinearLayerWithItsLossAndItsGradients) {
  const Program program = lower(linear_layer(), setup_of("fp32"));
  EXPECT_THAT(lines_of(program, ProgramPhase::forward),
              ElementsAre("addmm(fp32[4], fp32[8,9], fp32[9,4]/[1,9]) -> fp32[8,4]"));
  EXPECT_THAT(
      lines_of(program, ProgramPhase::loss),
      ElementsAre("_log_softmax(fp32[8,4], 1, false) -> fp32[8,4]",
                  "nll_loss_forward(fp32[8,4], int64[8], null, 1, -100) -> fp32[], fp32[]"));
  // The data need no gradient, so only the weight and the bias have one.
  EXPECT_THAT(
      lines_of(program, ProgramPhase::backward),
      ElementsAre("ones_like(fp32[], memory_format=\"preserve_format\") -> fp32[]",
                  "nll_loss_backward(fp32[], fp32[8,4], int64[8], null, 1, -100, fp32[]) -> "
                  "fp32[8,4]",
                  "_log_softmax_backward_data(fp32[8,4], fp32[8,4], 1, \"fp32\") -> fp32[8,4]",
                  "mm(fp32[4,8]/[1,4], fp32[8,9]) -> fp32[4,9]",
                  "sum.dim_IntList(fp32[8,4], [0], true) -> fp32[1,4]"));
  EXPECT_THAT(
      lines_of(program, ProgramPhase::update),
      ElementsAre("_foreach_mul_.Scalar([fp32[4,9], fp32[4]], 0.9f) -> ",
                  "_foreach_add_.List([fp32[4,9], fp32[4]], [fp32[4,9], fp32[4]]) -> ",
                  "_foreach_add_.List([fp32[4,9], fp32[4]], [fp32[4,9], fp32[4]], alpha=-0f) -> "));
  EXPECT_EQ(program.parameters, 40);
  EXPECT_EQ(program.module_calls, 3);  // the network, the layer and the loss
  EXPECT_EQ(program.origin.way, TraceWay::lowered);
}

TEST(Lowering, CastsWeightsAndGradientsUnderAutocast) {
  const Program program = lower(linear_layer(), setup_of("bf16"));
  EXPECT_THAT(lines_of(program, ProgramPhase::forward),
              ElementsAre("_to_copy(fp32[4], dtype=\"bf16\") -> bf16[4]",
                          "_to_copy(fp32[4,9], dtype=\"bf16\") -> bf16[4,9]",
                          "_to_copy(fp32[8,9], dtype=\"bf16\") -> bf16[8,9]",
                          "addmm(bf16[4], bf16[8,9], bf16[9,4]/[1,9]) -> bf16[8,4]"));
  EXPECT_THAT(
      lines_of(program, ProgramPhase::loss),
      ElementsAre("_log_softmax(bf16[8,4], 1, false) -> bf16[8,4]",
                  "_to_copy(bf16[8,4], dtype=\"fp32\") -> fp32[8,4]",
                  "nll_loss_forward(fp32[8,4], int64[8], null, 1, -100) -> fp32[], fp32[]"));
  EXPECT_THAT(lines_of(program, ProgramPhase::backward),
              Contains("_to_copy(bf16[4,9], dtype=\"fp32\", layout=\"strided\") -> fp32[4,9]"));
}

TEST(Lowering, CastsASharedWeightOncePerForwardPass) {
  ModelBuilder builder("tied");
  builder.add(Input{sequence(3, 6)});
  const int first = builder.add(Linear{6, false});
  builder.tie(builder.add(Linear{6, false}), first);
  const Model model = std::move(builder).build();
  auto setup = setup_of("bf16");
  setup.options.accumulation = 2;
  const std::string cast = "_to_copy(fp32[6,6], dtype=\"bf16\") -> bf16[6,6]";
  EXPECT_THAT(lines_of(lower(model, setup), ProgramPhase::forward), Contains(cast).Times(2));
}

TEST(Lowering, KeepsTheOrderOfMemoryOfAConvolution) {
  const Program program = lower(of(image(3, 8, 8), {conv(4, 3, 1), BatchNorm{}}), setup_of("fp32"));
  EXPECT_THAT(lines_of(program, ProgramPhase::forward),
              ElementsAre("convolution(fp32[8,3,8,8], fp32[4,3,3,3], fp32[4], [1, 1], [1, 1], "
                          "[1, 1], false, [0, 0], 1) -> fp32[8,4,8,8]",
                          "add_.Tensor(int64[], 1) -> int64[]",
                          "batch_norm(fp32[8,4,8,8], fp32[4], fp32[4], fp32[4], fp32[4], true, "
                          "0.1f, 1e-05f) -> fp32[8,4,8,8], fp32[4], fp32[4]"));
  EXPECT_THAT(lines_of(program, ProgramPhase::backward),
              Contains("convolution_backward(fp32[8,4,8,8], fp32[8,3,8,8], fp32[4,3,3,3], [4], "
                       "[1, 1], [1, 1], [1, 1], false, [0, 0], 1, [false, true, true]) -> null, "
                       "fp32[4,3,3,3], fp32[4]"));
}

TEST(Lowering, WritesFusedAttentionAsOneOperation) {
  const Model model = of(sequence(5, 16), {SelfAttention{2}}, true);
  const Program fused = lower(model, setup_of("fp32"));
  EXPECT_THAT(lines_of(fused, ProgramPhase::forward),
              Contains("attention(fp32[8,2,5,8]/[240,8,48,1], fp32[8,2,5,8]/[240,8,48,1], "
                       "fp32[8,2,5,8]/[240,8,48,1], null, 0f, false, null) -> "
                       "fp32[8,2,5,8]/[80,8,16,1], fp32[8,2,32]"));
  auto plain = setup_of("fp32");
  plain.options.plain_attention = true;
  const auto products = lines_of(lower(model, plain), ProgramPhase::forward);
  EXPECT_THAT(products, Contains(StartsWith("bmm(")).Times(2));
  EXPECT_THAT(products, Contains("_softmax(fp32[8,2,5,5], -1, false) -> fp32[8,2,5,5]"));
}

TEST(Lowering, WritesARecurrentLayerAsOneOperation) {
  Recurrent gru{Cell::gru, 5};
  const Program program = lower(of(sequence(7, 4), {gru}), setup_of("fp32"));
  EXPECT_THAT(lines_of(program, ProgramPhase::forward),
              ElementsAre("zeros([1, 8, 5], dtype=\"fp32\") -> fp32[1,8,5]",
                          "recurrent(fp32[8,7,4], [fp32[15,4], fp32[15,5], fp32[15], fp32[15]], "
                          "fp32[1,8,5], null, \"gru\", 5, 1, true, 0f, true, false) -> "
                          "fp32[8,7,5]/[5,40,1], fp32[1,8,5], null"));
}

TEST(Lowering, AddsUpGradientsOfMicroBatches) {
  auto setup = setup_of("fp32");
  setup.options.accumulation = 3;
  const Program program = lower(linear_layer(), setup);
  EXPECT_EQ(program.samples, 24);
  const auto backward = lines_of(program, ProgramPhase::backward);
  EXPECT_THAT(backward, Contains("add_.Tensor(fp32[4,9], fp32[4,9]) -> fp32[4,9]").Times(2));
  EXPECT_THAT(lines_of(program, ProgramPhase::loss),
              Contains("div.Tensor(fp32[], 3) -> fp32[]").Times(3));
}

TEST(Lowering, UpdatesByEachOptimizer) {
  const auto update = [](Optimizer optimizer) {
    return lines_of(lower(linear_layer(), setup_of("fp32", optimizer)), ProgramPhase::update);
  };
  EXPECT_EQ(update(Optimizer::plain_sgd).size(), 1U);
  EXPECT_EQ(update(Optimizer::adam).size(), 7U);
  const auto adamw = update(Optimizer::adamw);
  ASSERT_EQ(adamw.size(), 8U);
  EXPECT_EQ(adamw[0], "_foreach_mul_.Scalar([fp32[4,9], fp32[4]], 1f) -> ");  // weight decay
  EXPECT_THAT(adamw[1], StartsWith("_foreach_lerp_.Scalar("));
  EXPECT_EQ(adamw[5],
            "_foreach_div_.ScalarList([fp32[4,9], fp32[4]], [0.0447101778122f, 0.0447101778122f]) "
            "-> ");
}

TEST(Lowering, WritesAFusedOptimizerAsOneOperation) {
  const auto update = [](Optimizer optimizer, std::optional<double> decay = {}) {
    auto setup = setup_of("fp32", optimizer);
    setup.options.fused = true;
    setup.options.weight_decay = decay;
    return lines_of(lower(linear_layer(), setup), ProgramPhase::update);
  };
  const std::string weights = "[fp32[4,9], fp32[4]]", steps = "[fp32[], fp32[]]";
  const std::string lists = weights + ", " + weights + ", " + weights;
  const std::string moments = "amsgrad=false, beta1=0.9f, beta2=0.999f, eps=1e-08f, ";
  EXPECT_THAT(update(Optimizer::plain_sgd),
              ElementsAre("_fused_sgd_(" + weights + ", " + weights +
                          ", [], dampening=0f, is_first_step=false, lr=0f, maximize=false, "
                          "momentum=0f, nesterov=false, weight_decay=0f) -> "));
  EXPECT_THAT(update(Optimizer::sgd, 0.1),
              ElementsAre("_fused_sgd_(" + lists +
                          ", dampening=0f, is_first_step=false, lr=0f, maximize=false, "
                          "momentum=0.9f, nesterov=false, weight_decay=0.1f) -> "));
  EXPECT_THAT(update(Optimizer::adam),
              ElementsAre("_foreach_add_.Scalar(" + steps + ", 1) -> ",
                          "_fused_adam_(" + lists + ", " + weights + ", [], " + steps + ", " +
                              moments + "lr=0f, maximize=false, weight_decay=0f) -> "));
}

TEST(Lowering, ScalesTheLossInFp16) {
  auto setup = setup_of("fp16");
  const Program program = lower(linear_layer(), setup);
  const auto loss = lines_of(program, ProgramPhase::loss);
  EXPECT_EQ(loss.back(), "mul.Tensor(fp32[], fp32[]) -> fp32[]");
  const auto backward = lines_of(program, ProgramPhase::backward);
  EXPECT_EQ(backward[1], "mul.Tensor(fp32[], fp32[]) -> fp32[]");
  const auto update = lines_of(program, ProgramPhase::update);
  ASSERT_EQ(update.size(), 11U);
  EXPECT_EQ(update[1], "reciprocal(fp64[]) -> fp64[]");
  EXPECT_EQ(update[6],
            "_amp_foreach_non_finite_check_and_unscale_([fp32[4,9], fp32[4]], fp32[], fp32[]) -> ");
  EXPECT_EQ(update[10], "_amp_update_scale_(fp32[], int32[], fp32[], 2f, 0.5f, 2000) -> fp32[]");
  const auto waits = [](const Program& of) {
    return std::ranges::count_if(
        of.steps, [&](const ProgramStep& step) { return of.operations[step.operation].waits; });
  };
  EXPECT_EQ(waits(program), 1);
  setup.options.fused = true;
  const Program fused = lower(linear_layer(), setup);
  EXPECT_EQ(waits(fused), 0);
  EXPECT_THAT(lines_of(fused, ProgramPhase::update),
              Contains(testing::HasSubstr("found_inf=fp32[], grad_scale=fp32[], ")));
}

TEST(Lowering, ScalesNothingInFp16WhereNoLossIsTrained) {
  const auto all = [](Phase phase) {
    return lower(linear_layer(), with_phase(setup_of("fp16"), phase));
  };
  EXPECT_THAT(lines_of(all(Phase::block), ProgramPhase::backward),
              Not(Contains(StartsWith("mul.Tensor("))));
  EXPECT_THAT(lines_of(all(Phase::update), ProgramPhase::update),
              Contains(StartsWith("_amp_update_scale_(")));
  EXPECT_TRUE(lines_of(all(Phase::forward), ProgramPhase::update).empty());
}

// cuDNN is given fp16, even where everything else is in bf16.
TEST(Lowering, CopiesTheWeightsOfARecurrentLayerUnderAutocast) {
  const Model model = of(sequence(7, 4), {Recurrent{Cell::lstm, 5, true}});
  const Program program = lower(model, setup_of("bf16"));
  const auto forward = lines_of(program, ProgramPhase::forward);
  EXPECT_EQ(forward[2], "zeros([440], dtype=\"fp16\", layout=\"strided\") -> fp16[440]");
  EXPECT_THAT(forward, Contains(StartsWith("copy_(fp16[")).Times(8));
  EXPECT_EQ(forward.back(),
            "recurrent(fp16[8,7,4], [fp16[80,1], fp16[100,1], fp16[20,1], fp16[20,1], fp16[80,1], "
            "fp16[100,1], fp16[20,1], fp16[20,1]], fp16[2,8,5], fp16[2,8,5], \"lstm\", 5, 1, true, "
            "0f, true, true) -> fp16[8,7,10]/[10,80,1], fp16[2,8,5], fp16[2,8,5]");
  EXPECT_THAT(
      lines_of(program, ProgramPhase::backward),
      Contains("_to_copy(fp16[80,1], dtype=\"fp32\", layout=\"strided\") -> fp32[80,1]").Times(2));
}

TEST(Lowering, RunsOnlyForwardInInference) {
  const Model model = of(image(3, 8, 8), {conv(4, 3, 1), BatchNorm{}, Dropout{0.5}});
  const Program program = lower(model, inference_setup(2));
  EXPECT_EQ(program.steps.size(), lines_of(program, ProgramPhase::forward).size());
  EXPECT_THAT(lines_of(program, ProgramPhase::forward),
              Not(Contains(StartsWith("native_dropout"))));
}

TEST(Lowering, RunsSinglePhases) {
  const auto all = [](Phase phase) {
    return lower(linear_layer(), with_phase(setup_of("fp32"), phase));
  };
  EXPECT_EQ(all(Phase::forward).steps.back().phase, ProgramPhase::forward);
  EXPECT_THAT(lines_of(all(Phase::backward), ProgramPhase::backward),
              ElementsAre("mm(fp32[4,8]/[1,4], fp32[8,9]) -> fp32[4,9]",
                          "sum.dim_IntList(fp32[8,4], [0], true) -> fp32[1,4]"));
  EXPECT_TRUE(lines_of(all(Phase::backward), ProgramPhase::forward).empty());
  EXPECT_EQ(lines_of(all(Phase::update), ProgramPhase::update).size(), 3U);
  EXPECT_TRUE(lines_of(all(Phase::update), ProgramPhase::backward).empty());
}

TEST(Lowering, IsNotAfraidOfDeepNetworks) {
  ModelBuilder builder("deep");
  builder.add(Input{flat(1), true});
  constexpr int kLayers = 50'000;
  for (int i = 0; i < kLayers; ++i) builder.add(Activation{});
  const Model model = std::move(builder).build();
  const Program forward = lower(model, with_phase(setup_of("fp32"), Phase::forward));
  EXPECT_EQ(lines_of(forward, ProgramPhase::forward).size(), kLayers);
  EXPECT_EQ(lines_of(lower(model, setup_of("fp32")), ProgramPhase::forward).size(), kLayers);
}

TEST(Lowering, KnowsWhenMemoryIsGone) {
  const Program program = lower(linear_layer(), setup_of("fp32"));
  const std::optional<PeakMemory> peak = peak_memory(program);
  ASSERT_TRUE(peak);
  const std::int64_t weights = 40 * 4, inputs = (8 * 9 * 4) + (8 * 8);
  EXPECT_EQ(peak->by_kind[static_cast<int>(StorageKind::weight)], weights);
  EXPECT_EQ(peak->by_kind[static_cast<int>(StorageKind::state)], weights);
  EXPECT_EQ(peak->by_kind[static_cast<int>(StorageKind::input)], inputs);
  // Gradients are dropped at the end of the iteration. Of all that was made only the loss stays.
  std::int64_t gradients = 0, kept = 0;
  for (const Storage& storage : program.storages) {
    if (storage.kind == StorageKind::gradient) gradients += storage.bytes;
    if (storage.born >= 0 && !storage.freed) kept += storage.bytes;
  }
  EXPECT_EQ(gradients, weights);
  EXPECT_EQ(kept, 4);
}

std::string products_in_tf32(const Program& program) {
  std::string names;
  for (const Operation& operation : program.operations)
    if (operation.tf32.value_or(false)) names += operation.name + " ";
  return names;
}

// Convolutions are in TF32 in any case, which no operation says.
TEST(Lowering, SaysOfProductsWhetherTheyAreInTf32) {
  const Model network = of(image(3, 8, 8), {conv(4, 3, 1), Flatten{}, Linear{5}});
  EXPECT_EQ(products_in_tf32(lower(network, setup_of("tf32"))), "addmm mm mm ");
  EXPECT_EQ(products_in_tf32(lower(network, setup_of("fp32"))), "");
  EXPECT_EQ(products_in_tf32(lower(network, setup_of("bf16"))), "");
  EXPECT_THAT(message_of([&] { lower(network, setup_of("tf32"), cpu_dialect()); }),
              testing::HasSubstr("a CPU has no TF32"));
}

TEST(Lowering, SaysWhatItCannotDo) {
  auto compiled = setup_of("fp32");
  compiled.options.compiled = true;
  EXPECT_THAT(message_of([&] { lower(linear_layer(), compiled); }),
              testing::HasSubstr("compiled network cannot be lowered"));
  auto turned = setup_of("fp32");
  turned.options.channels_last = true;
  EXPECT_THAT(message_of([&] { lower(linear_layer(), turned); }),
              testing::HasSubstr("channels last cannot be lowered for CUDA"));
  EXPECT_THAT(
      message_of([&] { lower(of(flat(4), {Activation{Function::relu}}), setup_of("fp32")); }),
      testing::HasSubstr("nothing to train"));
}

TEST(Lowering, SaysWhatItCannotDoForACpu) {
  const auto refusal = [](const ampere::Setup& setup) {
    return message_of([&] { lower(linear_layer(), setup, cpu_dialect()); });
  };
  for (const std::string precision : {"bf16", "fp16"})
    EXPECT_EQ(refusal(setup_of(precision)),
              precision + " cannot be lowered for the CPU: its autocast is not known");
  EXPECT_EQ(refusal(setup_of("tf32")), "a CPU has no TF32");
  auto fused = setup_of("fp32");
  fused.options.fused = true;
  EXPECT_THAT(refusal(fused), testing::HasSubstr("fused optimizers cannot be lowered for the CPU"));
}

// PyTorch's gradient scaler fails without gradients.
TEST(Lowering, RefusesFp16WhenNoWeightHasAGradient) {
  ModelBuilder builder("unused");
  const int input = builder.add(Input{flat(4), true});
  builder.add(Linear{4});
  builder.add(Activation{Function::relu}, {input});
  const Model model = std::move(builder).build();
  EXPECT_NO_THROW(lower(model, setup_of("bf16")));
  EXPECT_THAT(message_of([&] { lower(model, setup_of("fp16")); }),
              testing::HasSubstr("no weight has a gradient"));
}

}  // namespace
}  // namespace ampere
