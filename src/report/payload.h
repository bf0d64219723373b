// What every payload has in common.
#pragma once

#include "base/json.h"
#include "report/report.h"

namespace ampere {

std::string payload_text(const char* report, const ReportHead& head, Json content);

}  // namespace ampere
