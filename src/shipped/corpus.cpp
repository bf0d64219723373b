#include "shipped/corpus.h"

#include <string_view>

#include "base/gzip.h"

extern "C" const char ampere_corpus_begin[], ampere_corpus_end[];

namespace ampere {
namespace {

constexpr const char* kOrigin = "the corpus of programs";
constexpr std::uint64_t kLargest = 1 << 28;

}  // namespace

std::vector<Program> shipped_corpus() {
  const std::string_view packed(ampere_corpus_begin,
                                static_cast<std::size_t>(ampere_corpus_end - ampere_corpus_begin));
  const std::string text = gunzip(packed, kOrigin, kLargest);
  std::vector<Program> programs;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    programs.push_back(parse_program(rest.substr(0, end), kOrigin));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return programs;
}

}  // namespace ampere
