// The powercap tree: a folder a zone, "intel-rapl:0" (AMD's too) with parts "intel-rapl:0:1".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ampere/error.h"
#include "base/text.h"
#include "meter/rapl/rapl_zones.h"

namespace ampere {
namespace {

using sysfs::Path;

// The second is another door to the same registers: whatever both have is taken from the first.
constexpr const char* kControlTypes[] = {"intel-rapl:", "intel-rapl-mmio:"};

// The counter has 32 bits, so its range tells the unit it counts in.
constexpr double kLargestCount = 4294967295.0;

std::optional<int> number_after(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

// "package-0" or "package-0-die-1".
std::optional<RaplSocket> parse_socket(std::string_view name) {
  const std::size_t dash = name.find("-die-");
  const auto package = number_after(name.substr(0, dash), "package-");
  if (!package) return std::nullopt;
  if (dash == std::string_view::npos) return RaplSocket{*package, std::nullopt};
  const auto die = number_after(name.substr(dash), "-die-");
  if (!die) return std::nullopt;
  return RaplSocket{*package, die};
}

struct Identity {
  RaplPart part;
  RaplSocket socket;
};

// Absent for a name that is not one of RAPL's. A part's socket is the name of the zone it is in.
std::optional<Identity> identify(const Path& zone) {
  const std::string entry = zone.filename(), name = sysfs::try_text(zone / "name").value_or("");
  if (name == "psys") return Identity{RaplPart::psys, {}};
  const std::size_t last = entry.rfind(':');
  if (entry.find(':') == last) {
    const auto socket = parse_socket(name);
    return socket ? std::optional(Identity{RaplPart::package, *socket}) : std::nullopt;
  }
  const Path above = zone.parent_path() / entry.substr(0, last);
  const auto socket = parse_socket(sysfs::try_text(above / "name").value_or(""));
  if (!socket) return std::nullopt;
  if (name == "core") return Identity{RaplPart::core, *socket};
  if (name == "uncore") return Identity{RaplPart::uncore, *socket};
  if (name == "dram") return Identity{RaplPart::dram, *socket};
  return std::nullopt;
}

class PowercapSearch {
 public:
  explicit PowercapSearch(const RaplOptions& options) : options_(options) {}

  void visit(const Path& folder) {
    const auto identity = identify(folder);
    if (!identity) {
      found_.caveats.push_back(
          fmt::format("{} is not a RAPL zone that is known, so it is left out", folder.string()));
      return;
    }
    const MeterDomain domain = rapl_domain(identity->part, identity->socket, options_.root);
    const bool known = std::ranges::any_of(found_.zones, [&domain](const CounterZone& zone) {
      return zone.domain.name == domain.name;
    });
    if (!known && is_readable(folder, identity->part)) add(domain, folder);
  }

  // Throws when nothing of it counts: why the first zone could not be read, where one could not.
  RaplZones take(const Path& tree) {
    settle_total(found_.zones);
    if (counts_something(found_.zones)) return std::move(found_);
    if (first_error_) throw Error(*first_error_);
    throw Error(ErrorCode::no_meter, fmt::format("{}: no RAPL zone is there", tree.string()));
  }

 private:
  bool is_readable(const Path& folder, RaplPart part) {
    try {
      options_.read_count(folder / "energy_uj");
      return true;
    } catch (const Error& error) {
      if (part == RaplPart::package) throw;
      if (!first_error_) first_error_ = error;
      found_.caveats.push_back(fmt::format("left out: {}", error.what()));
      return false;
    }
  }

  void add(const MeterDomain& domain, const Path& folder) {
    const Path range_file = folder / "max_energy_range_uj";
    auto range_uj = sysfs::try_count(range_file);
    if (range_uj == 0) range_uj.reset();
    if (!range_uj)
      found_.caveats.push_back(
          fmt::format("{} cannot be read: should {} wrap, the meter stops with an error",
                      range_file.string(), domain.name));
    else
      found_.resolution = std::max(found_.resolution.value_or(Joules{0}),
                                   Joules{static_cast<double>(*range_uj) * 1e-6 / kLargestCount});
    found_.zones.push_back(
        {domain, [read = options_.read_count, file = folder / "energy_uj"] { return read(file); },
         1e-6, range_uj});
  }

  const RaplOptions& options_;
  RaplZones found_;
  std::optional<Error> first_error_;
};

}  // namespace

RaplZones find_powercap_zones(const RaplOptions& options) {
  const Path tree = options.root / "sys/class/powercap";
  PowercapSearch search(options);
  for (const char* control : kControlTypes)
    for (const std::string& entry : sysfs::list(tree, control)) search.visit(tree / entry);
  return search.take(tree);
}

}  // namespace ampere
