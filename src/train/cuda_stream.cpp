#include "train/cuda_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "ampere/error.h"
#include "base/steady_now.h"
#include "train/gate.h"
#include "train/nvidia_library.h"

namespace ampere {
namespace {

// A full queue blocks the thread that fills it, and the queue is only emptied once the gate is
// open. The timeout ends such a deadlock.
constexpr Seconds kGateTimeout{0.2};

// In cuda.h streams and events are pointers to what only the driver knows, and stream 0 is the
// default one.
using Handle = void*;
constexpr Handle kStream = nullptr;
constexpr unsigned kTimed = 0;  // CU_EVENT_DEFAULT

const NvidiaLibrary& driver() {
  static const NvidiaLibrary library("libcuda.so.1");
  return library;
}

template <typename... Arguments>
void must(const char* name, Arguments... arguments) {
  const std::optional<int> result = driver().call(name, arguments...);
  if (result == 0) return;
  if (!result)
    throw Error(ErrorCode::failed,
                fmt::format("the CUDA driver (libcuda.so.1) has no {}; update it", name));
  const char* meaning = nullptr;
  driver().call("cuGetErrorName", *result, &meaning);
  throw Error(ErrorCode::failed, fmt::format("the CUDA driver: {} gave {} ({})", name, *result,
                                             meaning ? meaning : "unknown"));
}

// A moment in the stream.
class CudaEvent {
 public:
  CudaEvent() { must("cuEventCreate", &handle_, kTimed); }
  ~CudaEvent() { driver().call("cuEventDestroy_v2", handle_); }
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;

  void record() { must("cuEventRecord", handle_, kStream); }
  void wait() { must("cuEventSynchronize", handle_); }

  Seconds since(const CudaEvent& earlier) const {
    float milliseconds = 0;
    must("cuEventElapsedTime", &milliseconds, earlier.handle_, handle_);
    return Seconds{milliseconds / 1e3};
  }

 private:
  Handle handle_ = nullptr;
};

// Called by a thread of the driver when the stream gets there; it may not call CUDA. The driver has
// a share of the gate of its own, so that the gate is there whatever else went wrong meanwhile.
void wait_at_gate(void* share) {
  const std::unique_ptr<std::shared_ptr<Gate>> gate(static_cast<std::shared_ptr<Gate>*>(share));
  (*gate)->pass();
}

// Holds the stream from now until open(), or until the timeout of the gate.
class HeldStream {
 public:
  HeldStream() {
    auto share = std::make_unique<std::shared_ptr<Gate>>(gate_);
    must("cuLaunchHostFunc", kStream, &wait_at_gate, static_cast<void*>(share.get()));
    static_cast<void>(share.release());
  }
  ~HeldStream() { gate_->open(); }
  HeldStream(const HeldStream&) = delete;
  HeldStream& operator=(const HeldStream&) = delete;

  bool open() { return gate_->open(); }  // true when it stood still until now

 private:
  std::shared_ptr<Gate> gate_ = std::make_shared<Gate>(kGateTimeout);
};

class CudaQueue final : public DeviceQueue {
 public:
  void wait() override { must("cuStreamSynchronize", kStream); }

  std::optional<Seconds> run_held(const std::function<void()>& enqueue) override {
    CudaEvent begin, end;
    HeldStream held;
    begin.record();
    enqueue();
    end.record();
    const bool stood_still = held.open();
    wait();
    if (!stood_still) return std::nullopt;
    return end.since(begin);
  }
};

class CudaProgress final : public StreamProgress {
 public:
  CudaProgress() {
    begin_.record();
    begin_.wait();
    began_ = steady_now();
  }

  Completed handed_over(int iterations) override {
    Piece& last = pieces_.emplace_back();
    last.iterations = iterations;
    last.end.record();
    if (pieces_.size() <= kAhead) return {};
    Piece& first = pieces_.front();
    first.end.wait();
    const Seconds ago = steady_now() - (began_ + first.end.since(begin_));
    const Completed progress{first.iterations, std::max(ago, Seconds{0})};
    pieces_.pop_front();
    return progress;
  }

 private:
  struct Piece {
    CudaEvent end;
    int iterations = 0;
  };
  static constexpr std::size_t kAhead = 2;

  CudaEvent begin_;
  Seconds began_{};
  std::deque<Piece> pieces_;
};

}  // namespace

std::unique_ptr<StreamProgress> open_cuda_progress() { return std::make_unique<CudaProgress>(); }

std::unique_ptr<DeviceQueue> open_cuda_queue() { return std::make_unique<CudaQueue>(); }

}  // namespace ampere
