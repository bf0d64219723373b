#include "rig/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "ampere/error.h"
#include "record/record_json.h"
#include "rig/recording_file.h"

namespace ampere {
namespace {

// What was answered for one network and setup: each a value, or why it failed.
template <class Value>
struct Answers {
  std::vector<std::variant<Value, std::string>> in_order;
  std::size_t next = 0;

  // Recorded failures throw Error(failed) again.
  Value give() {
    const auto& answer = in_order[next];
    next = std::min(next + 1, in_order.size() - 1);
    if (const auto* failure = std::get_if<std::string>(&answer))
      throw Error(ErrorCode::failed, *failure);
    return std::get<Value>(answer);
  }
};

// By hash, then by setup.
template <class Value>
using Book = std::map<std::string, std::map<std::string, Answers<Value>>>;

template <class Value>
void add(Book<Value>& book, const JsonField& line, const char* key,
         Value (*read)(const JsonField&)) {
  const std::string hash = line.at("model_hash").text();
  auto& answers = book[hash][to_string(read_setup(line.at("setup")))];
  if (line.has(key) == line.has("failure"))
    line.fail(fmt::format("must have either a {} or a failure", key));
  if (line.has(key))
    answers.in_order.emplace_back(std::in_place_type<Value>, read(line.at(key)));
  else
    answers.in_order.emplace_back(std::in_place_type<std::string>, line.at("failure").text());
}

std::string first_few(const std::set<std::string>& names) {
  constexpr std::size_t kShown = 8;
  std::vector<std::string> shown(
      names.begin(), std::next(names.begin(), static_cast<long>(std::min(names.size(), kShown))));
  if (names.size() > kShown) shown.push_back(fmt::format("{} more", names.size() - kShown));
  return fmt::format("{}", fmt::join(shown, ", "));
}

class RecordedRig : public Rig {
 public:
  explicit RecordedRig(const std::string& path) : path_(path) {
    const RecordingFile file = read_recording(path);
    device_ = file.device;
    for (std::size_t i = 1; i < file.lines.size(); ++i)
      add_line(file.lines[i], fmt::format("{}: line {}", path, i + 1));
  }

  const DeviceInfo& device() const override { return device_; }

  Measurement measure(const Model& model, const Setup& setup, const Precision&) override {
    return find(measurements_, model, setup, "measured").give();
  }

  bool can_measure(const Model& model, const Setup& setup) const override {
    const auto network = measurements_.find(model_hash(model));
    return network != measurements_.end() && network->second.contains(to_string(setup));
  }

  bool can_time() const override { return !timings_.empty(); }

  Timing time(const Model& model, const Setup& setup) override {
    if (!can_time()) return Rig::time(model, setup);
    return find(timings_, model, setup, "timed").give();
  }

  bool can_pace() const override { return !paces_.empty(); }

  Pace pace(const Model& model, const Model& reference, const Setup& setup) override {
    if (!can_pace()) return Rig::pace(model, reference, setup);
    const std::string against = model_hash(reference);
    const auto book = paces_.find(against);
    if (book == paces_.end())
      throw Error(ErrorCode::unknown,
                  fmt::format("nothing was paced against the network {} ({}) in the recording {}",
                              reference.name(), against, path_));
    return find(book->second, model, setup, "paced").give();
  }

  bool can_idle() const override { return !idles_.empty(); }

  Window idle_after(const Model& load, const Setup& setup) override {
    if (!can_idle()) return Rig::idle_after(load, setup);
    return find(idles_, load, setup, "rested after").give();
  }

 private:
  void add_line(const std::string& text, const std::string& origin) {
    const Json json = parse_json(text, origin);
    const JsonField line(json, origin + ": ");
    const std::string verb = line.text_or("do", "measure");
    if (verb == "measure") {
      add(measurements_, line, "measurement", read_measurement);
      names_.insert(line.at("model").text_or("name", line.at("model_hash").text()));
    } else if (verb == "time") {
      add(timings_, line, "timing", read_timing);
    } else if (verb == "pace") {
      add(paces_[line.at("reference_hash").text()], line, "pace", read_pace);
    } else if (verb == "idle") {
      add(idles_, line, "idle", read_window);
    } else {
      line.at("do").fail(fmt::format("'{}' is none of measure, time, pace and idle", verb));
    }
  }

  template <class Value>
  Answers<Value>& find(Book<Value>& book, const Model& model, const Setup& setup,
                       const char* done) const {
    const auto network = book.find(model_hash(model));
    if (network == book.end()) throw Error(ErrorCode::unknown, not_here(model, done, book.size()));
    const auto found = network->second.find(to_string(setup));
    if (found == network->second.end())
      throw Error(ErrorCode::unknown,
                  fmt::format("the recording {} has {} {} at {}, not at {}", path_, model.name(),
                              done, network->second.begin()->first, to_string(setup)));
    return found->second;
  }

  std::string not_here(const Model& model, const char* done, std::size_t networks) const {
    const std::string what = fmt::format("the network {} ({}) was not {} in the recording {}",
                                         model.name(), model_hash(model), done, path_);
    if (networks == 0) return what + ", which holds no network";
    return fmt::format("{}, which holds {} networks of {}: {}", what, networks, device_.name,
                       first_few(names_));
  }

  std::string path_;
  DeviceInfo device_;
  Book<Measurement> measurements_;
  Book<Timing> timings_;
  std::map<std::string, Book<Pace>> paces_;  // by hash of the reference
  Book<Window> idles_;
  std::set<std::string> names_;  // of what was measured
};

}  // namespace

std::unique_ptr<Rig> open_recorded_rig(const std::string& path) {
  return std::make_unique<RecordedRig>(path);
}

}  // namespace ampere
