#include "meter/modelled/cpu_time.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "ampere/error.h"
#include "base/text.h"

namespace ampere {
Seconds machine_cpu_tick() { return Seconds{1.0 / static_cast<double>(sysconf(_SC_CLK_TCK))}; }

// "cpu  user nice system idle iowait irq softirq steal guest guest_nice", in ticks; what guests
// used is in user and nice already.
Seconds machine_cpu_time(const sysfs::Path& proc) {
  const std::string text = sysfs::read_text(proc / "stat");
  std::vector<std::string> words;
  for (std::string& word : split(text.substr(0, text.find('\n')), ' '))
    if (!word.empty()) words.push_back(std::move(word));
  constexpr std::size_t kBusy[] = {1, 2, 3, 6, 7};
  words.resize(std::max(words.size(), kBusy[4] + 1));
  double ticks = 0;
  for (const std::size_t field : kBusy) {
    std::uint64_t value = 0;
    const std::string& word = words[field];
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (words.front() != "cpu" || error != std::errc{} || end != word.data() + word.size())
      throw Error(ErrorCode::failed, fmt::format("{}: '{:.60}' is not the times of all processors",
                                                 (proc / "stat").string(), text));
    ticks += static_cast<double>(value);
  }
  return ticks * machine_cpu_tick();
}

}  // namespace ampere
