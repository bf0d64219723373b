// How far a dual model is off for networks that it has not seen, and the factors that make its
// intervals hold what they state.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "method/dual/dual_model.h"

namespace ampere {

// What is fitted to: networks with their blocks' times, where each is the same network as another
// one (equal numbers), and the device times that the maps give to blocks as if they had not been
// timed.
struct Fitted {
  std::vector<MeasuredNetwork> networks;
  std::vector<std::size_t> identity;  // one a network
  const TimeMaps& maps;
  const UntimedBlocks& untimed;
  std::optional<Window> idle;
};

void fit_laws(DualModel& model, const std::vector<const MeasuredNetwork*>& networks,
              const std::optional<Window>& idle, const std::optional<PowerProcess>& process = {});

// Sets check, inflation and at_hand of a model whose laws were fitted to all of these.
void calibrate(DualModel& model, const Fitted& fitted);

}  // namespace ampere
