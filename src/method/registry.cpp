#include "method/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "ampere/error.h"
#include "base/text.h"
#include "method/ampere/ampere_method.h"
#include "method/dual/dual_method.h"
#include "method/kernels/kernel_methods.h"
#include "method/operations/operations_method.h"
#include "method/proxies/proxy_methods.h"

namespace ampere {
namespace {

using Methods = std::vector<std::unique_ptr<Method>>;

const Methods& all_methods() {
  static const Methods methods = [] {
    Methods all;
    all.push_back(make_dual_method());
    all.push_back(make_operations_method());
    std::ranges::move(make_kernel_methods(), std::back_inserter(all));
    all.push_back(make_ampere_method());
    std::ranges::move(make_proxy_methods(), std::back_inserter(all));
    return all;
  }();
  return methods;
}

}  // namespace

std::vector<const Method*> methods_for(Phase phase) {
  std::vector<const Method*> methods;
  for (const auto& method : all_methods())
    if (method->serves(phase)) methods.push_back(method.get());
  return methods;
}

const Method& find_method(const std::string& name, Phase phase) {
  std::vector<std::string> names;
  for (const Method* method : methods_for(phase)) {
    if (method->name() == name) return *method;
    names.push_back(method->name());
  }
  throw Error(ErrorCode::usage, fmt::format("no method{} is called '{}'{} (there are: {})",
                                            phase == Phase::inference ? " of inference" : "", name,
                                            suggestion(name, names), fmt::join(names, ", ")));
}

std::vector<const Method*> methods_of(const Store& store, const ProfileRow& profile) {
  std::vector<const Method*> methods;
  for (const Method* method : methods_for(profile.setup.phase))
    if (!method->is_baseline() && method->answers(store, profile)) methods.push_back(method);
  return methods;
}

}  // namespace ampere
