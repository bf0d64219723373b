#include "train/torch_samples.h"

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

namespace ampere {
namespace {

// LibTorch wants a pointer it could write through; nobody does.
template <class Number>
at::Tensor view_of(const std::vector<Number>& numbers, const std::vector<std::int64_t>& sizes,
                   at::ScalarType type) {
  return at::from_blob(const_cast<Number*>(numbers.data()), sizes, at::dtype(type));
}

std::vector<std::int64_t> sizes_of(std::int64_t count, const TensorShape& input) {
  std::vector<std::int64_t> sizes = input.axes();
  sizes.insert(sizes.begin(), count);
  return sizes;
}

}  // namespace

TorchSamples::TorchSamples(std::shared_ptr<const DataSet> data, const Samples& samples,
                           const TensorShape& input, at::Device device)
    : data_(std::move(data)), device_(device) {
  const std::vector<std::int64_t> sizes = sizes_of(samples.count, input);
  values_ = samples.tokens.empty() ? view_of(samples.values, sizes, at::kFloat)
                                   : view_of(samples.tokens, sizes, at::kLong);
  labels_ = view_of(samples.labels, {samples.count, data_->labels_each}, at::kLong);
  try {
    const at::Tensor values = values_.to(device), labels = labels_.to(device);
    values_ = values;
    labels_ = labels;
  } catch (const c10::OutOfMemoryError&) {
    // Batch by batch then.
  }
}

Batch TorchSamples::batch(const at::Tensor& values, const at::Tensor& labels) const {
  return {{values.to(device_)}, labels.flatten().to(device_)};
}

Batch TorchSamples::pick(const at::Tensor& rows) const {
  return batch(values_.index_select(0, rows), labels_.index_select(0, rows));
}

Batch TorchSamples::range(std::int64_t first, std::int64_t count) const {
  return batch(values_.narrow(0, first, count), labels_.narrow(0, first, count));
}

at::Tensor TorchSamples::order(const std::vector<std::int64_t>& rows) const {
  return at::tensor(rows).to(values_.device());
}

}  // namespace ampere
