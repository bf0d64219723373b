#include "rig/working.h"

#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "rig/energy_watch.h"
#include "rig/measuring.h"

namespace ampere {
namespace {

constexpr Seconds kStep{0.05};  // between two readings of the meter
// Work may take longer or draw more power than before.
constexpr double kReserve = 1.25;
constexpr Seconds kTellInterval{1};  // so that the host does not give up waiting

KeptNetwork build(Trainer& trainer, const WorkRequest& request) {
  return {model_hash(request.model),
          request.setup,
          trainer.prepare(request.model, request.setup),
          {},
          {}};
}

class Working {
 public:
  Working(KeptNetwork& network, EnergyWatch& watch, Clock& clock, Seconds begin, Source source)
      : network_(network), watch_(watch), clock_(clock), begin_(begin), told_(begin) {
    done_.source = source;
  }

  void run(std::int64_t iterations, const std::function<void(const WorkDone&)>& tell) {
    watch_.look();
    while (done_.iterations < iterations) {
      const int step = affordable(iterations - done_.iterations);
      if (step == 0) break;
      const Seconds start = clock_.now();
      network_.job->run(step);
      network_.iteration = (clock_.now() - start) / step;
      done_.iterations += step;
      watch_.look();
      if (tell) report(tell);
    }
    watch_.settle();
    network_.highest_power = watch_.highest_power();
  }

  WorkDone done() {
    done_.energy = watch_.used();
    done_.time = clock_.now() - begin_;
    return done_;
  }

 private:
  // As many iterations, at most for one step, as there is energy for.
  int affordable(std::int64_t left) const {
    const Seconds each = network_.iteration;
    std::int64_t step =
        each.count() > 0 ? std::min<std::int64_t>(iterations_in(kStep, each), left) : 1;
    while (step > 0 && !watch_.affords(static_cast<double>(step) * each, kReserve)) step /= 2;
    return static_cast<int>(step);
  }

  void report(const std::function<void(const WorkDone&)>& tell) {
    if (clock_.now() - told_ < kTellInterval) return;
    told_ = clock_.now();
    tell(done());
  }

  KeptNetwork& network_;
  EnergyWatch& watch_;
  Clock& clock_;
  const Seconds begin_;
  Seconds told_;
  WorkDone done_;
};

}  // namespace

bool KeptNetwork::is_of(const WorkRequest& request) const {
  return setup == request.setup && hash == model_hash(request.model);
}

WorkDone work(std::optional<KeptNetwork>& network, Trainer& trainer, Meter& meter, Clock& clock,
              const WorkRequest& request, const std::function<void(const WorkDone&)>& tell) {
  const Seconds begin = clock.now();
  const Watts seen = network ? network->highest_power : Watts{};
  EnergyWatch watch(meter, clock, {request.stop_at, {}, seen});
  if (!network) network = build(trainer, request);
  Working working(*network, watch, clock, begin, meter.info().source);
  working.run(request.iterations, tell);
  const WorkDone done = working.done();
  if (done.iterations > 0 && done.energy.value <= 0)
    throw Error(ErrorCode::failed,
                fmt::format("{}: the meter {} did not move while {} iterations were trained",
                            request.model.name(), meter.info().name, done.iterations));
  return done;
}

}  // namespace ampere
