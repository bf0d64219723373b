#include "meter/with_state.h"

#include <mutex>

#include "base/steady_now.h"

namespace ampere {
namespace {

class MeterWithState final : public Meter {
 public:
  MeterWithState(std::unique_ptr<Meter> meter, std::function<MeterState()> read_state)
      : meter_(std::move(meter)), read_state_(std::move(read_state)) {}

  const MeterInfo& info() const override { return meter_->info(); }
  Reading read() override { return meter_->read(); }
  void attend(bool on) override { meter_->attend(on); }

  MeterState state() override {
    const std::scoped_lock lock(mutex_);
    const Seconds now = steady_now();
    if (!known_ || now - asked_ >= info().update_period) {
      known_ = read_state_();
      asked_ = now;
    }
    return *known_;
  }

 private:
  std::unique_ptr<Meter> meter_;
  std::function<MeterState()> read_state_;
  std::mutex mutex_;  // guards what follows
  std::optional<MeterState> known_;
  Seconds asked_{};
};

}  // namespace

std::unique_ptr<Meter> with_state(std::unique_ptr<Meter> meter,
                                  std::function<MeterState()> read_state) {
  return std::make_unique<MeterWithState>(std::move(meter), std::move(read_state));
}

}  // namespace ampere
