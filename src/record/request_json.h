// Requests and answers as JSON, for the runner protocol (docs/runner-protocol.md); recordings take
// most of it over (recorded_line.h). Every verb and every key of an answer is known here alone.
// Reading throws Error(usage) that names the field.
#pragma once

#include <functional>
#include <string>

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

}  // namespace ampere
