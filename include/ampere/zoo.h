// The networks ampere knows by name.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ampere/model.h"

namespace ampere {

struct ZooOption {
  std::string key;  // "layers", "size", "classes", "d" …
  std::int64_t default_value;
  std::string help;
};

struct ZooEntry {
  std::string name;
  std::string description;
  std::vector<ZooOption> options;
};

const std::vector<ZooEntry>& zoo();

// At original widths. Throws Error(unknown) for a name (with the nearest one), Error(usage) for an
// option.
Model make_zoo_model(const std::string& name,
                     const std::map<std::string, std::int64_t>& options = {});

}  // namespace ampere
