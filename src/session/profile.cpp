#include <algorithm>

#include "ampere/model.h"
#include "ampere/session.h"
#include "campaign/general_campaign.h"
#include "campaign/profile_by.h"
#include "method/ampere/kind_points.h"
#include "method/registry.h"
#include "model/draw.h"
#include "session/empty_profile.h"
#include "setup/general_setup.h"

namespace ampere {
namespace {

constexpr int kDrawn = 300;  // versions of each network that blocks are taken from
constexpr unsigned kSeed = 0x5eed;
constexpr const char* kBest = "dual";         // where blocks can be timed alone
constexpr const char* kPublished = "ampere";  // asks nothing of a rig but measurements

bool is_family(const Model& model) {
  return std::ranges::find(zoo(), model.name(), &ZooEntry::name) != zoo().end() &&
         model_hash(make_zoo_model(model.name())) == model_hash(model);
}

// Random versions of each network, by turns: of a family of the zoo at its depths too.
ProfileTask task_of(const ProfileRequest& request) {
  ProfileTask task{request.models, {}};
  std::vector<std::vector<Model>> drawn;
  for (std::size_t i = 0; i < request.models.size(); ++i)
    drawn.push_back(is_family(request.models[i])
                        ? draw_networks(request.models[i].name(), kDrawn, kSeed)
                        : draw_narrower({&request.models[i], 1}, kDrawn, kSeed));
  for (int round = 0; round < kDrawn; ++round)
    for (const std::vector<Model>& networks : drawn)
      task.drawn.push_back(networks[static_cast<std::size_t>(round)]);
  return task;
}

// What a profile comes to on a simulated device, whose time costs nothing. Nothing of it is kept.
ProfileSummary rehearse(const Method& method, const ProfileRequest& request, Rig& rig,
                        Store& scratch, StopToken stop) {
  Listener quiet;
  return profile_by(
      method, task_of(request), request.options,
      Campaign(rig, "", scratch, request.setup, {request.options.time_limit}, stop, quiet));
}

const Method& method_of(const ProfileRequest& request, const Rig& rig) {
  const std::string best = rig.can_time() ? kBest : kPublished;
  return find_method(request.method.empty() ? best : request.method, request.setup.phase);
}

}  // namespace

ProfileSummary Session::profile(const ProfileRequest& request, const NamedRig& rig) {
  const Method& method = method_of(request, rig.rig);
  return without_empty_profile(*this, rig.rig.device(), request.setup, [&] {
    return profile_by(method, task_of(request), request.options,
                      Campaign(rig.rig, rig.spec, *store_, request.setup,
                               {request.options.time_limit}, stop_, *listener_));
  });
}

ProfileSummary Session::profile_generally(const GeneralOptions& options, const NamedRig& rig) {
  return ampere::profile_generally(rig.rig, rig.spec, *store_, options, stop_, *listener_);
}

ProfilePreview Session::preview(const ProfileRequest& request, Rig& rig) const {
  const Method& method = method_of(request, rig);
  const std::optional<std::int64_t> known = profile_of(rig.device(), request.setup);
  ProfilePreview preview =
      method.preview(task_of(request), request.options, rig, *store_, known, request.setup);
  const bool missing = preview.timings + preview.networks + preview.points > 0;
  if (!missing || rig.device().source != Source::simulated) return preview;
  const auto scratch = open_store("memory:");
  if (known) import_profile(*scratch, export_profile(*store_, *known), "rehearsal");
  const ProfileSummary summary = rehearse(method, request, rig, *scratch, stop_);
  preview.expected = summary.elapsed;
  if (preview.kinds.empty()) return preview;
  preview.expected_points = summary.measured;
  if (summary.measured > 0)
    preview.expected *= 1 + static_cast<double>(preview.test_points) / summary.measured;
  return preview;
}

ProfilePreview Session::preview(const GeneralOptions& options, const Rig& rig) const {
  return preview_general(rig, *store_, profile_of(rig.device(), general_setup()), options);
}

Session::Tests Session::test(const ProfileRequest& request, const NamedRig& rig) {
  const Method& method = method_of(request, rig.rig);
  const ProfileTask task = task_of(request);
  Campaign campaign(rig.rig, rig.spec, *store_, request.setup, {request.options.time_limit}, stop_,
                    *listener_);
  const auto plan =
      method.tests(task, request.options, {rig.rig, *store_, campaign.profile(), request.setup});
  if (plan) campaign.run(*plan);
  return {campaign.finish(), method.tested(*store_, campaign.profile(), task)};
}

std::vector<KindPoints> Session::kind_points(const ProfileRow& profile) const {
  return ampere::kind_points(*store_, profile);
}

}  // namespace ampere
