// Answers to one question, in the order in which they were recorded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace ampere {

template <class Answer>
class Replayed {
 public:
  void add(Answer answer) { in_order_.push_back(std::move(answer)); }

  // The next one; after the last one, the last one again. There must be one.
  const Answer& next() { return in_order_[std::min(asked_++, in_order_.size() - 1)]; }

  std::size_t size() const { return in_order_.size(); }
  std::size_t repeats() const { return asked_ - std::min(asked_, in_order_.size()); }

 private:
  std::vector<Answer> in_order_;
  std::size_t asked_ = 0;
};

}  // namespace ampere
