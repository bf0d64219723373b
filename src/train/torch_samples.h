// Samples as tensors. Seen by the sources that see torch.
#pragma once

#include <memory>

#include "data/data_set.h"
#include "train/torch_iteration.h"

namespace ampere {

// One half of a data set, on the device where there is room for it, else on the host.
class TorchSamples {
 public:
  // The samples are laid out as the network's input has them; those on the CPU are not copied.
  TorchSamples(std::shared_ptr<const DataSet> data, const Samples& samples,
               const TensorShape& input, at::Device device);

  std::int64_t count() const { return values_.size(0); }
  Batch pick(const at::Tensor& rows) const;  // `rows` as order() makes them
  Batch range(std::int64_t first, std::int64_t count) const;

  // Indices of samples, where the samples are.
  at::Tensor order(const std::vector<std::int64_t>& rows) const;

 private:
  Batch batch(const at::Tensor& values, const at::Tensor& labels) const;

  std::shared_ptr<const DataSet> data_;
  at::Device device_;
  at::Tensor values_, labels_;  // one row a sample
};

}  // namespace ampere
