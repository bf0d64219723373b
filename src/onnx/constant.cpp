#include "onnx/constant.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace ampere::onnx {
namespace {

constexpr std::int64_t kMadeAtOnce = 4096;                   // elements
constexpr std::int64_t kMaxNumbers = std::int64_t{1} << 27;  // in memory
constexpr std::int64_t kMaxList = 1 << 16;                   // a shape, axes, indices
constexpr int kMaxDepth = 64;                                // of constants that wait for others

Dims strides_of(const Dims& dims) {
  Dims strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return strides;
}

// The numbers at `start` and along `strides`, for each index below `dims`.
Constant::Numbers strided(const Constant::Numbers& from, const Dims& dims, const Dims& strides,
                          std::int64_t start) {
  Constant::Numbers result;
  const std::int64_t count = element_count(dims);
  result.reserve(count);
  Dims index(dims.size(), 0);
  std::int64_t at = start;
  for (std::int64_t i = 0; i < count; ++i) {
    result.push_back(from[at]);
    for (std::size_t axis = dims.size(); axis-- > 0;) {
      at += strides[axis];
      if (++index[axis] < dims[axis]) break;
      at -= strides[axis] * dims[axis];
      index[axis] = 0;
    }
  }
  return result;
}

Constant keeping_origin(Constant made, const Constant& from) {
  made.name = from.name;
  made.learned = from.learned;
  return made;
}

// Strides over `dims` that stand still along the axes a constant does not have.
Dims spread_strides(const Dims& own, const Dims& dims) {
  Dims strides(dims.size(), 0);
  const Dims dense = strides_of(own);
  const std::size_t missing = dims.size() - own.size();
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i] != 1) strides[missing + i] = dense[i];
  return strides;
}

}  // namespace

struct Constant::Lazy {
  std::vector<Constant> from;
  std::function<Numbers(const std::vector<Constant>&)> make;
  std::optional<Numbers> numbers;
  int depth = 0;
};

std::int64_t element_count(const Dims& dims) {
  std::int64_t count = 1;
  bool empty = false;
  for (const std::int64_t length : dims) {
    if (length < 0) throw Unsupported{fmt::format("an axis has the length {}", length)};
    if (length == 0) empty = true;
    if (length > 0 && (length > kMaxElements || count > kMaxElements / length))
      throw Unsupported{fmt::format("a tensor of {} is too large", fmt::join(dims, "x"))};
    count *= std::max<std::int64_t>(length, 1);
  }
  return empty ? 0 : count;
}

Constant Constant::unknown(Dims dims, ElementType type) {
  element_count(dims);
  Constant constant;
  constant.dims_ = std::move(dims);
  constant.type_ = type;
  return constant;
}

Constant Constant::of(Dims dims, ElementType type, Numbers numbers) {
  Constant constant = unknown(std::move(dims), type);
  constant.lazy_ = std::make_shared<Lazy>();
  constant.lazy_->numbers = std::move(numbers);
  return constant;
}

Constant Constant::made(Dims dims, ElementType type, std::vector<Constant> from,
                        std::function<Numbers(const std::vector<Constant>&)> make) {
  Constant constant = unknown(std::move(dims), type);
  int depth = 0;
  for (const Constant& source : from) {
    constant.learned = constant.learned || source.learned;
    if (!source.known()) return constant;
    if (!source.lazy_->numbers) depth = std::max(depth, source.lazy_->depth + 1);
  }
  if (depth > kMaxDepth) throw Unsupported{"too many steps from the initializers to this constant"};
  constant.lazy_ = std::make_shared<Lazy>(Lazy{std::move(from), std::move(make), {}, depth});
  if (depth == 0 && constant.elements() <= kMadeAtOnce) constant.numbers();
  return constant;
}

std::int64_t Constant::elements() const { return element_count(dims_); }

const Constant::Numbers& Constant::numbers() const {
  if (!known()) throw Unsupported{"it needs a value that is not in the file"};
  if (!lazy_->numbers) {
    if (elements() > kMaxNumbers)
      throw Unsupported{fmt::format("a constant of {} numbers is too large", elements())};
    lazy_->numbers = lazy_->make(lazy_->from);
    lazy_->from.clear();
    lazy_->make = nullptr;
  }
  return *lazy_->numbers;
}

std::vector<std::int64_t> Constant::integers() const {
  if (elements() > kMaxList) throw Unsupported{"a list of sizes is too long"};
  std::vector<std::int64_t> list;
  for (const double number : numbers()) {
    constexpr double kLimit = 9.2e18;
    if (std::isnan(number)) throw Unsupported{"a size is not a number"};
    list.push_back(number >= kLimit    ? std::numeric_limits<std::int64_t>::max()
                   : number <= -kLimit ? std::numeric_limits<std::int64_t>::min()
                                       : static_cast<std::int64_t>(number));
  }
  return list;
}

double Constant::scalar() const {
  if (elements() != 1) throw Unsupported{"a single number is needed where a tensor stands"};
  return numbers().front();
}

bool all_equal(const Constant& constant, double value) {
  return constant.known() && constant.elements() <= kMaxNumbers &&
         std::ranges::all_of(constant.numbers(), [&](double number) { return number == value; });
}

Constant reshaped(const Constant& constant, Dims dims) {
  if (element_count(dims) != constant.elements())
    throw Unsupported{fmt::format("{} numbers cannot be reshaped to {}", constant.elements(),
                                  fmt::join(dims, "x"))};
  return keeping_origin(
      Constant::made(std::move(dims), constant.type(), {constant},
                     [](const std::vector<Constant>& from) { return from[0].numbers(); }),
      constant);
}

