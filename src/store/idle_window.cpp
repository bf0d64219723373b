#include "store/idle_window.h"

#include "base/json.h"
#include "record/record_json.h"

namespace ampere {
namespace {

const std::string kIdle = "idle window";

}  // namespace

void put_idle(Store& store, std::int64_t profile, const Window& window) {
  store.put_document(profile, {kIdle, window_json(window).dump()});
}

std::optional<Window> find_idle(const Store& store, std::int64_t profile) {
  const auto text = store.document(profile, kIdle);
  if (!text) return std::nullopt;
  const Json json = parse_json(*text, kIdle);
  return read_window(JsonField(json, kIdle + ": "));
}

}  // namespace ampere
