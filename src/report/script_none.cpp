#include "ampere/error.h"
#include "report/script.h"

namespace ampere {

std::string call_script(std::string_view, std::string_view, std::string_view) {
  throw Error(ErrorCode::failed,
              "this program was built without a script engine, which draws figures; install "
              "libmozjs-102-dev and build again, or save them from the page in a browser");
}

}  // namespace ampere
