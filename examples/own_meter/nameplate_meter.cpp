#include "nameplate_meter.h"

#include <ampere/error.h>

#include <cstdlib>

namespace {

ampere::Seconds now() { return std::chrono::steady_clock::now().time_since_epoch(); }

class NameplateMeter final : public ampere::Meter {
 public:
  explicit NameplateMeter(double watts) : power_{watts}, opened_(now()) {
    info_.name = "nameplate:" + std::to_string(watts);
    info_.domains = {{"device", true, "machine", "what the nameplate says, used or not"}};
    // Nothing is measured here, so it must not be called that.
    info_.source = ampere::Source::modelled;
    info_.sensing = ampere::Sensing::modelled;
    info_.method = "nameplate power x time";
  }

  const ampere::MeterInfo& info() const override { return info_; }

  ampere::Reading read() override {
    const ampere::Seconds time = now();
    return {time, {power_ * (time - opened_)}};
  }

 private:
  ampere::Watts power_;
  ampere::Seconds opened_;
  ampere::MeterInfo info_;
};

std::unique_ptr<ampere::Meter> open_nameplate(std::string_view argument) {
  const std::string text(argument);
  char* end = nullptr;
  const double watts = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(watts > 0))
    throw ampere::Error(ampere::ErrorCode::usage,
                        "nameplate:" + text + ": write nameplate:WATTS, for example nameplate:25");
  return std::make_unique<NameplateMeter>(watts);
}

}  // namespace

ampere::MeterKind nameplate_meter_kind() {
  return {"nameplate", open_nameplate, [] {
            return std::vector<ampere::MeterProbe>{
                {"nameplate:25", true, "a device that draws what its nameplate says", {}}};
          }};
}
