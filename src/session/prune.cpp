#include "ampere/error.h"
#include "ampere/session.h"
#include "method/proxies/proxies.h"
#include "method/registry.h"
#include "prune/pruning.h"

namespace ampere {
namespace {

constexpr const char* kFlops = "flops";  // guided by it as is common, to compare with
constexpr const char* kOfOriginal = "dual";

}  // namespace

PruneResult Session::prune(const PruneTask& task, const ProfileRow& profile, const NamedRig* rig) {
  const auto judge_by = [&](const std::string& method) {
    return find_method(method, task.setup.phase).load(*store_, profile)->judge(task.original);
  };
  const auto judge = [&](std::optional<Joules> original) -> std::unique_ptr<WidthJudge> {
    if (task.method != kFlops) return judge_by(task.method);
    if (!original) {
      const auto widths = original_widths(make_space(task.original, task.space));
      original = Joules{judge_by(kOfOriginal)->judge(widths).value().energy_j};
    }
    return make_flops_judge(task.original, task.setup.batch, original->value);
  };
  PruneTools tools{.judge = judge,
                   .judges_by_original = task.method == kFlops,
                   .measure = {},
                   .rig = rig != nullptr ? &rig->rig : nullptr,
                   .stop = stop_,
                   .listener = *listener_};
  if (rig != nullptr)
    tools.measure = [&](const Model& model) {
      return run(model, task.setup, task.precision, *rig,
                 task.learn ? Learning::yes : Learning::no);
    };
  return ampere::prune(task, tools);
}

}  // namespace ampere
