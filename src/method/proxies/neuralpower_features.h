// The sizes of a layer that NeuralPower's polynomials are made of.
#pragma once

#include <Eigen/Dense>

#include "ampere/model.h"

namespace ampere {

struct LayerTerms {
  std::string type;  // "conv", "linear", …: one pair of polynomials each
  Eigen::VectorXd time, power;
};

// `layer` is a network of one layer (layers_alone). Convolution, time: all monomials of degree 1 to
// 3 of (batch, output height and width, kernel, input and output channels, input height), and the
// products for FLOPs, output, filter and input size; power: of degree 1 and 2 of these and of their
// binary logarithms, and the same products. Linear: degree 2 of (rows, inputs, outputs) and the
// full product. Pooling: degree 3 of its sizes and the products. Other layers, of which the source
// says nothing: degree 2 of (numbers read, numbers written, parameters, FLOPs).
LayerTerms layer_terms(const Model& layer, std::int64_t batch);

}  // namespace ampere
