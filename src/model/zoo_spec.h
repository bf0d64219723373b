// A network of the zoo as it is written: its name, options and widths.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ampere {

struct ZooSpec {
  std::string name;                             // "resnet18"; may be unknown to the zoo
  std::map<std::string, std::int64_t> options;  // "size" and 224
  std::vector<std::int64_t> widths;             // all free widths, or none for the original's
};

// The zoo's name that differs in the case of its letters at most: "lenet5" for "LeNet5". The name
// itself where there is none.
std::string zoo_name(const std::string& name);

// "cnn5", "cnn5:8,16,32,64", "transformer:d=128,layers=2" or "resnet18:size=224,3,5,…". Throws
// Error(usage) for an item that is neither a width nor an option, or an option given twice.
ZooSpec parse_zoo_spec(const std::string& spec);

// The text that parse_zoo_spec reads, options before widths.
std::string to_string(const ZooSpec& spec);

}  // namespace ampere
