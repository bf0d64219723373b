#include <fmt/format.h>

#include "ampere/error.h"
#include "ampere/program.h"

namespace ampere {

std::int64_t samples_of(const Program& program) {
  if (program.samples) return *program.samples;
  if (program.setup) return program.setup->batch * program.setup->options.accumulation;
  throw Error(ErrorCode::usage,
              fmt::format("{}: does not say how many samples an iteration takes; count iterations "
                          "instead of epochs",
                          program.name),
              Remedy::iterations);
}

}  // namespace ampere
