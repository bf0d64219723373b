// LibTorch's errors as ours. Seen by the sources that see torch.
#pragma once

#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <new>
#include <string>

#include "ampere/error.h"
#include "ampere/model.h"
#include "base/text.h"

namespace ampere {

// Foreign errors become ours here, with the network or operation they happened to.
template <typename Work>
auto guarded(const std::string& name, const Work& work) {
  const auto fail = [&name](const std::string& why) {
    return Error(ErrorCode::failed, fmt::format("{}: {}", name, why));
  };
  const auto first_line = [](const std::string& text) { return split(text, '\n').front(); };
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const c10::OutOfMemoryError& error) {
    const std::string why = first_line(error.what_without_backtrace());
    throw fail("out of memory: " + why.substr(0, why.find(" Including")));  // then come hints
  } catch (const std::bad_alloc&) {
    throw fail("out of memory");
  } catch (const c10::Error& error) {
    const std::string why = first_line(error.what_without_backtrace());
    const bool memory = why.find("allocate memory") != std::string::npos;  // the CPU's allocator
    throw fail((memory ? "out of memory: " : "LibTorch: ") + why);
  } catch (const std::exception& error) {
    throw fail("LibTorch: " + first_line(error.what()));
  }
}

template <typename Work>
auto guarded(const Model& model, const Work& work) {
  return guarded(model.name(), work);
}

}  // namespace ampere
