#include "rig/recorded.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "ampere/error.h"
#include "base/text.h"
#include "record/recorded_line.h"
#include "record/request_kind.h"
#include "rig/recorded_operations.h"
#include "rig/recording_file.h"
#include "rig/replayed.h"

namespace ampere {
namespace {

using Outcome = std::variant<RigAnswer, std::string>;  // or why the request failed

// Null when nothing was measured.
Measurement* measurement_of(RigAnswer& answer) {
  if (auto* script = std::get_if<ScriptMeasurement>(&answer)) return &script->measurement;
  if (auto* operation = std::get_if<OperationMeasurement>(&answer)) return &operation->measurement;
  return std::get_if<Measurement>(&answer);
}

// The next answer. Recorded failures throw Error(failed) again.
RigAnswer give(Replayed<Outcome>& answers, const char* noun) {
  const Outcome& given = answers.next();
  if (const auto* failure = std::get_if<std::string>(&given))
    throw Error(ErrorCode::failed, *failure);
  RigAnswer answer = std::get<RigAnswer>(given);
  if (Measurement* measurement = measurement_of(answer); measurement && answers.repeats() > 0)
    measurement->notes.push_back(
        fmt::format("repeated: the recording has only {} of this {}",
                    counted(static_cast<std::int64_t>(answers.size()), "measurement"), noun));
  return answer;
}

const char* timing_verb() { return request_kind(OperationTimesRequest{}).verb; }

// Of a trace.
std::string way_text(const std::string& way) {
  return way.empty() ? " in whatever way works" : fmt::format(" in the way '{}'", way);
}

// What distinguishes requests of one kind for the same network; empty where nothing does.
std::string detail_text(const Request& request, const std::string& detail) {
  if (std::holds_alternative<TraceRequest>(request)) return " that was traced" + way_text(detail);
  if (std::holds_alternative<WorkRequest>(request))
    return fmt::format(" of {}", counted(std::stoll(detail), "iteration"));
  return "";
}

const char* noun_of(const RecordedKey& key) {
  if (key.verb == request_kind(OperationRequest{}).verb) return "operation";
  return key.setup.empty() ? "script" : "network";
}

std::string first_few(const std::set<std::pair<std::string, std::string>>& networks) {
  constexpr std::size_t kShown = 8;
  std::vector<std::string> shown;
  for (const auto& [name, hash] : networks)
    if (shown.size() < kShown) shown.push_back(name);
  if (networks.size() > kShown) shown.push_back(fmt::format("{} more", networks.size() - kShown));
  return fmt::format("{}", fmt::join(shown, ", "));
}

class RecordedRig : public Rig {
 public:
  explicit RecordedRig(const std::string& path) : path_(path) {
    const RecordingFile file = read_recording(path);
    device_ = file.device;
    repeat_with_ = file.repeat_with;
    for (std::size_t i = 1; i < file.lines.size(); ++i)
      add_line(file.lines[i], fmt::format("{}: line {}", path, i + 1));
  }

  const DeviceInfo& device() const override { return device_; }
  Abilities abilities() const override { return abilities_; }
  SetupRange setups() const override { return every_setup(); }  // whatever was recorded
  bool can_answer(const Request& request) const override {
    if (const auto* asked = std::get_if<OperationTimesRequest>(&request))
      return operations_.knows_any(*asked);
    return is_recorded(request) && answers_.contains(recorded_key(request));
  }

  std::vector<std::string> warnings() const override {
    std::map<std::string, std::size_t> repeats;  // by verb
    for (const auto& [key, answers] : answers_) repeats[key.verb] += answers.repeats();
    repeats[timing_verb()] = operations_.repeats();
    std::vector<std::string> warnings;
    for (const auto& [verb, count] : repeats)
      if (count > 0)
        warnings.push_back(fmt::format(
            "{} answer{} to '{}' repeat{} an earlier one: the recording {} has fewer than were "
            "asked for",
            count, count == 1 ? "" : "s", verb, count == 1 ? "s" : "", path_));
    return warnings;
  }

 private:
  void add_line(const std::string& text, const std::string& origin) {
    const Json json = parse_json(text, origin);
    auto line = read_recorded_line(JsonField(json, origin + ": "));
    if (auto* times = std::get_if<RecordedTimes>(&line)) {
      abilities_.insert(OperationTimesRequest::kAbility);
      operations_.add(std::move(*times));
    } else {
      add_answer(std::get<RecordedAnswer>(std::move(line)));
    }
  }

  void add_answer(RecordedAnswer line) {
    abilities_.insert(line.ability);
    names_[line.key.step] = line.name;
    answers_[std::move(line.key)].add(std::move(line.answer));
  }