Constant transposed(const Constant& constant, const Dims& order) {
  const Dims strides = strides_of(constant.dims());
  Dims dims, moved;
  for (const std::int64_t axis : order) {
    dims.push_back(constant.dims().at(axis));
    moved.push_back(strides.at(axis));
  }
  return keeping_origin(Constant::made(dims, constant.type(), {constant},
                                       [dims, moved](const std::vector<Constant>& from) {
                                         return strided(from[0].numbers(), dims, moved, 0);
                                       }),
                        constant);
}

Constant sliced(const Constant& constant, std::size_t axis, std::int64_t begin, std::int64_t count,
                std::int64_t step) {
  Dims dims = constant.dims(), strides = strides_of(constant.dims());
  const std::int64_t start = count == 0 ? 0 : begin * strides.at(axis);
  dims[axis] = count;
  strides[axis] *= step;
  return keeping_origin(Constant::made(dims, constant.type(), {constant},
                                       [=](const std::vector<Constant>& from) {
                                         return strided(from[0].numbers(), dims, strides, start);
                                       }),
                        constant);
}

Constant joined(const std::vector<Constant>& parts, std::size_t axis) {
  Dims dims = parts.at(0).dims();
  if (axis >= dims.size()) throw Unsupported{"constants are joined along an axis they do not have"};
  std::int64_t length = 0;
  for (const Constant& part : parts) {
    Dims other = part.dims();
    if (other.size() != dims.size()) throw Unsupported{"constants of different rank are joined"};
    length += other[axis];
    other[axis] = dims[axis];
    if (other != dims) throw Unsupported{"constants that do not fit are joined"};
  }
  dims[axis] = length;
  std::int64_t outer = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= dims[i];
  Constant result =
      Constant::made(dims, parts[0].type(), parts, [outer](const std::vector<Constant>& from) {
        Constant::Numbers numbers;
        for (std::int64_t row = 0; row < outer; ++row)
          for (const Constant& part : from) {
            const std::int64_t share = part.elements() / outer;
            const auto begin = part.numbers().begin() + row * share;
            numbers.insert(numbers.end(), begin, begin + share);
          }
        return numbers;
      });
  result.name = parts[0].name;
  return result;
}

Constant gathered(const Constant& constant, const Constant& indices, std::size_t axis) {
  const Dims& own = constant.dims();
  if (axis >= own.size()) throw Unsupported{"gathers along an axis that is not there"};
  Dims dims(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(axis));
  dims.insert(dims.end(), indices.dims().begin(), indices.dims().end());
  dims.insert(dims.end(), own.begin() + static_cast<std::ptrdiff_t>(axis) + 1, own.end());
  const std::int64_t length = own[axis];
  std::int64_t inner = 1;
  for (std::size_t i = axis + 1; i < own.size(); ++i) inner *= own[i];
  return keeping_origin(
      Constant::made(
          dims, constant.type(), {constant, indices},
          [=](const std::vector<Constant>& from) {
            const Constant::Numbers& data = from[0].numbers();
            Constant::Numbers numbers;
            const std::int64_t row = length * inner;
            const auto rows = row == 0 ? 0 : static_cast<std::int64_t>(data.size()) / row;
            for (std::int64_t i = 0; i < rows; ++i)
              for (const std::int64_t given : from[1].integers()) {
                const std::int64_t index = given < 0 ? given + length : given;
                if (index < 0 || index >= length)
                  throw Unsupported{fmt::format("gathers index {} of {}", given, length)};
                const auto begin = data.begin() + i * row + index * inner;
                numbers.insert(numbers.end(), begin, begin + inner);
              }
            return numbers;
          }),
      constant);
}

Constant expanded(const Constant& constant, const Dims& dims) {
  const Dims whole = broadcast(constant.dims(), dims);
  if (whole == constant.dims()) return constant;
  const Dims strides = spread_strides(constant.dims(), whole);
  return keeping_origin(Constant::made(whole, constant.type(), {constant},
                                       [whole, strides](const std::vector<Constant>& from) {
                                         return strided(from[0].numbers(), whole, strides, 0);
                                       }),
                        constant);
}

Constant mapped(const Constant& constant, const std::function<double(double)>& function) {
  return keeping_origin(Constant::made(constant.dims(), constant.type(), {constant},
                                       [function](const std::vector<Constant>& from) {
                                         Constant::Numbers numbers = from[0].numbers();
                                         std::ranges::transform(numbers, numbers.begin(), function);
                                         return numbers;
                                       }),
                        constant);
}

Constant combined(const Constant& a, const Constant& b,
                  const std::function<double(double, double)>& function) {
  const Dims dims = broadcast(a.dims(), b.dims());
  Constant result = Constant::made(dims, a.type(), {expanded(a, dims), expanded(b, dims)},
                                   [function](const std::vector<Constant>& from) {
                                     Constant::Numbers numbers = from[0].numbers();
                                     std::ranges::transform(numbers, from[1].numbers(),
                                                            numbers.begin(), function);
                                     return numbers;
                                   });
  result.name = a.learned || !b.learned ? a.name : b.name;
  return result;
}

Constant filled(Dims dims, double value) {
  const std::int64_t count = element_count(dims);
  return Constant::made(
      std::move(dims), ElementType::float32, {},
      [count, value](const std::vector<Constant>&) { return Constant::Numbers(count, value); });
}

Dims broadcast(const Dims& a, const Dims& b) {
  Dims result(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t right = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (left != right && left != 1 && right != 1)
      throw Unsupported{
          fmt::format("shapes {} and {} do not fit", fmt::join(a, "x"), fmt::join(b, "x"))};
    result[result.size() - 1 - i] = left == 1 ? right : left;
  }
  return result;
}

}  // namespace ampere::onnx
