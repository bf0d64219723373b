#include "small_zoo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "ampere/widths.h"

namespace ampere::testing_support {

Model small_version(const ZooEntry& entry) {
  std::map<std::string, std::int64_t> options;
  for (const ZooOption& option : entry.options)
    if (option.key == "size") options["size"] = std::min<std::int64_t>(option.default_value, 96);
  const Model model = make_zoo_model(entry.name, options);
  std::vector<std::int64_t> widths;
  for (const ChannelGroup& group : free_widths(model)) {
    const std::int64_t step = std::max<std::int64_t>(1, group.multiple_of);
    widths.push_back(std::min(group.value, (8 + step - 1) / step * step));
  }
  return with_widths(model, widths);
}

void for_each_network(const std::function<void(const ZooEntry&)>& claim) {
  for (const ZooEntry& entry : zoo()) {
    SCOPED_TRACE(entry.name);
    try {
      claim(entry);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

}  // namespace ampere::testing_support
