#include "campaign/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ampere/error.h"
#include "base/text.h"
#include "campaign/claims.h"
#include "store/idle_window.h"

namespace ampere {
namespace {

constexpr std::size_t kTimingsAtOnce = 16;  // put on disk together: less than half a second of work

// A recording may lack what the plan can do without.
bool is_unanswered(const Error& error, const Suggestion& suggestion) {
  return error.code() == ErrorCode::unknown && suggestion.only_answerable;
}

std::string title_of(const Suggestion& suggestion) {
  return suggestion.title.empty() ? suggestion.model.name() : suggestion.title;
}

}  // namespace

Campaign::Campaign(Rig& rig, std::string rig_name, Store& store, const Setup& setup,
                   const Limits& limits, StopToken stop, Listener& listener)
    : rig_(rig),
      rig_name_(std::move(rig_name)),
      store_(store),
      setup_(setup),
      limits_(limits),
      stop_(stop),
      listener_(listener),
      profile_(store.open_profile(rig.device(), setup, rig_name_)) {
  summary_.profile = profile_;
}

void Campaign::run(Suggestions& plan) try {
  const Stopwatch since;
  int taken = 0;
  while (const auto suggestion = plan.next()) {
    Finding finding = find(*suggestion);
    if (!finding.known) {
      stop_.throw_if_stopped();
      if (out_of_time()) break;
      std::unique_ptr<Claim> claim = try_claim(store_, profile_of(*suggestion), *suggestion);
      if (!claim && plan.postpone()) continue;
      if (!claim) claim = wait_for_claim(*suggestion);
      if (!claim) break;
      if (claim->look_again()) finding = find(*suggestion, true);
      if (!finding.known) {
        finding = take(*suggestion);
        ++taken;
      }
      if (suggestion->ask == Suggestion::Ask::time) held_claims_.push_back(std::move(claim));
    }
    plan.tell(finding);
    report(plan, since, taken);
  }
  flush_timings();
  std::ranges::copy(plan.warnings(), std::back_inserter(summary_.warnings));
} catch (...) {
  flush_timings();
  throw;
}

bool Campaign::out_of_time() {
  summary_.stopped_by_time_limit |= limits_.time && stopwatch_.elapsed() >= *limits_.time;
  return summary_.stopped_by_time_limit;
}

void Campaign::warn(std::string warning) { summary_.warnings.push_back(std::move(warning)); }

Summary Campaign::finish() {
  for (const auto& [line, failed] : failures_)
    warn(failed.count == 1 ? fmt::format("{} failed: {}", failed.first, failed.reason)
                           : fmt::format("{} measurements failed, {} first: {}", failed.count,
                                         failed.first, failed.reason));
  failures_.clear();
  summary_.elapsed = stopwatch_.elapsed();
  return std::move(summary_);
}

// Claims of timings are held until these are in the store, so that others must not wait for this
// process while it waits for them.
std::unique_ptr<Claim> Campaign::wait_for_claim(const Suggestion& suggestion) {
  flush_timings();
  return ampere::wait_for_claim(
      [&] { return try_claim(store_, profile_of(suggestion), suggestion); },
      {stop_, listener_, title_of(suggestion), [&] { return out_of_time(); }});
}

Finding Campaign::find(const Suggestion& suggestion, bool again) {
  Finding finding;
  switch (suggestion.ask) {
    case Suggestion::Ask::time:
      if (!timed_) {
        timed_.emplace();
        for (const BlockTiming& known : store_.timings(profile_))
          timed_->insert({known.kind, known.features});
      }
      if (again)
        for (const BlockTiming& known : store_.timings(profile_, {suggestion.kind}))
          timed_->insert({known.kind, known.features});
      finding.known = timed_->contains({suggestion.kind, suggestion.features});
      break;
    case Suggestion::Ask::idle:
      finding.idle = find_idle(store_, profile_);
      finding.known = finding.idle.has_value();
      break;
    case Suggestion::Ask::measure: {
      if (!suggestion.kept || !suggestion.visit) break;
      std::vector<Observation> known = store_.find({.profile = profile_of(suggestion),
                                                    .purpose = suggestion.purpose,
                                                    .kind = suggestion.kind,
                                                    .model_hash = model_hash(suggestion.model)});
      finding.known = known.size() > *suggestion.visit;
      if (finding.known) finding.observation = std::move(known[*suggestion.visit]);
      break;
    }
  }
  summary_.known += finding.known ? 1 : 0;
  return finding;
}

Finding Campaign::take(const Suggestion& suggestion) {
  if (suggestion.only_answerable && suggestion.ask == Suggestion::Ask::measure &&
      !rig_.can_measure(suggestion.model, suggestion.setup)) {
    ++summary_.skipped;
    return {};
  }
  const Stopwatch inside;
  Finding finding;
  switch (suggestion.ask) {
    case Suggestion::Ask::measure:
      finding = measure(suggestion);
      break;
    case Suggestion::Ask::time:
      finding = time_block(suggestion);
      break;
    case Suggestion::Ask::idle:
      finding = measure_idle(suggestion);
      break;
  }
  summary_.measuring += inside.elapsed();
  return finding;
}

Finding Campaign::measure(const Suggestion& suggestion) {
  Observation observation =
      suggestion.with_times
          ? observe_with_times(rig_, suggestion.model,
                               suggestion.reference ? &*suggestion.reference : nullptr,
                               suggestion.setup, suggestion.precision)
          : observe(rig_, suggestion.model, suggestion.setup, suggestion.precision);
  observation.purpose = suggestion.purpose;
  observation.kind = suggestion.kind;
  observation.features = suggestion.features;
  observation.round_widths = suggestion.round_widths;
  if (suggestion.kept) store_.add(profile_of(suggestion), observation);
  count(observation.measurement.has_value(), summary_.measured, suggestion, observation.failure);
  Finding finding;
  finding.observation = std::move(observation);
  return finding;
}

Finding Campaign::time_block(const Suggestion& suggestion) {
  BlockTiming timing{suggestion.kind, suggestion.features, {}, "", utc_now()};
  try {
    timing.timing = rig_.time(suggestion.model, suggestion.setup);
  } catch (const Error& error) {
    if (is_unanswered(error, suggestion)) {
      ++summary_.skipped;
      return {};
    }
    if (error.code() != ErrorCode::failed) throw;
    timing.failure = error.what();
  }
  count(timing.timing.has_value(), summary_.timed, suggestion, timing.failure);
  Finding finding;
  finding.timing = timing;
  hold(std::move(timing));
  return finding;
}

Finding Campaign::measure_idle(const Suggestion& suggestion) try {
  Finding finding;
  if (!rig_.can_idle()) return finding;
  finding.idle = rig_.idle_after(suggestion.model, suggestion.setup);
  put_idle(store_, profile_, *finding.idle);
  return finding;
} catch (const Error& error) {
  if (error.code() != ErrorCode::failed && error.code() != ErrorCode::unknown) throw;
  warn(fmt::format("the power of the idle device is not known: {}", error.what()));
  return {};
}

void Campaign::hold(BlockTiming timing) {
  if (timed_) timed_->insert({timing.kind, timing.features});
  held_.push_back(std::move(timing));
  if (held_.size() >= kTimingsAtOnce) flush_timings();
}

void Campaign::flush_timings() {
  if (!held_.empty()) store_.add(profile_, held_);
  held_.clear();
  held_claims_.clear();
}

void Campaign::count(bool success, int& counter, const Suggestion& suggestion,
                     const std::string& failure) {
  ++(success ? counter : summary_.failed);
  if (success) return;
  // What follows the first line is what a program said, with numbers of its own.
  const std::string line = failure.substr(0, failure.find('\n'));
  ++failures_.try_emplace(line, Failed{title_of(suggestion), failure}).first->second.count;
}

void Campaign::report(const Suggestions& plan, const Stopwatch& since, int taken) {
  Progress now = plan.progress();
  now.failures = summary_.failed;
  if (const auto left = plan.left(); left && taken > 0)
    now.left = since.elapsed() / taken * static_cast<double>(*left);
  listener_.progress(now);
}

std::int64_t Campaign::profile_of(const Suggestion& suggestion) {
  const Setup& setup = suggestion.setup;
  if (suggestion.ask != Suggestion::Ask::measure || setup == setup_) return profile_;
  const auto [place, is_new] = other_profiles_.try_emplace(to_string(setup), 0);
  if (is_new) place->second = store_.open_profile(rig_.device(), setup, rig_name_);
  return place->second;
}

}  // namespace ampere
