// Traces of devices that no framework traces on: programs of networks are derived by rules.
#pragma once

#include <string>

#include "ampere/rig.h"

namespace ampere {

// Throws Error(usage) that says who cannot trace what is asked for, and else says in its note why
// there are rules.
Trace lowered_trace(const TraceRequest& request, const Dialect& dialect, const std::string& who,
                    const std::string& why);

// Why the rules cannot answer: " cannot run a script …". Empty when they can.
std::string lowered_trace_refusal(const TraceRequest& request);

}  // namespace ampere
