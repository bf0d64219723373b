// Programs and operations of simulated devices.
#include <gtest/gtest.h>

#include <cmath>

#include "ampere/error.h"
#include "record/record_json.h"
#include "record/request_json.h"
#include "rig/sim.h"
#include "rig/sim_operation.h"

namespace ampere {
namespace {

Trace trace_of(Rig& rig, const std::string& model, std::int64_t batch = 10) {
  return rig.trace({TraceRequest::Network{make_zoo_model(model), ampere::Setup{batch}}});
}

OperationTimes times_of(Rig& rig, const Program& program) {
  return rig.time(program.tensors, program.operations);
}

StepTimes time_of(Rig& rig, const Program& program, std::size_t operation) {
  const auto times = rig.time(program.tensors, {program.operations.at(operation)});
  return std::get<StepTimes>(times.each.at(0));
}

// A product of square matrices.
OperationTimesRequest product(ElementType format, std::int64_t size) {
  Operation operation;
  operation.name = "mm";
  operation.arguments = {{TensorIndex{0}}, {TensorIndex{0}}};
  operation.results = {{TensorIndex{0}}};
  return {{{format, {size, size}, {size, 1}}}, {operation}};
}

class EverySimTracer : public testing::TestWithParam<const char*> {
 protected:
  const SimLaw& law_ = find_sim_law(GetParam());
  const std::unique_ptr<Rig> rig_ = open_sim_rig(GetParam(), 0);
};
INSTANTIATE_TEST_SUITE_P(Devices, EverySimTracer,
                         testing::Values("oppo", "iphone", "xavier", "tx2", "server", "ideal"),
                         [](const auto& device) { return std::string(device.param); });

TEST_P(EverySimTracer, TracesNetworksByRules) {
  EXPECT_TRUE(rig_->abilities().contains(Ability::operations));
  const Trace trace = trace_of(*rig_, "cnn5");
  EXPECT_EQ(trace.program, lower(make_zoo_model("cnn5"), ampere::Setup{10}));
  EXPECT_EQ(trace.program.origin.way, TraceWay::lowered);
  ASSERT_EQ(trace.notes.size(), 1u);
  EXPECT_NE(trace.notes[0].find("simulated"), std::string::npos);
}

TEST_P(EverySimTracer, RefusesScriptsAndOtherWays) {
  const TraceRequest script{Script{"train.py", "build"}};
  const TraceRequest run{TraceRequest::Network{make_zoo_model("cnn5"), {}}, TraceWay::run};
  for (const TraceRequest& request : {script, run}) {
    EXPECT_FALSE(rig_->can_answer(request));
    try {
      rig_->trace(request);
      FAIL() << "traced";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      const std::string text = error.what();
      EXPECT_TRUE(text.starts_with(law_.title + ": a simulated device cannot ")) << text;
      EXPECT_NE(text.find("the rig \"torch\" can"), std::string::npos) << text;
    }
  }
  EXPECT_FALSE(rig_->can_answer(ScriptRequest{{"train.py", "build"}, {}}));
  EXPECT_TRUE(rig_->can_answer(TraceRequest{TraceRequest::Network{make_zoo_model("cnn5"), {}}}));
  EXPECT_TRUE(rig_->can_answer(product(ElementType::fp32, 8)));
}

// A profile that was fitted to one must be able to predict the other.
TEST_P(EverySimTracer, OperationsAddUpToAboutTheIteration) {
  for (const std::string model : {"cnn5", "resnet18", "transformer", "lstm"})
    for (const std::int64_t batch : {10, 64}) {
      const Program program = trace_of(*rig_, model, batch).program;
      const OperationTimes times = times_of(*rig_, program);
      SimCost sum;
      for (const ProgramStep& step : program.steps) {
        const auto& each = times.each.at(static_cast<std::size_t>(step.operation));
        sum.device_s += std::get<StepTimes>(each).device.count();
        sum.host_s += std::get<StepTimes>(each).host.count();
      }
      const double ratio =
          sim_time_s(law_, sum) /
          sim_true_time(GetParam(), make_zoo_model(model), ampere::Setup{batch}).count();
      EXPECT_GT(ratio, 1 / 1.5) << model << " " << batch;
      EXPECT_LT(ratio, 1.5) << model << " " << batch;
    }
}

TEST_P(EverySimTracer, TimesNearTheLawOfTheOperation) {
  const Program program = trace_of(*rig_, "cnn5").program;
  const OperationTimes times = times_of(*rig_, program);
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    const SimCost cost = sim_operation_cost(law_, program.operations[i], program.tensors);
    const StepTimes law{Seconds(cost.device_s), Seconds(cost.host_s)};
    const auto timed = std::get<StepTimes>(times.each[i]);
    const bool synchronous = law_.overlap == 0;
    const Seconds device = synchronous ? law.device + law.host : law.device;
    EXPECT_NEAR(timed.device.count(), device.count(), 0.03 * device.count());
    EXPECT_EQ(timed.device.count() > 0, program.operations[i].launches || synchronous);
    if (synchronous)
      EXPECT_EQ(timed.host.count(), 0);
    else
      EXPECT_NEAR(timed.host / law.host, 1, 0.4);
  }
}

TEST_P(EverySimTracer, RepeatsDifferAndSeedsDiffer) {
  const auto other = open_sim_rig(GetParam(), 1);
  const Program program = trace_of(*rig_, "cnn5").program;
  const auto first = time_of(*rig_, program, 0).device;
  EXPECT_NE(time_of(*rig_, program, 0).device, first);
  EXPECT_NE(time_of(*other, program, 0).device, first);
}

TEST_P(EverySimTracer, AnswersDoNotDependOnTheOrderOrTheRequest) {
  const auto other = open_sim_rig(GetParam(), 0);
  const Program program = trace_of(*rig_, "cnn5").program;
  const OperationTimes all = times_of(*rig_, program);
  for (std::size_t i = all.each.size(); i-- > 0;)
    EXPECT_EQ(time_of(*other, program, i).device, std::get<StepTimes>(all.each[i]).device);
}

TEST_P(EverySimTracer, TimingOperationsChangesNoMeasurement) {
  const auto other = open_sim_rig(GetParam(), 0);
  times_of(*rig_, trace_of(*rig_, "cnn5").program);
  const auto answer = [](Rig& rig) {
    return measurement_json(rig.measure(make_zoo_model("cnn5"), {}, {})).dump();
  };
  EXPECT_EQ(answer(*rig_), answer(*other));
}

// E = P_rest (T − d) + P_static d + e, with bursts as long as the rests between them.
TEST_P(EverySimTracer, MeasuresTheEnergyOfAnOperation) {
  const OperationTimesRequest timed = product(ElementType::fp32, 512);
  const OperationRequest request{timed.tensors, timed.operations[0], {.time_limit = Seconds(2)}};
  const SimCost cost = sim_operation_cost(law_, request.operation, request.tensors);
  const Measurement measured = rig_->measure(request);
  const double call_s = sim_time_s(law_, cost);
  EXPECT_EQ(measured.source, Source::simulated);
  EXPECT_NEAR(measured.time_s.mean / (2 * call_s), 1, 0.25);
  const double resting_j = law_.idle_w * (measured.time_s.mean - call_s);
  EXPECT_NEAR((measured.energy_j.mean - resting_j) / sim_energy_j(law_, cost), 1, 0.25);
}

TEST_P(EverySimTracer, MeasuresNoOperationThatDoesNotFit) {
  const OperationTimesRequest timed = product(ElementType::fp32, 1'000'000);
  try {
    rig_->measure(OperationRequest{timed.tensors, timed.operations[0], {}});
    FAIL() << "measured";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    EXPECT_TRUE(std::string(error.what()).starts_with("out of memory: mm takes ")) << error.what();
  }
  EXPECT_GT(time_of(*rig_, trace_of(*rig_, "cnn5").program, 0).host.count() +
                time_of(*rig_, trace_of(*rig_, "cnn5").program, 0).device.count(),
            0)
      << "usable afterwards";
}

TEST(SimOperation, NarrowFormatsAreFaster) {
  const SimLaw& law = find_sim_law("server");
  const auto time = [&](ElementType format) {
    const auto request = product(format, 4096);
    return sim_operation_cost(law, request.operations[0], request.tensors).device_s;
  };
  EXPECT_NEAR(time(ElementType::fp32) / time(ElementType::bf16), 2, 0.05);
  EXPECT_NEAR(time(ElementType::fp64) / time(ElementType::fp32), 2, 0.05);
}

TEST(SimOperation, DevicesAreGoodAtDifferentThings) {
  std::set<double> factors;
  for (const SimLaw& law : sim_laws()) {
    const auto request = product(ElementType::fp32, 2048);
    const auto counts = count(request.operations[0], request.tensors);
    const double work_s =
        sim_operation_cost(law, request.operations[0], request.tensors).device_s - law.kernel_s;
    const double factor = work_s / sim_roofline_s(law, counts.flops, counts.bytes);
    EXPECT_GE(factor, 0.8 - 1e-9);
    EXPECT_LE(factor, 1.3);
    factors.insert(factor);
  }
  EXPECT_EQ(factors.size(), sim_laws().size());
}

TEST(SimOperation, OneThatDoesNotFitSaysSoAlone) {
  OperationTimesRequest request = product(ElementType::fp32, 100'000);
  request.tensors.push_back({ElementType::fp32, {8, 8}, {8, 1}});
  request.operations.push_back(request.operations[0]);
  for (ValueList* values : {&request.operations[1].arguments, &request.operations[1].results})
    for (Value& value : *values) value = {TensorIndex{1}};
  const OperationTimes times = open_sim_rig("iphone", 0)->time(request.tensors, request.operations);
  EXPECT_TRUE(std::get<std::string>(times.each.at(0)).starts_with("out of memory: "));
  EXPECT_GT(std::get<StepTimes>(times.each.at(1)).device.count(), 0);
}

TEST(SimOperation, RefusesArgumentsThatCannotBeCounted) {
  OperationTimesRequest request = product(ElementType::fp32, 8);
  request.operations[0].arguments.pop_back();
  EXPECT_THROW(open_sim_rig("server", 0)->time(request.tensors, request.operations), Error);
}

}  // namespace
}  // namespace ampere
