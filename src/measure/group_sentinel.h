// Whether a signal was sent to our whole process group, as a terminal does, or to us alone.
#pragma once

#include <sys/types.h>

#include "ampere/units.h"

namespace ampere {

// A process of our group that does nothing: a signal to the group ends it, one to us does not.
class GroupSentinel {
 public:
  GroupSentinel();
  ~GroupSentinel();
  GroupSentinel(const GroupSentinel&) = delete;
  GroupSentinel& operator=(const GroupSentinel&) = delete;

  // Whether the signal that just came to us ended the sentinel too, which is given `patience` to
  // fall; another one then takes its place.
  bool fell(Seconds patience);

 private:
  void start();

  pid_t pid_ = -1;  // -1 when it could not be started
};

}  // namespace ampere
