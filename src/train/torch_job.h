// A network in training by LibTorch. Seen by the sources that see torch.
#pragma once

#include <ATen/core/Tensor.h>

#include "ampere/train.h"
#include "train/cuda_stream.h"
#include "train/torch_iteration.h"

namespace ampere {

class TorchJob final : public TrainJob {
 public:
  TorchJob(const Model& model, const Setup& setup, at::Device device, double learning_rate);

  ~TorchJob() override;
  void run(int iterations) override;
  Completed run_ahead(int iterations) override;    // on a GPU
  std::optional<StepTimes> time_step() override;  // on a GPU

  // Forward and backward, from the loss or, of a block alone, from a random gradient of the output:
  // gives the one or the other. Gradients stay until they are cleared.
  at::Tensor backward();
  void update();
  void clear_gradients();

  const Model& model() const { return model_; }
  const TorchNetwork& network() const { return network_; }
  const Batch& batch() const { return batch_; }

 private:
  [[noreturn]] void fail_untrainable() const;
  void make_ready();
  void synchronize();
  void step();
  void pass_back(const at::Tensor& output, bool again);

  Model model_;
  at::Device device_;
  TorchNetwork network_;
  Batch batch_;
  TorchOptimizer optimizer_;
  Phase phase_;
  std::unique_ptr<StreamProgress> ahead_;  // while the device may be at work after a call
  at::Tensor output_;                      // of one forward pass that is kept for a single phase
  at::Tensor gradient_;                    // of the output, random; where there is no loss
};

}  // namespace ampere
