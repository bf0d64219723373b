// Which networks of the zoo are those of an application, the third level of a data set of energies
// beside kernels and models (docs/kernel-data.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ampere {

struct Application {
  std::string name;     // "object detection"
  std::string network;  // its family in the zoo
};

const std::vector<Application>& applications();

// Of a network by its name, with options and widths or without: "unet:size=64". Null for networks
// that are no application's.
const Application* application_of(std::string_view network);

}  // namespace ampere
