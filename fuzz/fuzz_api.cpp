// Any bytes as requests to the API of `ampere serve`.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "serve/feed_api.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string fault = ampere::feed_api({reinterpret_cast<const char*>(data), size});
  if (fault.empty()) return 0;
  std::fprintf(stderr, "%s\n", fault.c_str());
  std::abort();
}
