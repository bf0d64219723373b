#include "fleet/fleet_job.h"

#include <fmt/format.h>

#include <utility>

#include "ampere/error.h"

namespace ampere {
namespace {

constexpr std::pair<JobState, const char*> kStates[] = {
    {JobState::planned, "planned"},     {JobState::submitted, "submitted"},
    {JobState::running, "running"},     {JobState::finished, "finished"},
    {JobState::failed, "failed"},       {JobState::stopped, "stopped"},
    {JobState::cancelled, "cancelled"}, {JobState::lost, "lost"}};

}  // namespace

const char* to_string(JobState state) {
  for (const auto& [value, word] : kStates)
    if (value == state) return word;
  return "";
}

JobState parse_job_state(const std::string& text) {
  for (const auto& [value, word] : kStates)
    if (text == word) return value;
  throw Error(ErrorCode::usage, fmt::format("'{}' is not a state of a job", text));
}

bool has_ended(JobState state) {
  return state != JobState::planned && state != JobState::submitted && state != JobState::running;
}

std::string reservation_name(const FleetJob& job) {
  return job.round == 1 ? fmt::format("fleet:{}", job.id)
                        : fmt::format("fleet:{}.{}", job.id, job.round);
}

}  // namespace ampere
