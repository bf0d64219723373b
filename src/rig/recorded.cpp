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

using Answer = std::variant<Measurement, std::string>;  // or why it failed

struct Answers {
  std::vector<Answer> in_order;
  std::size_t next = 0;
};

struct Entry {
  std::string hash, name;
  Setup setup;
  Answer answer;
};

Entry read_entry(const std::string& line, const std::string& origin) {
  const Json json = parse_json(line, origin);
  const JsonField field(json, origin + ": ");
  Entry entry;
  entry.hash = field.at("model_hash").text();
  entry.name = field.at("model").text_or("name", entry.hash);
  entry.setup = read_setup(field.at("setup"));
  if (field.has("measurement") == field.has("failure"))
    field.fail("must have either a measurement or a failure");
  if (field.has("measurement"))
    entry.answer = read_measurement(field.at("measurement"));
  else
    entry.answer = field.at("failure").text();
  return entry;
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
      add(read_entry(file.lines[i], fmt::format("{}: line {}", path, i + 1)));
  }

  const DeviceInfo& device() const override { return device_; }

  Measurement measure(const Model& model, const Setup& setup, const Precision&) override {
    const auto network = answers_.find(model_hash(model));
    if (network == answers_.end()) throw Error(ErrorCode::unknown, not_here(model));
    const auto found = network->second.find(to_string(setup));
    if (found == network->second.end())
      throw Error(ErrorCode::unknown,
                  fmt::format("the recording {} has {} at {}, not at {}", path_, model.name(),
                              network->second.begin()->first, to_string(setup)));
    Answers& answers = found->second;
    const Answer& answer = answers.in_order[answers.next];
    answers.next = std::min(answers.next + 1, answers.in_order.size() - 1);
    if (const auto* failure = std::get_if<std::string>(&answer))
      throw Error(ErrorCode::failed, *failure);
    return std::get<Measurement>(answer);
  }

  bool can_measure(const Model& model, const Setup& setup) const override {
    const auto network = answers_.find(model_hash(model));
    return network != answers_.end() && network->second.contains(to_string(setup));
  }

 private:
  void add(Entry entry) {
    names_.insert(std::move(entry.name));
    answers_[entry.hash][to_string(entry.setup)].in_order.push_back(std::move(entry.answer));
  }

  std::string not_here(const Model& model) const {
    const std::string what = fmt::format("the network {} ({}) is not in the recording {}",
                                         model.name(), model_hash(model), path_);
    if (answers_.empty()) return what + ", which holds no network";
    return fmt::format("{}, which holds {} networks of {}: {}", what, answers_.size(), device_.name,
                       first_few(names_));
  }

  std::string path_;
  DeviceInfo device_;
  std::map<std::string, std::map<std::string, Answers>> answers_;  // by hash, then by setup
  std::set<std::string> names_;
};

}  // namespace

std::unique_ptr<Rig> open_recorded_rig(const std::string& path) {
  return std::make_unique<RecordedRig>(path);
}

}  // namespace ampere