  RigAnswer answer(const Request& request, const RunListener&) override {
    if (const auto* asked = std::get_if<OperationTimesRequest>(&request)) {
      if (operations_.empty())
        refuse(fmt::format("the recording {} has no timed operations", path_));
      return operations_.give(*asked);
    }
    const RecordedKey key = recorded_key(request);
    const auto found = answers_.find(key);
    if (found == answers_.end()) refuse(why_missing(request, key));
    RigAnswer given = give(found->second, noun_of(key));
    if (const auto* asked = std::get_if<WorkRequest>(&request))
      require_within(*asked, std::get<WorkDone>(given));
    return given;
  }

  // Nobody knows what the device would have done within less energy.
  void require_within(const WorkRequest& asked, const WorkDone& recorded) const {
    if (!asked.stop_at || recorded.energy <= *asked.stop_at) return;
    refuse(fmt::format("the recording {} has {} of {} that took {:.6g} J, more than {:.6g} J",
                       path_, counted(recorded.iterations, "iteration"), asked.model.name(),
                       recorded.energy.value, asked.stop_at->value));
  }

  // Whoever made the recording asked other questions, and can ask them again.
  [[noreturn]] void refuse(const std::string& why) const {
    const std::string message = fmt::format("{}; {}", why, contents());
    if (!repeat_with_.empty())
      throw Error(ErrorCode::unknown, fmt::format("{}; it was made for, and answers, `{}{}`",
                                                  message, repeat_with_, path_));
    if (const std::string family = evaluated_family(); !family.empty())
      throw Error(ErrorCode::unknown, message + ", as an evaluation takes them", Remedy::evaluate,
                  fmt::format("{} recorded:{}", family, path_));
    throw Error(ErrorCode::unknown, message);
  }

  std::string contents() const {
    std::map<std::string, std::size_t> answers;  // by verb
    for (const auto& [key, given] : answers_) answers[key.verb] += given.size();
    if (!operations_.empty()) answers[timing_verb()] = operations_.size();
    std::vector<std::string> parts;
    for (const auto& [verb, count] : answers)
      parts.push_back(
          fmt::format("{} to '{}'", counted(static_cast<std::int64_t>(count), "answer"), verb));
    return fmt::format("in all it has {}", fmt::join(parts, ", "));
  }

  // An evaluation measures each of its networks twice. Empty when too few were.
  std::string evaluated_family() const {
    constexpr int kFew = 5;
    std::map<std::string, int> twice;  // by family
    for (const auto& [key, given] : answers_) {
      const std::string name = names_.at(key.step), family = name.substr(0, name.find(':'));
      if (key.verb == "measure" && given.size() > 1 &&
          std::ranges::find(zoo(), family, &ZooEntry::name) != zoo().end())
        ++twice[family];
    }
    const auto most = std::ranges::max_element(twice, {}, [](const auto& f) { return f.second; });
    return most == twice.end() || most->second < kFew ? "" : most->first;
  }

  std::string why_missing(const Request& request, const RecordedKey& key) const {
    const std::string noun = noun_of(key);
    const Model* model = model_of(request);
    std::string asked =
        fmt::format("the recording {} has no answer to '{}' for the {} {}", path_, key.verb, noun,
                    model != nullptr ? fmt::format("{} ({})", model->name(), key.step) : key.step);
    if (const auto* pace = std::get_if<PaceRequest>(&request))
      asked += fmt::format(" against {} ({})", pace->reference.name(), key.detail);
    if (std::holds_alternative<TraceRequest>(request)) asked += way_text(key.detail);
    if (std::holds_alternative<WorkRequest>(request)) asked += detail_text(request, key.detail);
    std::set<std::pair<std::string, std::string>> others;  // name and hash
    for (const auto& [known, answers] : answers_) {
      if (known.verb != key.verb || noun_of(known) != noun) continue;
      const bool is_same = known.step == key.step && known.setup == key.setup;
      const std::string detail = detail_text(request, known.detail);
      if (is_same && !detail.empty()) return fmt::format("{}; it has one{}", asked, detail);
      if (known.detail != key.detail) continue;
      if (known.step == key.step)
        return fmt::format("{} at {}; it has one at {}", asked, key.setup, known.setup);
      others.emplace(names_.at(known.step), known.step);
    }
    if (others.empty()) return fmt::format("{}; it has none for any {}", asked, noun);
    return fmt::format("{}; it has some for {} of {}: {}", asked,
                       counted(static_cast<std::int64_t>(others.size()), noun), device_.name,
                       first_few(others));
  }

  std::string path_, repeat_with_;
  DeviceInfo device_;
  Abilities abilities_{Ability::measure, Ability::phases, Ability::inference};
  std::map<RecordedKey, Replayed<Outcome>> answers_;
  RecordedOperations operations_;
  std::map<std::string, std::string> names_;  // for people, by RecordedKey::step
};

}  // namespace

std::unique_ptr<Rig> open_recorded_rig(const std::string& path) {
  return std::make_unique<RecordedRig>(path);
}

}  // namespace ampere
