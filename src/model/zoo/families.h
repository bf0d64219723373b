// What a family of networks offers to the registry.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ampere/model.h"

namespace ampere::zoo_detail {

// The options of one network: what was asked, defaults for the rest. Every value is checked.
class Options {
 public:
  // Throws Error(usage) for a key the entry does not have or a value out of range.
  Options(const ZooEntry& entry, const std::map<std::string, std::int64_t>& given);

  std::int64_t at(const std::string& key) const { return values_.at(key); }
  bool given(const std::string& key) const { return given_.contains(key); }
  std::string spec()
      const;  // ":size=224", as it is written on the command line; "" when nothing was asked

 private:
  std::map<std::string, std::int64_t> given_, values_;
};

struct Family {
  ZooEntry entry;
  std::function<void(ModelBuilder&, const Options&)> build;
};

std::vector<Family> paper_networks();
std::vector<Family> conv_stack_networks();
std::vector<Family> recurrent_networks();
std::vector<Family> transformer_networks();
std::vector<Family> resnet_networks();
std::vector<Family> vgg_networks();
std::vector<Family> alexnet_networks();
std::vector<Family> mobilenet_networks();
std::vector<Family> squeezenet_networks();
std::vector<Family> shufflenet_networks();
std::vector<Family> inception_networks();
std::vector<Family> densenet_networks();
std::vector<Family> application_networks();

// "size" and "classes", as every image classifier has them.
std::vector<ZooOption> image_options(std::int64_t size = 224, std::int64_t classes = 1000);

}  // namespace ampere::zoo_detail
