#include "method/proxies/neuralpower_features.h"

#include <cmath>
#include <numeric>

namespace ampere {
namespace {

using Sizes = std::vector<double>;

// All products of 1 to `degree` of the sizes, each with repetition.
void add_monomials(const Sizes& sizes, int degree, std::size_t first, double product,
                   Sizes& terms) {
  if (degree == 0) return;
  for (std::size_t i = first; i < sizes.size(); ++i) {
    terms.push_back(product * sizes[i]);
    add_monomials(sizes, degree - 1, i, product * sizes[i], terms);
  }
}

Eigen::VectorXd terms_of(const Sizes& sizes, int degree, const Sizes& products) {
  Sizes terms;
  add_monomials(sizes, degree, 0, 1, terms);
  terms.insert(terms.end(), products.begin(), products.end());
  return Eigen::Map<const Eigen::VectorXd>(terms.data(), static_cast<Eigen::Index>(terms.size()));
}

Sizes with_logarithms(Sizes sizes) {
  const std::size_t count = sizes.size();
  for (std::size_t i = 0; i < count; ++i) sizes.push_back(std::log2(1 + sizes[i]));
  return sizes;
}

double height(const TensorShape& shape) {
  return shape.extent.empty() ? 1 : static_cast<double>(shape.extent.front());
}
double width(const TensorShape& shape) {
  return shape.extent.size() < 2 ? 1 : static_cast<double>(shape.extent.back());
}
double elements(const TensorShape& shape) { return static_cast<double>(shape.elements()); }
double product(const std::vector<std::int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), 1.0, std::multiplies<>{});
}

struct Sample {
  const Layer& layer;
  const TensorShape &in, &out;
  double batch, flops, parameters;
};

LayerTerms terms(const Conv& conv, const Sample& s) {
  const auto channels_in = static_cast<double>(s.in.channels);
  const auto channels_out = static_cast<double>(s.out.channels);
  const Sizes sizes{
      s.batch,     height(s.out), width(s.out), static_cast<double>(conv.kernel.front()),
      channels_in, channels_out,  height(s.in)};
  const Sizes products{s.flops, s.batch * elements(s.out),
                       product(conv.kernel) * channels_in * channels_out, s.batch * elements(s.in)};
  return {"conv", terms_of(sizes, 3, products), terms_of(with_logarithms(sizes), 2, products)};
}

LayerTerms terms(const Linear&, const Sample& s) {
  const Sizes sizes{s.batch * static_cast<double>(s.out.positions()),
                    static_cast<double>(s.in.channels), static_cast<double>(s.out.channels)};
  const Sizes products{sizes[0] * sizes[1] * sizes[2]};
  return {"linear", terms_of(sizes, 2, products), terms_of(sizes, 2, products)};
}

LayerTerms terms(const Pool& pool, const Sample& s) {
  const Sizes sizes{s.batch,
                    static_cast<double>(s.in.channels),
                    height(s.in),
                    height(s.out),
                    product(pool.kernel),
                    static_cast<double>(pool.stride.front())};
  const Sizes products{s.batch * elements(s.in), s.batch * elements(s.out),
                       s.batch * elements(s.out) * product(pool.kernel)};
  return {"pool", terms_of(sizes, 3, products), terms_of(sizes, 2, products)};
}

template <class Other>
LayerTerms terms(const Other&, const Sample& s) {
  const Sizes sizes{s.batch * elements(s.in), s.batch * elements(s.out), s.parameters, s.flops};
  return {op_name(s.layer.op), terms_of(sizes, 2, {}), terms_of(sizes, 2, {})};
}

}  // namespace

LayerTerms layer_terms(const Model& layer, std::int64_t batch) {
  const Layer& last = layer.output();
  const Counts counts = count(last, layer, batch);
  const Sample sample{last,
                      layer.layers()[static_cast<std::size_t>(last.inputs.front())].output,
                      last.output,
                      static_cast<double>(batch),
                      static_cast<double>(counts.forward_flops),
                      static_cast<double>(counts.parameters)};
  return std::visit([&](const auto& op) { return terms(op, sample); }, last.op);
}

}  // namespace ampere
