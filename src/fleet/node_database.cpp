#include "fleet/node_database.h"

#include "ampere/error.h"
#include "base/steady_now.h"
#include "fleet/execution.h"

namespace ampere {
namespace {

constexpr std::chrono::hours kPatience{24 * 7};
constexpr Seconds kRetryNap{0.5};

}  // namespace

std::unique_ptr<SqlDatabase> open_node_database(
    const std::string& url, const std::function<void(const std::string&)>& tell) {
  StoreWait wait;
  wait.tell = tell;
  wait.patience = kPatience;
  const Seconds give_up = steady_now() + Seconds(kPatience);
  for (bool told = false;; told = true) {
    try {
      return open_database(url, Access::write, wait);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::failed || steady_now() > give_up) throw;
      if (tell && !told) tell(error.what());
    }
    wait_for(kRetryNap);
  }
}

}  // namespace ampere
