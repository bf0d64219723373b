// What a network costs at other widths: as a table, and as answers to requests.
#pragma once

#include <string>

#include "ampere/session.h"
#include "ampere/widths.h"
#include "base/json.h"

namespace ampere {

// By the method that gave the answer.
Sensitivity sensitivity_of(const Model& model, const Answer& answer, const Session& session);
void print_sensitivity(const Sensitivity& sensitivity);
Json sensitivity_json(const Sensitivity& sensitivity);

// Reads requests from standard input until it ends. A request that cannot be answered gets its
// error, and the next ones are answered.
void stream_widths(const std::string& name, const Model& model, const Answer& answer,
                   const Session& session);

}  // namespace ampere
