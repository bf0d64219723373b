// Named windows over one meter, nested and from any thread:
//
//   EnergyLog log(open_meter("nvml:0"));
//   auto epoch = log.open("epoch");
//   {
//     auto step = epoch.open("forward");
//     forward();
//   }  // closed with its handle
//   epoch.close();
//   for (const PathUsage& path : log.results()) …  // "epoch", "epoch/forward"
//
// A counter that moves in steps is watched in the background, and the energy at the moment a window
// was opened or closed is interpolated between its steps. Memory does not grow with time or with
// the number of windows, only with that of different paths.
#pragma once

#include <cstdint>
#include <functional>

#include "ampere/error.h"
#include "ampere/meter.h"

namespace ampere {

// A window shorter than the period of its meter, which therefore says nothing of it. Nothing is
// broken.
class TooShort : public Error {
 public:
  explicit TooShort(const std::string& message) : Error(ErrorCode::failed, message) {}
};

struct LogOptions {
  // Between two readings in the background, for meters that move more often than that is worth
  // watching (every 20 ms); the others are read as their period asks for.
  Seconds every{0.1};
  // Told of every reading that shows something new, in the order of their times: of the first by
  // the constructor, then from the background thread. Must not throw.
  std::function<void(const Reading&)> on_reading = {};
};

struct PathUsage {
  std::string path;
  std::int64_t windows = 0;    // that were closed
  Seconds time{};              // of all of them together
  std::optional<Usage> usage;  // of all of them together; absent when it cannot be known
  std::string reason;          // then, why
};

class EnergyLog {
  class State;
  struct Record;

 public:
  // Open from its making until it is closed or destroyed. May outlive the log, which then knows
  // nothing more of it.
  class Window {
   public:
    Window(Window&&) noexcept = default;
    Window& operator=(Window&& other) noexcept;
    ~Window() { close(); }

    // One inside this one: its path is "<this one's>/<name>". Throws Error(usage) when the name is
    // empty or has a '/' in it.
    Window open(const std::string& name) const;

    // Never waits for the meter to move. A second time does nothing.
    void close() noexcept;

    // Closes it and waits until the meter has passed its end, a few periods at most. Throws
    // Error(failed) when the meter failed or stands still, or the window is shorter than the
    // period.
    Usage usage();

    // After usage() failed: of the part before the meter's last reading, or absent.
    std::optional<Usage> known_part() const;

   private:
    friend class EnergyLog;
    Window(std::shared_ptr<State> state, const std::string& path);

    std::shared_ptr<State> state_;
    std::shared_ptr<Record> record_;
  };

  // Reads the meter once; throws what that throws. Later failures are kept and become reasons.
  explicit EnergyLog(std::shared_ptr<Meter> meter, const LogOptions& options = {});
  ~EnergyLog();
  EnergyLog(const EnergyLog&) = delete;
  EnergyLog& operator=(const EnergyLog&) = delete;

  const MeterInfo& info() const;

  Window open(const std::string& name);

  // What the closed windows used, by path, in the order the paths were first opened. Waits until
  // the meter has passed their ends, a few periods at most.
  std::vector<PathUsage> results();

 private:
  std::shared_ptr<State> state_;
  struct Thread;
  std::unique_ptr<Thread> thread_;  // last: uses what is above
};

}  // namespace ampere
