// Networks: model files, the names that the command line takes, and profiles of networks.
#include <cstdlib>

#include "ampere/error.h"
#include "ampere/store.h"
#include "base/command_words.h"
#include "fuzz/boundaries.h"
#include "model/model_json.h"
#include "store/memory_store.h"

namespace ampere::fuzz {

// What was read and written again is the same network.
void feed_model(std::string_view bytes) try {
  const Model model = parse_model_file(bytes, "fuzzed");
  count(model, 1);
  if (model_hash(parse_model(to_json(model), "again")) != model_hash(model)) std::abort();
} catch (const Error&) {
}

void feed_spec(std::string_view bytes) try {
  const Model model = open_zoo_model(std::string(bytes));
  count(model, 1);
  model_hash(model);
} catch (const Error&) {
}

// A profile that was imported can be exported, and that text be imported again.
void feed_profile(std::string_view bytes) try {
  const auto store = make_memory_store(Access::write);
  const std::int64_t profile = import_profile(*store, bytes, "fuzzed");
  const std::string text = export_profile(*store, profile);
  try {
    const auto again = make_memory_store(Access::write);
    import_profile(*again, text, "again");
  } catch (const Error&) {
    std::abort();
  }
} catch (const Error&) {
}

void feed_command(std::string_view bytes) try {
  command_words(std::string(bytes), "fuzzed");
} catch (const Error&) {
}

}  // namespace ampere::fuzz
