#include "method/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "ampere/error.h"
#include "base/text.h"
#include "method/ampere/fit.h"
#include "method/dual/dual.h"
#include "method/proxies/proxies.h"

namespace ampere {
namespace {

const std::map<std::string, Proxy> kProxies{{"flops", Proxy::flops},
                                            {"flops+constant", Proxy::flops_and_constant},
                                            {"flops+layers", Proxy::flops_and_layers},
                                            {"params", Proxy::parameters},
                                            {"layers", Proxy::layers},
                                            {"activations", Proxy::activations}};

}  // namespace

const std::vector<MethodKind>& method_kinds(Phase phase) {
  static const std::vector<MethodKind> training{
      {"dual", Evidence::timings, "host time, device time and energy apart, composed: ours"},
      {"ampere", Evidence::blocks, "the sum of the blocks' Gaussian processes, as published"},
      {"flops", Evidence::networks, "in proportion to the FLOPs of an iteration"},
      {"flops+constant", Evidence::networks, "in proportion to the FLOPs, and a constant"},
      {"flops+layers", Evidence::networks,
       "in proportion to the FLOPs and the layers with parameters, and a constant"},
      {"params", Evidence::networks, "in proportion to the parameters"},
      {"layers", Evidence::networks, "in proportion to the layers that have parameters"},
      {"activations", Evidence::networks, "in proportion to the activations"},
      {"neuralpower", Evidence::layers, "the sum of single layers, by polynomials of their sizes"}};
  static const std::vector<MethodKind> inference{
      {"kernels", Evidence::kernels, "the sum of fused kernels, by Gaussian processes"},
      {"kernels-forest", Evidence::kernels, "the same by random forests, as DeepEn2023"},
      {"ampere", Evidence::blocks, "the sum of the blocks' Gaussian processes"},
      {"flops", Evidence::networks, "in proportion to the FLOPs of an inference"},
      {"flops+constant", Evidence::networks, "in proportion to the FLOPs, and a constant"},
      {"flops+layers", Evidence::networks,
       "in proportion to the FLOPs and the layers with parameters, and a constant"}};
  return phase == Phase::inference ? inference : training;
}

const MethodKind& find_method(const std::string& name, Phase phase) {
  std::vector<std::string> names;
  for (const MethodKind& kind : method_kinds(phase)) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  throw Error(ErrorCode::usage, fmt::format("no method{} is called '{}'{} (there are: {})",
                                            phase == Phase::inference ? " of inference" : "", name,
                                            suggestion(name, names), fmt::join(names, ", ")));
}

std::unique_ptr<Estimator> make_estimator(const std::string& method, Knowledge known) {
  switch (find_method(method).evidence) {
    case Evidence::networks:
      return fit_proxy_estimator(kProxies.at(method), known.networks);
    case Evidence::layers:
      return fit_neuralpower_estimator(known.layers);
    case Evidence::timings:
      if (!known.dual)
        throw Error(ErrorCode::unknown,
                    "no blocks were timed on this device with this setup, or too few; run `ampere "
                    "profile MODEL --method dual`");
      return make_dual_estimator(std::move(known.dual));
    case Evidence::blocks:
    case Evidence::kernels:
      break;
  }
  return make_ampere_estimator(std::move(known.blocks));
}

}  // namespace ampere
