#include "profile_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/shell_word.h"
#include "remedies.h"

namespace ampere {
namespace {

// Profiles also come from files and from other machines, whose rigs mean nothing here.
bool can_be_opened_here(const std::string& rig) {
  constexpr std::array<std::string_view, 6> kKinds{
      "sim:", "recorded:", "cmd:", "cpu", "cuda:", "torch"};
  return std::ranges::any_of(kKinds, [&](std::string_view kind) { return rig.starts_with(kind); });
}

}  // namespace

std::string setup_words(const Setup& setup) {
  const Setup usual;
  const StepOptions& step = setup.options;
  std::string words = fmt::format("--batch {}", setup.batch);
  const auto add = [&](const std::string& word) { words += " " + word; };
  if (setup.precision != usual.precision) add("--precision " + shell_word(setup.precision));
  if (setup.optimizer != usual.optimizer)
    add(fmt::format("--optimizer {}", to_string(setup.optimizer)));
  if (step.weight_decay) add(fmt::format("--weight-decay {}", *step.weight_decay));
  if (step.fused) add("--fused");
  if (step.plain_attention) add("--attention plain");
  if (step.compiled) add("--compile");
  if (step.accumulation > 1) add(fmt::format("--accumulate {}", step.accumulation));
  if (step.channels_last) add("--channels-last");
  return words;
}

std::string profile_command(const MissingProfile& missing, const std::string& method) {
  return fmt::format("ampere profile {}{} {}{}", shell_word(missing.model),
                     missing.rig.empty() ? "" : " --rig " + shell_word(missing.rig),
                     setup_words(missing.setup), method.empty() ? "" : " --method " + method);
}

std::string rig_of(const std::vector<ProfileRow>& rows) {
  std::string rig;
  for (const ProfileRow& row : rows) {
    if (row.setup.phase == Phase::inference) continue;
    if (!can_be_opened_here(row.rig) || (!rig.empty() && row.rig != rig)) return "";
    rig = row.rig;
  }
  return rig;
}

Error with_profile_command(const Error& error, const MissingProfile& missing) {
  if (error.remedy() != Remedy::profile || missing.model.empty()) return error;
  return {
      error.code(),
      with_remedy_text(error.what(), fmt::format("`{}`", profile_command(missing, error.about())))};
}

}  // namespace ampere
