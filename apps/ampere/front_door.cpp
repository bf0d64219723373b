#include "front_door.h"

#include <fmt/format.h>

#include "ampere/error.h"
#include "base/plain_text.h"
#include "interrupt.h"
#include "sql/sql.h"

namespace ampere {

Session open_session(const std::string& store, Access access, Listener* listener) {
  const auto tell = [](const std::string& message) {
    fmt::print(stderr, "ampere: {}\n", plain_lines(message));
  };
  return Session(open_store(store, access, {stop_token(), tell}), stop_token(), listener);
}

Session open_preview_session(const std::string& store) try {
  return open_session(store, Access::read);
} catch (const Error& error) {
  if (error.code() != ErrorCode::unknown) throw;
  return open_session("memory:", Access::write);
}

Session open_surveyed_session(const std::string& store) try {
  return open_session(store, Access::read);
} catch (const Error& error) {
  if (error.code() != ErrorCode::unknown) throw;
  throw Error(error.code(),
              fmt::format("{}: there is no store yet; measure kernels first", masked_url(store)),
              Remedy::survey);
}

}  // namespace ampere
