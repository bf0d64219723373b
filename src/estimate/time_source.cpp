#include "ampere/estimate.h"

namespace ampere {

const char* to_string(TimeSource source) {
  switch (source) {
    case TimeSource::none:
      return "none";
    case TimeSource::timed:
      return "timed";
    case TimeSource::known:
      return "known";
    case TimeSource::mapped:
      return "mapped";
    case TimeSource::foreign:
      return "foreign";
  }
  return "none";
}

}  // namespace ampere
