// What is known of each kind of request.
#pragma once

#include <functional>
#include <string>

#include "ampere/rig.h"
#include "base/json.h"

namespace ampere {

struct RequestKind {
  const char *verb, *answer_key;
  Ability ability;  // that a rig needs for it
  Request (*read)(const JsonField&);
  Json (*write_answer)(const RigAnswer&);
  RigAnswer (*read_answer)(const JsonField&);
};

const RequestKind& request_kind(const Request& request);

// By the verb of `json`. Throws Error(usage) that names the allowed verbs when there is none.
const RequestKind& find_request_kind(const JsonField& json, const std::string& verb,
                                     const std::function<bool(const RequestKind&)>& allowed);

}  // namespace ampere
