// Lines of recordings (docs/recordings.md): a request as far as it is kept, and its answer. Reading
// throws Error(usage) that names the field.
#pragma once

#include <compare>
#include <string>
#include <variant>

#include "ampere/rig.h"
#include "base/json.h"

namespace ampere {

// Whether answers to the request are recorded. The result of a training is the caller's to keep:
// replaying it would train nothing.
bool is_recorded(const Request& request);

// What a recorded answer is found by. Timed operations are found one by one instead.
struct RecordedKey {
  std::string verb;
  std::string detail;  // hash of the other network of a pace, way of a trace, iterations of work
  // Hash of the network; of a script, its file name, function and arguments, and the call of its
  // language model; of an operation, its name and its hash.
  std::string step;
  std::string setup;  // as text; empty for a script or an operation
  friend auto operator<=>(const RecordedKey&, const RecordedKey&) = default;
};
RecordedKey recorded_key(const Request& request);

// `outcome` is answer_json(…) or {"failure": "why"}. Measurements keep the whole network and the
// precision; the others, of which there are hundreds, keep the network's name. A script is kept by
// its file name, and the folder it is in is removed from the outcome: it is nobody else's business.
Json recorded_line(const Request& request, const Json& outcome);

struct RecordedAnswer {
  RecordedKey key;
  Ability ability;                              // that the request needed
  std::string name;                             // of the network, script or operation, for people
  std::variant<RigAnswer, std::string> answer;  // or why the request failed
};
struct RecordedTimes {
  OperationTimesRequest asked;
  std::variant<OperationTimes, std::string> answer;  // one per operation; or why the request failed
};
std::variant<RecordedAnswer, RecordedTimes> read_recorded_line(const JsonField& line);

}  // namespace ampere
