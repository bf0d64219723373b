#include "evaluate/used_seconds.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ampere {
namespace {

constexpr Seconds kNowAndThen{1};

}  // namespace

UsedSeconds::UsedSeconds(Store& store, std::int64_t profile, std::string document)
    : store_(store), profile_(profile), document_(std::move(document)) {
  if (const auto stored = store_.document(profile_, document_))
    before_ = Seconds(parse_number(*stored, document_));
}

void UsedSeconds::keep_now_and_then() {
  if (watch_.elapsed() - kept_ >= kNowAndThen) keep();
}

void UsedSeconds::keep() {
  kept_ = watch_.elapsed();
  store_.put_document(profile_, {document_, fmt::format("{:.3f}", (before_ + kept_).count())});
}

}  // namespace ampere
