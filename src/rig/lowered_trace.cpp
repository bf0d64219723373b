#include "rig/lowered_trace.h"

#include <fmt/format.h>

#include "ampere/error.h"

namespace ampere {

Trace lowered_trace(const TraceRequest& request, const Dialect& dialect, const std::string& who,
                    const std::string& why) {
  if (const std::string refusal = lowered_trace_refusal(request); !refusal.empty())
    throw Error(ErrorCode::usage, who + refusal);
  const auto& network = std::get<TraceRequest::Network>(request.step);
  return {lower(network.model, network.setup, dialect),
          {fmt::format("derived from the network by rules, because {}", why)}};
}

std::string lowered_trace_refusal(const TraceRequest& request) {
  if (std::holds_alternative<Script>(request.step))
    return " cannot run a script (the rig \"torch\" can)";
  if (request.way)
    return fmt::format(
        " cannot trace in the way '{}': it derives programs by rules (the rig \"torch\" can)",
        to_string(*request.way));
  return "";
}

}  // namespace ampere
