// What people use today instead of profiling blocks, as estimators like any other, so that they can
// be compared on the same networks.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ampere/estimate.h"
#include "ampere/store.h"
#include "ampere/widths.h"

namespace ampere {

// Cost in proportion to something that is counted, with or without a constant beside it.
// flops_and_layers has one too; layers are those that have parameters.
enum class Proxy { flops, flops_and_constant, flops_and_layers, parameters, layers, activations };

// Ordinary least squares on whole networks; the interval is the regression's prediction interval.
// What does not vary among them, or only together with the rest, has no part in it: with as many
// layers in all of them, flops_and_layers is flops_and_constant. Failed observations are passed
// over. Throws Error(unknown) when there are fewer networks than numbers to fit.
std::unique_ptr<Estimator> fit_proxy_estimator(Proxy proxy, std::span<const Observation> networks);

// NeuralPower (Cai et al. 2017), for training as AMPERE's authors tried it: forward, backward and
// update of single layers measured apart; for each type of layer polynomials of its sizes for time
// and for power, chosen by the Lasso; the energy of a network is Σ P·T.
//
// The layers of a network as networks of their own, one for each that costs anything, in order.
std::vector<Model> layers_alone(const Model& model);

// Which phases such a layer has: nothing is updated without parameters, and a layer of raw data
// without parameters passes nothing back.
std::vector<Phase> phases_of(const Model& layer);

// `layers` are observations of such networks in their phases. Its interval is from the spread of
// the layers around the polynomials; the original states none. Types of layers that were not
// measured are uncovered. Throws Error(unknown) when there is nothing to fit.
std::unique_ptr<Estimator> fit_neuralpower_estimator(std::span<const Observation> layers);

// The common practice, to compare pruning with: energy in proportion to the FLOPs of an iteration,
// without uncertainty.
std::unique_ptr<WidthJudge> make_flops_judge(const Model& original, std::int64_t batch,
                                             double joules_of_original);

}  // namespace ampere
