#include "rig/recorded.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "ampere/error.h"
#include "base/text.h"
#include "record/request_json.h"
#include "rig/recording_file.h"

namespace ampere {
namespace {

// All answers to one request, in the order in which they were recorded.
struct Answers {
  std::vector<std::variant<RigAnswer, std::string>> in_order;  // or why the request failed
  std::size_t asked = 0;

  std::size_t repeats() const { return asked - std::min(asked, in_order.size()); }

  // The next one; after the last one, the last one again, with a note. Recorded failures throw
  // Error(failed) again.
  RigAnswer give() {
    const auto& given = in_order[std::min(asked++, in_order.size() - 1)];
    if (const auto* failure = std::get_if<std::string>(&given))
      throw Error(ErrorCode::failed, *failure);
    RigAnswer answer = std::get<RigAnswer>(given);
    if (auto* measurement = std::get_if<Measurement>(&answer); measurement && repeats() > 0)
      measurement->notes.push_back(
          fmt::format("repeated: the recording has only {} measurement{} of this network",
                      in_order.size(), in_order.size() == 1 ? "" : "s"));
    return answer;
  }
};

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
    return is_recorded(request) && answers_.contains(recorded_key(request));
  }

  std::vector<std::string> warnings() const override {
    std::map<std::string, std::size_t> repeats;  // by verb
    for (const auto& [key, answers] : answers_) repeats[key.verb] += answers.repeats();
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
    RecordedAnswer line = read_recorded_answer(JsonField(json, origin + ": "));
    abilities_.insert(line.ability);
    names_[line.key.model] = line.name;
    answers_[std::move(line.key)].in_order.push_back(std::move(line.answer));
  }

  RigAnswer answer(const Request& request, const RunListener&) override {
    const RecordedKey key = recorded_key(request);
    const auto found = answers_.find(key);
    if (found == answers_.end()) refuse(request, key);
    return found->second.give();
  }

  // Whoever made the recording asked other questions, and can ask them again.
  [[noreturn]] void refuse(const Request& request, const RecordedKey& key) const {
    const std::string message = fmt::format("{}; {}", why_missing(request, key), contents());
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
    for (const auto& [key, given] : answers_) answers[key.verb] += given.in_order.size();
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
      const std::string name = names_.at(key.model), family = name.substr(0, name.find(':'));
      if (key.verb == "measure" && given.in_order.size() > 1 &&
          std::ranges::find(zoo(), family, &ZooEntry::name) != zoo().end())
        ++twice[family];
    }
    const auto most = std::ranges::max_element(twice, {}, [](const auto& f) { return f.second; });
    return most == twice.end() || most->second < kFew ? "" : most->first;
  }

  std::string why_missing(const Request& request, const RecordedKey& key) const {
    std::string asked =
        fmt::format("the recording {} has no answer to '{}' for the network {} ({})", path_,
                    key.verb, model_of(request)->name(), key.model);
    if (const auto* pace = std::get_if<PaceRequest>(&request))
      asked += fmt::format(" against {} ({})", pace->reference.name(), key.reference);
    std::set<std::pair<std::string, std::string>> networks;  // name and hash
    for (const auto& [known, answers] : answers_) {
      if (known.verb != key.verb || known.reference != key.reference) continue;
      if (known.model == key.model)
        return fmt::format("{} at {}; it has one at {}", asked, key.setup, known.setup);
      networks.emplace(names_.at(known.model), known.model);
    }
    if (networks.empty()) return asked + "; it has none for any network";
    return fmt::format("{}; it has some for {} of {}: {}", asked,
                       counted(static_cast<std::int64_t>(networks.size()), "network"), device_.name,
                       first_few(networks));
  }

  std::string path_, repeat_with_;
  DeviceInfo device_;
  Abilities abilities_{Ability::measure, Ability::phases, Ability::inference};
  std::map<RecordedKey, Answers> answers_;
  std::map<std::string, std::string> names_;  // by hash
};

}  // namespace

std::unique_ptr<Rig> open_recorded_rig(const std::string& path) {
  return std::make_unique<RecordedRig>(path);
}

}  // namespace ampere
