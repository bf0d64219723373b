// The default stream of the current CUDA device, which is the one LibTorch fills, through NVIDIA's
// driver. The driver is loaded at run time: the build needs no CUDA.
#pragma once

#include <memory>

#include "ampere/train.h"
#include "train/step_timing.h"

namespace ampere {

// The thread must have a CUDA context, as one that has used LibTorch on the device has. What the
// driver refuses is Error(failed) with the call and its result.
std::unique_ptr<DeviceQueue> open_cuda_queue();

// When what was handed over came to its end, by the device's own clock, while later work waits in
// the stream already.
class StreamProgress {
 public:
  virtual ~StreamProgress() = default;
  // Right after so many iterations were handed over. Waits for those of the call before the last
  // one, and tells of them.
  virtual Completed handed_over(int iterations) = 0;
};

// From here on; waits until the stream is idle.
std::unique_ptr<StreamProgress> open_cuda_progress();

}  // namespace ampere
