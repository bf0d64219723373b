// A tensor that does not depend on the data: an initializer, or what is computed from some. Its
// numbers are read when they are asked for; an estimate asks for none of the large ones.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/checked.h"
#include "onnx/proto.h"

namespace ampere::onnx {

// Product of lengths. Throws Unsupported when a length is negative or the product too large.
std::int64_t element_count(const Dims& dims);

// Why a node cannot be part of the network; becomes a problem of the import.
struct Unsupported {
  std::string reason;
};

class Constant {
 public:
  using Numbers = std::vector<double>;

  Constant() = default;
  // Numbers that are not in the file.
  static Constant unknown(Dims dims, ElementType type);
  static Constant of(Dims dims, ElementType type, Numbers numbers);
  // Numbers that `make` gives when they are first asked for; small tensors are made at once.
  // `from` are the constants that `make` reads: unknown ones make this unknown too.
  static Constant made(Dims dims, ElementType type, std::vector<Constant> from,
                       std::function<Numbers(const std::vector<Constant>&)> make);

  const Dims& dims() const { return dims_; }
  std::int64_t elements() const;
  ElementType type() const { return type_; }
  bool known() const { return lazy_ != nullptr; }
  const Numbers& numbers() const;              // throws Unsupported when they are not in the file
  std::vector<std::int64_t> integers() const;  // a short list, rounded towards zero
  double scalar() const;                       // of a tensor with one element

  std::string name;      // of the initializer it comes from; "" when it is computed
  bool learned = false;  // a floating initializer, or computed from some

 private:
  struct Lazy;
  Dims dims_;
  ElementType type_ = ElementType::undefined;
  std::shared_ptr<Lazy> lazy_;
};

bool all_equal(const Constant& constant, double value);  // false when unknown

// The same numbers under other dims; the axes in another order; a part of one axis; several one
// after the other. They keep what is learned and the name.
Constant reshaped(const Constant& constant, Dims dims);
Constant transposed(const Constant& constant, const Dims& order);
Constant sliced(const Constant& constant, std::size_t axis, std::int64_t begin, std::int64_t count,
                std::int64_t step = 1);
Constant joined(const std::vector<Constant>& parts, std::size_t axis);
Constant gathered(const Constant& constant, const Constant& indices, std::size_t axis);
Constant expanded(const Constant& constant, const Dims& dims);
Constant mapped(const Constant& constant, const std::function<double(double)>& function);
Constant combined(const Constant& a, const Constant& b,
                  const std::function<double(double, double)>& function);
Constant filled(Dims dims, double value);

// The shape of two operands spread over each other. Throws Unsupported when they do not fit.
Dims broadcast(const Dims& a, const Dims& b);

}  // namespace ampere::onnx
