// Any bytes at the boundary that the variable BOUNDARY names (fuzz/boundaries.h).
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fuzz/boundaries.h"

namespace {

const ampere::fuzz::Boundary& chosen() {
  const char* name = std::getenv("BOUNDARY");
  for (const ampere::fuzz::Boundary& boundary : ampere::fuzz::boundaries())
    if (name != nullptr && std::string_view(name) == boundary.name) return boundary;
  std::fputs("BOUNDARY must be one of:", stderr);
  for (const auto& boundary : ampere::fuzz::boundaries())
    std::fprintf(stderr, " %s", boundary.name);
  std::fputs("\n", stderr);
  std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ampere::fuzz::Boundary& boundary = chosen();
  boundary.feed({reinterpret_cast<const char*>(data), size});
  return 0;
}
