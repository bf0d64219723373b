#include "meter/trace/trace_meter.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>

#include "ampere/error.h"
#include "base/steady_now.h"
#include "meter/trace/trace_integrator.h"
#include "meter/trace/trace_parser.h"

namespace ampere {
namespace {

constexpr Seconds kReadPatience{0.02};  // for bytes; closing the meter takes as long
constexpr Seconds kAhead{1};            // how far a trace is read into the future
constexpr Seconds kBehind{1};           // what is kept beyond the wait of a read
constexpr Seconds kSleep{0.1};          // of the machine that is noticed
constexpr Seconds kFirstUnixTime{1e9};
constexpr std::size_t kChunk = 65536;

Seconds system_now() { return std::chrono::system_clock::now().time_since_epoch(); }

class TraceMeter final : public Meter {
 public:
  TraceMeter(MeterInfo info, std::string subject, std::unique_ptr<TraceInput> input,
             const TraceOptions& options)
      : info_(std::move(info)),
        subject_(std::move(subject)),
        options_(options),
        input_(std::move(input)),
        parser_(options.format),
        integrator_(options.gap),
        aligning_(options.align_pulses),
        opened_(steady_now()) {
    if (options_.clock == TraceClock::monotonic) offset_ = options_.offset;
    if (options_.clock == TraceClock::unix_time)
      offset_ =
          options_.offset + opened_ - (options_.unix_now ? options_.unix_now() : system_now());
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    if (aligning_) align();
    wait_for_data();
    describe();
  }

  const MeterInfo& info() const override { return info_; }

  Reading read() override {
    const Seconds moment = steady_now();
    std::unique_lock lock(mutex_);
    for (;;) {
      if (auto reading = integrator_.at(moment)) return *reading;
      if (failure_) throw Error(ErrorCode::failed, failure_->what());
      if (moment < *integrator_.begin())
        fail_read(fmt::format("begins {:.4g} s after this moment",
                              (*integrator_.begin() - moment).count()));
      const Seconds left = moment + options_.wait - steady_now();
      if (left.count() <= 0)
        fail_read(
            fmt::format("did not come to this moment within {:.4g} s (wait=): its last "
                        "sample is {:.4g} s before it",
                        options_.wait.count(), (moment - *integrator_.end()).count()));
      grown_.wait_for(lock, left);
    }
  }

 private:
  [[noreturn]] void fail_read(const std::string& what) const {
    throw Error(ErrorCode::failed, fmt::format("{} {}", subject_, what));
  }

  void run(const std::stop_token& stop) {
    try {
      while (!stop.stop_requested() && pump(stop)) {
      }
    } catch (const Error& error) {
      end_with(error);
    } catch (const std::exception& error) {
      end_with(Error(ErrorCode::failed, fmt::format("{}: {}", subject_, error.what())));
    }
  }

  void end_with(const Error& error) {
    const std::scoped_lock lock(mutex_);
    failure_ = error;
    grown_.notify_all();
  }

  // False when there is no more.
  bool pump(const std::stop_token& stop) {
    if (is_ahead()) {
      std::unique_lock lock(mutex_);
      caught_up_ = true;
      stopping_.wait_for(lock, stop, kAhead / 2, [] { return false; });
      return true;
    }
    const auto size = input_->read(buffer_, kReadPatience);
    const std::scoped_lock lock(mutex_);
    if (!size) return end();
    if (options_.clock != TraceClock::replay && time_slept() - slept_before_ > kSleep)
      throw Error(ErrorCode::failed,
                  fmt::format("{}: the machine slept, so its clock and this one no longer agree; "
                              "open the meter again",
                              subject_));
    consume({buffer_.data(), *size});
    if (*size == 0) catch_up();
    integrator_.forget_before(steady_now() - options_.wait - kBehind);
    grown_.notify_all();
    return true;
  }

  bool is_ahead() {
    const std::scoped_lock lock(mutex_);
    return integrator_.end() && *integrator_.end() > steady_now() + kAhead;
  }

  void consume(std::string_view bytes) {
    try {
      lines_.add(bytes, [this](std::string_view line) {
        if (const TraceSample* sample = parser_.parse(line)) take(*sample);
      });
    } catch (const Error& error) {
      throw error.saying(
          fmt::format("{}, line {}: {}", subject_, parser_.line_number(), error.what()));
    }
  }

  void take(const TraceSample& sample) {
    newest_ = sample.time;
    if (aligning_) return pulses_.add(sample.time, sample.power.front());
    if (!offset_ && options_.clock == TraceClock::start && !input_->live()) return;
    if (!offset_) offset_ = steady_now() - sample.time + options_.offset;
    if (again_) offset_ = *integrator_.end() - sample.time;
    again_ = false;
    if (options_.clock == TraceClock::unix_time && !options_.align_pulses &&
        sample.time < kFirstUnixTime)
      throw Error(ErrorCode::usage,
                  fmt::format("{} s is no time since 1970: say clock=start, clock=monotonic or "
                              "align=pulses",
                              sample.time.count()));
    if (powers_.empty()) powers_ = parser_.layout()->powers;
    integrator_.add(sample.time + *offset_, sample.power, opened_);
  }

