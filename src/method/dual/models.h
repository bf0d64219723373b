// The dual models of a profile, each for a family of networks, and which of them answers for a
// network.
#pragma once

#include <functional>

#include "method/dual/dual_profile.h"

namespace ampere {

// The model for networks of these kinds, with the maps that they need. Throws Error(unknown) where
// there is none.
using ModelFor = std::function<SharedDualModel(const std::vector<std::string>& kinds)>;

// As they are stored, read when they are first asked for. The store must outlive it. A network of
// blocks of several families has laws that are fitted to all of these now.
ModelFor stored_models(const Store& store, std::int64_t profile, const Setup& setup);

// Fitted to this evidence, each when it is first asked for.
ModelFor fitted_models(const DualEvidence& evidence);

// `has_host`: whether a host hands work to the device, so that its speed is a matter of its own.
std::unique_ptr<Estimator> make_dual_estimator(ModelFor model_for, bool has_host);

}  // namespace ampere
