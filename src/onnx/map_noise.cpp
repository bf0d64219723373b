// Dropout in training mode as exporters write it out: random numbers, a comparison with the share
// that is kept, a division by it, a product. Stochastic depth has one random number per sample.
#include <algorithm>
#include <cmath>

#include "onnx/handlers.h"

namespace ampere::onnx {
namespace {

bool is_random(std::string_view op) {
  return op == "RandomUniform" || op == "RandomUniformLike" || op == "Bernoulli";
}

// A one per sample, or per number, of which some are dropped.
bool drops_ones(const Importer& importer, const Node& node) {
  return node.op == "Dropout" && importer.is_constant(node, 0) &&
         !importer.constant(node, 0).learned && all_equal(importer.constant(node, 0), 1);
}

double dropped_share(const Importer& importer, const Node& node) {
  return importer.has(node, 1) ? decimal(importer.constant(node, 1).scalar())
                               : real(node, "ratio", 0.5);
}

Noise made_noise(const Importer& importer, const Node& node) {
  if (node.op == "RandomUniform") return {integers(node, "shape", {}), 0, std::nullopt};
  Noise noise{importer.dims(node, 0), 0, std::nullopt};
  if (node.op == "Dropout") {
    noise.kept = 1 - dropped_share(importer, node);
  } else if (node.op == "Bernoulli") {
    const Constant& share = importer.constant(node, 0);
    if (!share.known() || share.elements() < 1 || !all_equal(share, share.numbers().front()))
      throw Unsupported{"draws with probabilities that differ"};
    noise.kept = decimal(share.numbers().front());
  } else if (real(node, "low", 0) != 0 || real(node, "high", 1) != 1) {
    throw Unsupported{"random numbers that are not between 0 and 1"};
  }
  return noise;
}

// Uniform numbers below a limit: a mask of ones with that probability.
Noise compared(const Noise& noise, double limit, bool below) {
  if (noise.kept) throw Unsupported{"compares a mask"};
  const double share = std::clamp(limit - noise.shift, 0.0, 1.0);
  return {noise.dims, 0, below ? share : 1 - share};
}

Noise floored(const Noise& noise) {
  if (noise.kept || noise.shift < 0 || noise.shift > 1)
    throw Unsupported{"rounds random numbers in a way that is not dropout"};
  return {noise.dims, 0, noise.shift};
}

// The constant operand of a node whose other operand is a mask or random numbers.
double other_number(const Importer& importer, const Node& node, std::size_t noise_at) {
  return decimal(importer.constant(node, 1 - noise_at).scalar());
}

bool is_one_per_sample(const Importer& importer, const Dims& dims) {
  return !dims.empty() && dims[0] == importer.batch() &&
         std::all_of(dims.begin() + 1, dims.end(), [](std::int64_t each) { return each == 1; });
}

void drop(Importer& importer, const Node& node, const Value& value, const Noise& mask) {
  if (!mask.kept) throw Unsupported{"multiplies with random numbers, which is not dropout"};
  // 1 − 0.8 is 0.2 again, not 0.19999999.
  const double probability = std::round((1 - *mask.kept) * 1e9) / 1e9;
  const Dims dims = dims_of(value.view);
  const bool samples = mask.dims != dims && is_one_per_sample(importer, mask.dims);
  if (!samples && mask.dims != dims) throw Unsupported{"drops rows or channels as a whole"};
  if (probability == 0) return importer.set(node, 0, value);
  importer.set(
      node, 0,
      Value{importer.emit(node, Dropout{probability, samples}, {value.layer}), value.view});
}

// mask ? x : 0, or mask ? 0 : x.
void drop_by_choice(Importer& importer, const Node& node, Noise mask) {
  const bool keeps_ones = importer.is_constant(node, 2);
  if (!importer.is_constant(node, keeps_ones ? 2 : 1) ||
      !all_equal(importer.constant(node, keeps_ones ? 2 : 1), 0))
    throw Unsupported{"chooses at random between two tensors"};
  if (!keeps_ones && mask.kept) mask.kept = 1 - *mask.kept;
  drop(importer, node, importer.value(node, keeps_ones ? 1 : 2), mask);
}

bool only_passes(std::string_view op) {
  return op == "Cast" || op == "CastLike" || op == "Identity";
}

}  // namespace

bool makes_noise(const Importer& importer, const Node& node) {
  return is_random(node.op) || drops_ones(importer, node);
}

void import_noise(Importer& importer, const Node& node) {
  if (makes_noise(importer, node)) return importer.set(node, 0, made_noise(importer, node));
  const std::size_t at = importer.noise(node, 0) ? 0 : 1;
  if (!importer.noise(node, at)) throw Unsupported{"reads random numbers"};
  Noise noise = *importer.noise(node, at);
  const std::string_view op = node.op;
  if (op == "Where" && at == 0) return drop_by_choice(importer, node, noise);
  if (only_passes(op)) {
    if (at == 0) return importer.set(node, 0, noise);
    return importer.set(node, 0, importer.constant(node, 0));  // CastLike
  }
  if (op == "Not" && noise.kept)
    return importer.set(node, 0, Noise{noise.dims, 0, 1 - *noise.kept});
  if (op == "Floor") return importer.set(node, 0, floored(noise));
  if (op == "Mul" && !importer.is_constant(node, 1 - at))
    return drop(importer, node, importer.value(node, 1 - at), noise);
  if (op == "Less" || op == "LessOrEqual")
    return importer.set(node, 0, compared(noise, other_number(importer, node, at), at == 0));
  if (op == "Greater" || op == "GreaterOrEqual")
    return importer.set(node, 0, compared(noise, other_number(importer, node, at), at != 0));
  if (op == "Add" && !noise.kept) {
    noise.shift += other_number(importer, node, at);
    return importer.set(node, 0, noise);
  }
  // The factor that keeps the mean is part of dropout.
  if (noise.kept && (op == "Mul" || (op == "Div" && at == 0)) &&
      other_number(importer, node, at) != 0)
    return importer.set(node, 0, noise);
  throw Unsupported{"computes with random numbers in a way that is not dropout"};
}

}  // namespace ampere::onnx
