#include "train/operation/timing.h"

#include <gmock/gmock.h>

#include <set>

#include "ampere/error.h"
#include "program/programs.h"
#include "small_zoo.h"

namespace ampere {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::Call;

StepTimes time(const std::string& name, const std::string& arguments, const std::string& results,
               const std::string& keywords = "{}") {
  const Call call(name, arguments, results, keywords);
  return open_operation_timer("cpu")->time(call.operation(), call.tensors());
}

std::string refusal(const std::string& name, const std::string& arguments,
                    const std::string& keywords = "{}") {
  try {
    time(name, arguments, "", keywords);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::failed);
    return error.what();
  }
  return "";
}

// The name and what kinds of arguments it has: operations of one form differ in sizes alone.
std::string form_of(const Operation& operation, std::span<const TensorType> tensors) {
  std::string form = operation.name;
  for (const Value& value : operation.arguments) {
    form += "," + std::to_string(value.is.index());
    if (const auto* tensor = std::get_if<TensorIndex>(&value.is)) {
      const TensorType& type = tensors[static_cast<std::size_t>(tensor->index)];
      form += std::string(to_string(type.element)) + std::to_string(type.sizes.size());
    }
  }
  return form;
}

// One operation of each form that the lowered networks of the zoo call.
std::vector<std::string> failures_of_the_zoo(const Dialect& dialect) {
  const auto timer = open_operation_timer("cpu");
  std::set<std::string> forms;
  std::vector<std::string> failures;
  testing_support::for_each_network([&](const ZooEntry& entry) {
    for (const Optimizer optimizer : {Optimizer::sgd, Optimizer::adamw}) {
      const Program program = lower(testing_support::small_version(entry), {2, optimizer}, dialect);
      for (const Operation& operation : program.operations) {
        if (!operation.launches || !forms.insert(form_of(operation, program.tensors)).second)
          continue;
        try {
          EXPECT_GT(timer->time(operation, program.tensors).device.count(), 0) << operation.name;
        } catch (const Error& error) {
          failures.push_back(error.what());
        }
      }
    }
  });
  EXPECT_GT(forms.size(), 50u);
  return failures;
}

TEST(OperationTiming, EveryOperationOfTheZooCanBeTimed) {
  EXPECT_THAT(failures_of_the_zoo(cpu_dialect()), IsEmpty());
}

// Debian's LibTorch is older than these programs: it has no fused attention, for example.
TEST(OperationTiming, OperationsOfAGpuCanBeTimedWhereTheyAreKnown) {
  EXPECT_THAT(failures_of_the_zoo(Dialect{}),
              Each(HasSubstr(": this LibTorch has no such operation")));
}

TEST(OperationTiming, TakesLongerForMoreWork) {
  const auto product = [](int n) {
    const std::string square = "\"fp32[" + std::to_string(n) + "," + std::to_string(n) + "]\"";
    return time("mm", square + "," + square, square);
  };
  const StepTimes small = product(16), large = product(512);
  EXPECT_GT(large.device.count(), 20 * small.device.count());
  EXPECT_EQ(large.host.count(), 0);  // on a CPU the call is the work
}

TEST(OperationTiming, FindsOverloadsDefaultsAndKeywords) {
  EXPECT_GT(time("add.Tensor", R"("fp32[8,9]", "fp32[8,9]")", "").device.count(), 0);
  EXPECT_GT(time("add.Tensor", R"("fp32[8,9]", "fp32[8,9]")", "", R"({"alpha": 2})").device.count(),
            0);
  EXPECT_GT(time("zeros", "[8, 9]", "", R"({"dtype": "bf16"})").device.count(), 0);
  EXPECT_GT(time("clamp", R"("fp32[8,9]", null, 0.5)", "").device.count(), 0);
}

TEST(OperationTiming, SaysWhatCannotBeCalled) {
  EXPECT_THAT(refusal("no_such_thing", R"("fp32[2]")"), HasSubstr("has no such operation"));
  EXPECT_THAT(refusal("mm", R"("fp32[2,3]", "fp32[2,3]")"), HasSubstr("mm: LibTorch: "));
  EXPECT_THAT(refusal("mm", R"("fp32[2,2]")"), HasSubstr("'mat2' is missing"));
  EXPECT_THAT(refusal("mm", R"("fp32[2,2]", "x")"), HasSubstr("'mat2' must be a tensor"));
  EXPECT_THAT(refusal("mm", R"("fp32[2,2]", "fp32[2,2]", 1)"), HasSubstr("3 arguments"));
  EXPECT_THAT(refusal("neg", R"("fp32[2,2]")", R"({"twice": true})"),
              HasSubstr("takes no 'twice'"));
  EXPECT_THAT(refusal("item", R"("fp32[]")"), HasSubstr("the host waits for the device"));
  EXPECT_THAT(refusal("neg", R"("fp8[2,2]")"), HasSubstr("fp8"));
}

TEST(OperationTiming, RefusesWhatDoesNotFitIntoMemory) {
  EXPECT_THAT(refusal("neg", R"("fp32[1000000,1000000]")"), HasSubstr("out of memory"));
}

// With larger numbers as indices, each of these would fail or read outside of its tensor.
TEST(OperationTiming, IndicesStayInside) {
  EXPECT_GT(time("embedding", R"("fp32[3,4]", "int64[64]")", "").device.count(), 0);
  EXPECT_GT(time("gather", R"("fp32[5,2]", 1, "int64[5,2]")", "").device.count(), 0);
  EXPECT_GT(time("index.Tensor", R"("fp32[5,1]", ["int64[7]", "int64[7]"])", "").device.count(), 0);
  EXPECT_GT(time("index.Tensor", R"("fp32[5,2]", [null, "int64[7]"])", "").device.count(), 0);
  EXPECT_GT(
      time("nll_loss_forward", R"("fp32[8,1]", "int64[8]", null, 1, -100)", "").device.count(), 0);
}

TEST(OperationTiming, PassesBackWhatOnlyAForwardPassKnows) {
  const auto on_images = [](const std::string& name, const std::string& arguments) {
    return time(name, arguments, "").device.count();
  };
  EXPECT_GT(on_images("max_pool2d_with_indices_backward",
                      R"("fp32[2,3,4,4]", "fp32[2,3,8,8]", [2, 2], [2, 2], [0, 0], [1, 1], false,
                          "int64[2,3,4,4]")"),
            0);
  EXPECT_GT(on_images("adaptive_max_pool2d_backward",
                      R"("fp32[2,3,4,4]", "fp32[2,3,8,8]", "int64[2,3,4,4]")"),
            0);
  EXPECT_GT(on_images("batch_norm_backward",
                      R"("fp32[2,3,8,8]", "fp32[2,3,8,8]", "fp32[3]", "fp32[3]", "fp32[3]",
                          "fp32[3]", "fp32[3]", true, 1e-05, [true, true, true])"),
            0);
  EXPECT_THAT(refusal("batch_norm_backward",
                      R"("fp32[2,3,8,8]", "fp32[2,3,8,8]", null, null, null, null, null, true,
                          1e-05, [false, false, false])"),
              HasSubstr("no gradient is wanted"));
}

}  // namespace
}  // namespace ampere
