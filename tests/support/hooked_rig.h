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
  Measurement measure(const Model& model, const Setup& setup, const Precision& precision) override {
    if (before_measuring) before_measuring(model);
    ++measured;
    return rig_->measure(model, setup, precision);
  }
  bool can_time() const override { return can_time_steps; }
  Timing time(const Model& model, const Setup& setup) override {
    if (before_timing) before_timing(model);
    ++timed;
    return rig_->time(model, setup);
  }
  bool can_pace() const override { return pacer || rig_->can_pace(); }
  Pace pace(const Model& model, const Model& reference, const Setup& setup) override {
    ++paced;
    return pacer ? pacer(model, reference) : rig_->pace(model, reference, setup);
  }
  bool can_idle() const override { return can_rest; }
  Window idle_after(const Model& load, const Setup& setup) override {
    ++idled;
    return rig_->idle_after(load, setup);
  }
  bool can_measure(const Model& model, const Setup&) const override {
    return !has_answer || has_answer(model);
  }

  int asked() const { return measured + timed + paced + idled; }

  int measured = 0, timed = 0, paced = 0, idled = 0;
  bool can_time_steps = true, can_rest = true;
  Hook before_measuring, before_timing;
  std::function<bool(const Model&)> has_answer;
  std::function<Pace(const Model&, const Model& reference)> pacer;  // instead of the rig's

 private:
  std::unique_ptr<Rig> rig_;
};

}  // namespace ampere::testing_support
