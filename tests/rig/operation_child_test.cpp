#include "rig/operation_child.h"

#include <gmock/gmock.h>

#include "../support/error_of.h"
#include "ampere/error.h"

namespace ampere {
namespace {

using testing::HasSubstr;
using testing_support::error_of;

std::unique_ptr<Tracer> fake_tracer(const std::string& start = "well",
                                    Seconds timeout = Seconds{20}) {
  return make_child_tracer({.argv = {AMPERE_FAKE_OPERATIONS, start},
                            .start_timeout = Seconds{20},
                            .operation_timeout = timeout},
                           cpu_dialect());
}

// Operations of these names, each with the second of two tensors.
OperationTimes times_of(Tracer& tracer, const std::vector<std::string>& names) {
  OperationTimesRequest request;
  request.tensors = {{ElementType::fp32, {2, 3}, {3, 1}}, {ElementType::fp32, {4}, {1}}};
  for (const std::string& name : names) {
    Operation operation;
    operation.name = name;
    operation.arguments = {{TensorIndex{1}}};
    request.operations.push_back(operation);
  }
  return tracer.time(request);
}

double host_of(const OperationTimes& times, std::size_t index) {
  const auto* found = std::get_if<StepTimes>(&times.each.at(index));
  return found ? found->host.count() : -1;
}

std::string reason_of(const OperationTimes& times, std::size_t index) {
  const auto* reason = std::get_if<std::string>(&times.each.at(index));
  return reason ? *reason : "it was timed";
}

TEST(OperationChild, OneProcessTimesThemInOrderWithTheirTensorsAlone) {
  const auto tracer = fake_tracer();
  const OperationTimes times = times_of(*tracer, {"works", "fails", "works"});
  EXPECT_EQ(host_of(times, 0), 1);
  EXPECT_EQ(std::get<StepTimes>(times.each.at(0)).device.count(), 1) << "tensors that were sent";
  EXPECT_EQ(reason_of(times, 1), "fails: as it was told");
  EXPECT_EQ(host_of(times, 2), 2);
  EXPECT_EQ(host_of(times_of(*tracer, {"works"}), 0), 3) << "it stays for the next request";
}

TEST(OperationChild, OneThatDiesOrBreaksCostsOneOperation) {
  const auto tracer = fake_tracer();
  const OperationTimes times =
      times_of(*tracer, {"works", "dies", "works", "works", "breaks", "works", "floods", "works"});
  EXPECT_THAT(reason_of(times, 1), HasSubstr("the process that timed it was killed by SIGKILL"));
  EXPECT_EQ(host_of(times, 2), 1) << "by a new process";
  EXPECT_EQ(host_of(times, 3), 2);
  EXPECT_EQ(reason_of(times, 4), "breaks: as it was told");
  EXPECT_EQ(host_of(times, 5), 1) << "by a new process";
  EXPECT_THAT(reason_of(times, 6), HasSubstr("parse"));
  EXPECT_EQ(host_of(times, 7), 1) << "by a new process";
}

TEST(OperationChild, OneThatHangsIsGivenUp) {
  const auto tracer = fake_tracer("well", Seconds{0.3});
  const OperationTimes times = times_of(*tracer, {"hangs", "works"});
  EXPECT_THAT(reason_of(times, 0), HasSubstr("did not answer in time"));
  EXPECT_EQ(host_of(times, 1), 1);
}

TEST(OperationChild, OneThatDoesNotStartIsAnError) {
  const auto error = error_of([] { times_of(*fake_tracer("exits"), {"works"}); });
  EXPECT_EQ(error.code(), ErrorCode::failed);
  EXPECT_THAT(error.what(), HasSubstr("no process that times operations can be started"));
  EXPECT_THAT(error.what(), HasSubstr("no driver"));
}

TEST(OperationChild, ProgramsAreDerivedByRules) {
  const auto tracer = fake_tracer();
  const Trace trace = tracer->trace({TraceRequest::Network{make_zoo_model("lenet5"), {}}, {}});
  EXPECT_EQ(trace.program.origin.way, TraceWay::lowered);
  EXPECT_EQ(trace.program.origin.device, "cpu");
  EXPECT_THAT(trace.notes.at(0), HasSubstr("by rules"));
  const auto error = error_of([&] { tracer->trace({Script{"train.py", "build"}, {}}); });
  EXPECT_EQ(error.code(), ErrorCode::usage);
  EXPECT_THAT(error.what(), HasSubstr("cannot run a script"));
}

}  // namespace
}  // namespace ampere
