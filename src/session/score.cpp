#include "ampere/session.h"
#include "score/score_store.h"

namespace ampere {

int Session::score(const ScoreTask& task, const NamedRig& rig) {
  return measure_cells(task, rig.rig, rig.spec, *store_, stop_, *listener_);
}

std::vector<ScoreCell> Session::score_cells() const { return stored_cells(*store_); }

void Session::keep_cells(const std::vector<ScoreCell>& cells) {
  ampere::keep_cells(*store_, cells);
}

std::optional<std::string> Session::scored_as(const DeviceInfo& device) const {
  return ampere::scored_as(*store_, device);
}

}  // namespace ampere
