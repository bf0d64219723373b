#include "ampere/session.h"

#include "method/registry.h"

namespace ampere {
namespace {

Listener& nobody() {
  static Listener listener;
  return listener;
}

}  // namespace

Session::Session(std::unique_ptr<Store> store, StopToken stop, Listener* listener)
    : store_(std::move(store)),
      stop_(stop),
      listener_(listener != nullptr ? listener : &nobody()) {}

Session::~Session() = default;
Session::Session(Session&&) noexcept = default;

std::vector<MethodInfo> method_infos(Phase phase) {
  std::vector<MethodInfo> infos;
  for (const Method* method : methods_for(phase))
    infos.push_back({method->name(), method->description(), method->is_baseline()});
  return infos;
}

void require_method(const std::string& name, Phase phase) { find_method(name, phase); }

}  // namespace ampere
