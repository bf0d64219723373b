// A rig that counts what it is asked, and may fail where a test wishes.
#pragma once

#include <functional>
#include <memory>

#include "ampere/rig.h"

namespace ampere::testing_support {

class HookedRig : public Rig {
 public:
  using Hook = std::function<void(const Model&)>;

  explicit HookedRig(std::unique_ptr<Rig> rig) : rig_(std::move(rig)) {}

  const DeviceInfo& device() const override { return rig_->device(); }
  Abilities abilities() const override {
    Abilities abilities = rig_->abilities();
    if (!can_time_steps) abilities.erase(Ability::time);
    if (!can_rest) abilities.erase(Ability::idle);
    if (pacer) abilities.insert(Ability::pace);
    return abilities;
  }
  bool can_answer(const Request& request) const override {
    return !has_answer || has_answer(*model_of(request));
  }

  std::vector<std::string> warnings() const override { return rig_->warnings(); }

  int asked() const { return measured + timed + paced + idled; }

  int measured = 0, timed = 0, paced = 0, idled = 0;
  bool can_time_steps = true, can_rest = true;
  Hook before_measuring, before_timing;
  std::function<bool(const Model&)> has_answer;
  std::function<Pace(const Model&, const Model& reference)> pacer;  // instead of the rig's

 protected:
  RigAnswer answer(const Request& request, const RunListener& listener) override {
    std::visit([this](const auto& each) { count(each); }, request);
    if (const auto* pace = std::get_if<PaceRequest>(&request); pace != nullptr && pacer)
      return pacer(pace->model, pace->reference);
    return rig_->run(request, listener);
  }

 private:
  void count(const MeasureRequest& request) {
    if (before_measuring) before_measuring(request.model);
    ++measured;
  }
  void count(const TimeRequest& request) {
    if (before_timing) before_timing(request.model);
    ++timed;
  }
  void count(const PaceRequest&) { ++paced; }
  void count(const IdleRequest&) { ++idled; }
  template <class Other>
  void count(const Other&) {}

  std::unique_ptr<Rig> rig_;
};

}  // namespace ampere::testing_support
