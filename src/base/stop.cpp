#include "ampere/error.h"
#include "ampere/progress.h"

namespace ampere {

void StopToken::throw_if_stopped() const {
  if (stop_requested())
    throw Error(ErrorCode::interrupted, "interrupted; everything measured so far is kept");
}

}  // namespace ampere
