#include "ampere/meter.h"

#include "ampere/error.h"

namespace ampere {

const char* to_string(Source source) {
  switch (source) {
    case Source::measured:
      return "measured";
    case Source::modelled:
      return "modelled";
    case Source::simulated:
      return "simulated";
  }
  return "measured";
}

const char* to_string(Sensing sensing) {
  switch (sensing) {
    case Sensing::counter:
      return "counter";
    case Sensing::sampled:
      return "sampled";
    case Sensing::modelled:
      return "modelled";
  }
  return "counter";
}

Source parse_source(const std::string& text) {
  for (const Source source : {Source::measured, Source::modelled, Source::simulated})
    if (text == to_string(source)) return source;
  throw Error(ErrorCode::usage, "'" + text + "' is not a source: measured, modelled or simulated");
}

Joules total(const MeterInfo& info, const Reading& reading) {
  Joules sum;
  for (std::size_t i = 0; i < info.domains.size(); ++i)
    if (info.domains[i].in_total) sum = sum + reading.energy.at(i);
  return sum;
}

}  // namespace ampere
