// An input that leaves open what only its owner can say.
#pragma once

#include <string>
#include <utility>

#include "ampere/error.h"

namespace ampere {

// Error(usage) about one fact, by one word ("device", "source"), so that a front end can add how
// its users state it.
class Unstated : public Error {
 public:
  Unstated(std::string fact, const std::string& message)
      : Error(ErrorCode::usage, message), fact_(std::move(fact)) {}
  const std::string& fact() const { return fact_; }

 private:
  std::string fact_;
};

}  // namespace ampere
