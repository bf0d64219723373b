// How long a method has measured for an evaluation in which every method has the same seconds. It
// is in the store while it grows, so that a run that is killed and begun again gets no more.
#pragma once

#include <string>

#include "ampere/store.h"
#include "base/stopwatch.h"
#include "method/suggestions.h"

namespace ampere {

class UsedSeconds {
 public:
  // What earlier runs have used is in this document of the profile, where there is one.
  UsedSeconds(Store& store, std::int64_t profile, std::string document);

  Seconds before() const { return before_; }
  // From now on; about once a second, since a write may take as long as a measurement.
  void keep_now_and_then();
  void keep();

 private:
  Store& store_;
  std::int64_t profile_;
  std::string document_;
  Seconds before_{};
  Stopwatch watch_;
  Seconds kept_{};  // when it was kept last
};

// The same plan; what it has used is kept on the way.
class CountedSuggestions final : public Suggestions {
 public:
  CountedSuggestions(Suggestions& plan, UsedSeconds& used) : plan_(plan), used_(used) {}

  std::optional<Suggestion> next() override { return plan_.next(); }
  void tell(const Finding& finding) override {
    plan_.tell(finding);
    used_.keep_now_and_then();
  }
  bool postpone() override { return plan_.postpone(); }
  Progress progress() const override { return plan_.progress(); }
  std::optional<std::int64_t> left() const override { return plan_.left(); }
  std::vector<std::string> warnings() const override { return plan_.warnings(); }

 private:
  Suggestions& plan_;
  UsedSeconds& used_;
};

}  // namespace ampere
