// Data that will be needed soon are fetched from memory while the processor does other work.
#pragma once

#include <cstddef>
#include <span>

namespace ampere {

// Inlined, because gcc drops calls of functions that do nothing else.
template <class T>
[[gnu::always_inline]] inline void prefetch(std::span<const T> data) {
  constexpr std::size_t kLine = 64;  // bytes that memory is fetched in
  if (data.empty()) return;
  const char* first = reinterpret_cast<const char*>(data.data());
  const std::size_t last = data.size_bytes() - 1;
  for (std::size_t at = 0; at < last; at += kLine) __builtin_prefetch(first + at);
  __builtin_prefetch(first + last);
}

}  // namespace ampere
