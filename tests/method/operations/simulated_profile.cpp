#include "method/operations/simulated_profile.h"

#include <cmath>
#include <random>

#include "ampere/model.h"
#include "method/operations/simulated.h"

namespace ampere::testing_support {
namespace {

const WorkEnergyLaw kLaw{85, 186, 121e-12, 35e-12, {0, 7.9e-12, 2.5e-12, 0.85e-12}, 120};

double noise(std::mt19937& engine, double size) {
  double sum = 0;  // of twelve uniform numbers: nearly normal
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(engine()) * 0x1p-32;
  return std::exp(size * (sum - 6));
}

}  // namespace

ProgramWindow window_of(const Program& program, const std::string& family, unsigned seed) {
  std::mt19937 engine(seed);
  const double device_s = simulated_seconds(program) * noise(engine, 0.01);
  const double host_s = simulated_host_seconds(program);
  const double time_s = StepTimeLaw{1.04, 10, 0}.seconds(host_s * noise(engine, 0.05), device_s) *
                        noise(engine, 0.01);
  const OperationMap nothing;
  const auto mapped = map_operations(nothing, program);
  const WorkTerms work = work_terms(mapped, call_counts(program), {});
  return {program, time_s, device_s, kLaw.joules(time_s, device_s, work) * noise(engine, 0.03),
          host_s,  family};
}

std::vector<FamilyProgram> usual_programs() {
  std::vector<FamilyProgram> programs;
  for (const char* family : {"lenet5", "cnn5", "har", "transformer"})
    for (const std::int64_t batch : {16, 64, 256})
      for (const char* precision : {"fp32", "bf16"}) {
        Setup setup;
        setup.batch = batch;
        setup.precision = precision;
        programs.push_back({lower(open_model(family), setup), family});
      }
  return programs;
}

GeneralProfile simulated_general_profile(const std::vector<FamilyProgram>& programs) {
  std::vector<TimedOperation> timed;
  std::vector<ProgramWindow> windows;
  for (const auto& [program, family] : programs) {
    const auto operations = timed_operations(program, family);
    timed.insert(timed.end(), operations.begin(), operations.end());
    windows.push_back(window_of(program, family, static_cast<unsigned>(windows.size())));
  }
  GeneralProfile profile;
  profile.device = {.name = "simulated accelerator",
                    .hardware = "132 multiprocessors",
                    .driver = "driver 1.2",
                    .framework = "torch 2.11.0+cu130, CUDA 13.0",
                    .meter = "simulated",
                    .power_mode = "unknown",
                    .source = Source::simulated,
                    .fingerprint = ""};
  profile.device.fingerprint = fingerprint_of(profile.device);
  profile.taken_at = "2026-01-31T12:00:00Z";
  profile.operations = static_cast<std::int64_t>(timed.size());
  profile.windows = static_cast<std::int64_t>(windows.size());
  profile.fitted = fit_operations_profile(timed, windows, {});
  return profile;
}

}  // namespace ampere::testing_support
