// A plan that is known beforehand: one suggestion after the other.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "method/suggestions.h"

namespace ampere {

class SuggestionList : public Suggestions {
 public:
  SuggestionList(std::string step, std::vector<Suggestion> suggestions)
      : step_(std::move(step)), suggestions_(std::move(suggestions)) {}

  std::optional<Suggestion> next() override {
    if (next_ == suggestions_.size()) return std::nullopt;
    return suggestions_[next_++];
  }

  void tell(const Finding& finding) override { findings_.push_back(finding); }

  Progress progress() const override {
    Progress now;
    now.step = step_;
    now.title = suggestions_[next_ - 1].model.name();
    now.done = static_cast<std::int64_t>(next_);
    now.of = static_cast<std::int64_t>(suggestions_.size());
    now.finished = next_ == suggestions_.size();
    return now;
  }

  std::optional<std::int64_t> left() const override {
    return static_cast<std::int64_t>(suggestions_.size() - next_);
  }

  // In the order of the suggestions; fewer when the campaign ended before.
  const std::vector<Finding>& findings() const { return findings_; }

 private:
  std::string step_;
  std::vector<Suggestion> suggestions_;
  std::size_t next_ = 0;
  std::vector<Finding> findings_;
};

}  // namespace ampere
