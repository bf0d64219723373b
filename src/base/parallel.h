// Independent pieces of work on all processors.
#pragma once

#include <cstddef>
#include <functional>

namespace ampere {

// Calls work(i) for every i below `count`, from several threads, each i once. Meanwhile `before` is
// called from this thread, once for each i, in no order that matters; when it throws, no further
// work is begun, and the exception is passed on. So is the one of the smallest i whose work threw.
// The results must not depend on the order in which the work is done.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work,
                 const std::function<void(std::size_t)>& before = {});

}  // namespace ampere