  // Everything that was there has been read: the last sample of a file that is being written is
  // about now.
  void catch_up() {
    caught_up_ = true;
    if (!offset_ && !aligning_ && newest_) offset_ = steady_now() - *newest_ + options_.offset;
  }

  bool end() {
    if (options_.clock != TraceClock::replay)
      throw_ended(fmt::format("{}: {}", subject_, input_->why_ended()));
    consume(lines_.take_rest() + "\n");
    integrator_.finish();
    grown_.notify_all();
    if (!integrator_.period())
      throw_ended(fmt::format("{}: has fewer than two samples to replay", subject_));
    if (!options_.loop)
      throw_ended(fmt::format("{}: the trace is over (loop=yes repeats it)", subject_));
    input_->rewind();
    parser_.restart();
    again_ = true;
    return true;
  }

  [[noreturn]] static void throw_ended(const std::string& message) {
    throw Error(ErrorCode::no_meter, message);
  }

  void align() {
    std::unique_lock lock(mutex_);
    // A tool takes its time to start.
    grown_.wait_for(lock, options_.wait, [this] { return failure_ || newest_; });
    if (!failure_ && !newest_) give_up();
    lock.unlock();
    const std::vector<Pulse> pulses = options_.emit();
    lock.lock();
    // What was just done shows in the trace only after its delay.
    grown_.wait_for(lock, options_.wait, [this] { return failure_.has_value(); });
    if (failure_) throw *failure_;
    const PulseMatch match = find_pulses(pulses_, pulses);
    offset_ = match.offset;
    aligning_ = false;
    opened_ = steady_now();
    info_.caveats.push_back(fmt::format(
        "its clock was found by load pulses (score {:.2f} of 1), to about a sample; how the clocks "
        "drift from then on is not corrected",
        match.score));
  }

  bool is_open() const {
    return integrator_.period() && *integrator_.end() >= opened_ &&
           *integrator_.begin() <= steady_now();
  }

  void wait_for_data() {
    std::unique_lock lock(mutex_);
    while (!is_open()) {
      if (failure_) throw *failure_;
      if (steady_now() > opened_ + options_.wait && (caught_up_ || input_->live())) give_up();
      grown_.wait_for(lock, kReadPatience);
    }
  }

  [[noreturn]] void give_up() const {
    const double waited = options_.wait.count();
    if (!newest_)
      throw Error(ErrorCode::no_meter, fmt::format("{}: nothing came within {} s (wait=); is the "
                                                   "meter recording?",
                                                   subject_, waited));
    if (!integrator_.end() || !integrator_.period())
      throw Error(ErrorCode::no_meter,
                  fmt::format("{}: only one sample came within {} s (wait=)", subject_, waited));
    if (*integrator_.begin() > steady_now())
      throw Error(ErrorCode::no_meter,
                  fmt::format("{}: its first sample is {:.4g} s ahead of this machine's clock; set "
                              "clock= or offset=",
                              subject_, (*integrator_.begin() - steady_now()).count()));
    throw Error(
        ErrorCode::no_meter,
        fmt::format("{}: its last sample is {:.4g} s old and none came within {} s (wait=); "
                    "a finished recording is played by replay:",
                    subject_, (steady_now() - *integrator_.end()).count(), waited));
  }

  void describe() {
    const std::scoped_lock lock(mutex_);
    info_.update_period = *integrator_.period();
    info_.source = parser_.source();
    info_.sensing = info_.source == Source::modelled ? Sensing::modelled : Sensing::sampled;
    for (const TracePower& power : powers_) {
      const bool whole = info_.domains.empty();
      info_.domains.push_back({power.name, whole, whole ? "machine" : "machine/" + power.name,
                               whole ? "what the meter was wired to" : "a part of it"});
    }
    if (options_.format.negative_is_zero)
      info_.caveats.push_back("power below 0 counts as 0, which adds the noise of an idle device");
  }

  MeterInfo info_;
  std::string subject_;
  TraceOptions options_;
  std::unique_ptr<TraceInput> input_;
  std::vector<char> buffer_ = std::vector<char>(kChunk);
  std::mutex mutex_;  // guards what follows
  std::condition_variable grown_;
  std::condition_variable_any stopping_;
  TraceParser parser_;
  std::vector<TracePower> powers_;  // of its samples
  LineCutter lines_;
  TraceIntegrator integrator_;
  PulseTrace pulses_;
  bool aligning_, caught_up_ = false, again_ = false;
  Seconds opened_, slept_before_ = time_slept();
  std::optional<Seconds> offset_, newest_;
  std::optional<Error> failure_;
  std::jthread thread_;  // last: uses what is above
};

}  // namespace

std::unique_ptr<Meter> open_trace_meter(MeterInfo info, const std::string& subject,
                                        std::unique_ptr<TraceInput> input,
                                        const TraceOptions& options) {
  return std::make_unique<TraceMeter>(std::move(info), subject, std::move(input), options);
}

}  // namespace ampere
