// Requests and answers as JSON, for the runner protocol (docs/runner-protocol.md) and for
// recordings (docs/recordings.md). Every verb and every key is known here alone. Reading throws
// Error(usage) that names the field.
#pragma once

#include <compare>
#include <string>
#include <variant>

#include "ampere/rig.h"
#include "base/json.h"

namespace ampere {

// The list of names that a runner announces. Unknown names are ignored.
Json abilities_json(const Abilities& abilities);
Abilities read_abilities(const JsonField& json);

// The setups that a runner or a worker can train with.
Json setup_range_json(const SetupRange& range);
SetupRange read_setup_range(const JsonField& json);

Json script_json(const Script& script);
Script read_script(const JsonField& json);
Json script_info_json(const ScriptInfo& info);
ScriptInfo read_script_info(const JsonField& json);

Json request_json(const Request& request);
Request read_request(const JsonField& json);

// An object with one key, which depends on the request.
Json answer_json(const RigAnswer& answer);
RigAnswer read_answer(const Request& request, const JsonField& json);

// Sends what is heard while a request is answered, as an object with one key, and hears what was
// sent: false when the line is the answer itself.
RunListener sending_listener(const std::function<void(const Json&)>& send);
bool hear(const RunListener& listener, const JsonField& line);

// Whether answers to the request are recorded. The result of a training is the caller's to keep:
// replaying it would train nothing.
bool is_recorded(const Request& request);

// What a recorded answer is found by.
struct RecordedKey {
  std::string verb;
  std::string reference;  // hash of the other network of a pace; otherwise empty
  std::string model;      // hash
  std::string setup;      // as text
  friend auto operator<=>(const RecordedKey&, const RecordedKey&) = default;
};
RecordedKey recorded_key(const Request& request);

// A line of a recording without its answer. Measurements keep the whole network and the precision;
// the others, of which there are hundreds, keep the network's name.
Json recorded_request_json(const Request& request);

struct RecordedAnswer {
  RecordedKey key;
  Ability ability;                              // that the request needed
  std::string name;                             // of the network
  std::variant<RigAnswer, std::string> answer;  // or why the request failed
};
RecordedAnswer read_recorded_answer(const JsonField& line);

}  // namespace ampere
