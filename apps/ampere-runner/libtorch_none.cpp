#include "ampere/error.h"
#include "framework.h"

namespace ampere {
namespace {

[[noreturn]] void refuse() {
  throw Error(
      ErrorCode::unknown,
      "this ampere-runner was built without LibTorch, so it trains only with a worker, such "
      "as `python3 -m ampere.worker`");
}

}  // namespace

Framework open_libtorch(const std::string&, int) { refuse(); }

void time_operations_with_libtorch(const std::string&, int, std::istream&, std::ostream&) {
  refuse();
}

std::vector<PlacedDevice> libtorch_devices() { refuse(); }

}  // namespace ampere
