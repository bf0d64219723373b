// Any bytes as a program file: read, counted, replayed, hashed and written again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "ampere/error.h"
#include "ampere/program.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const ampere::Program program =
        ampere::parse_program({reinterpret_cast<const char*>(data), size}, "fuzzed");
    for (const ampere::Operation& operation : program.operations)
      ampere::count(operation, program.tensors);
    ampere::peak_memory(program);
    ampere::program_hash(program);
    if (ampere::parse_program(ampere::to_json(program), "again") != program) std::abort();
  } catch (const ampere::Error&) {
  }
  return 0;
}
