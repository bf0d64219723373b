#include "ampere/block.h"

namespace ampere {

const char* to_string(Role role) {
  switch (role) {
    case Role::input:
      return "input";
    case Role::hidden:
      return "hidden";
    case Role::output:
      return "output";
  }
  return "?";
}

}  // namespace ampere
