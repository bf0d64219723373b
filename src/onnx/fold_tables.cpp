#include "onnx/fold_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "onnx/fold.h"

namespace ampere::onnx {
namespace {

using Numbers = Constant::Numbers;

Dims part(const Dims& dims, std::size_t begin, std::size_t end) {
  return {dims.begin() + static_cast<std::ptrdiff_t>(begin),
          dims.begin() + static_cast<std::ptrdiff_t>(end)};
}

Dims joined_dims(Dims front, const Dims& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

// An axis seen as outer × length × inner.
struct AxisSpan {
  std::int64_t outer, length, inner;

  AxisSpan(const Dims& dims, std::size_t axis)
      : outer(element_count(part(dims, 0, axis))),
        length(dims[axis]),
        inner(element_count(part(dims, axis + 1, dims.size()))) {}
};

// Rows of indices, each of which leads to a slice of a tensor of `dims`: where the slices begin.
std::vector<std::int64_t> slice_starts(const Constant& indices, const Dims& dims) {
  const std::int64_t depth = indices.dims().back();
  const Numbers& list = indices.numbers();
  const std::int64_t slice =
      element_count(part(dims, static_cast<std::size_t>(depth), dims.size()));
  std::vector<std::int64_t> starts;
  for (std::size_t row = 0; row < list.size(); row += static_cast<std::size_t>(depth)) {
    std::int64_t at = 0;
    for (std::int64_t k = 0; k < depth; ++k) {
      const double given = list[row + static_cast<std::size_t>(k)];
      const auto length = static_cast<double>(dims[k]);
      if (!(given >= -length && given < length))
        throw Unsupported{fmt::format("an index of {} along an axis of {}", given, dims[k])};
      const auto index = static_cast<std::int64_t>(given);
      at = at * dims[k] + (index < 0 ? index + dims[k] : index);
    }
    starts.push_back(at * slice);
  }
  return starts;
}

std::size_t index_depth(const Constant& data, const Constant& indices) {
  if (indices.dims().empty() || indices.dims().back() < 1 ||
      indices.dims().back() > static_cast<std::int64_t>(data.dims().size()))
    throw Unsupported{"the indices do not fit"};
  return static_cast<std::size_t>(indices.dims().back());
}

void fold_gather_nd(Importer& importer, const Node& node) {
  const Constant &data = importer.constant(node, 0), &indices = importer.constant(node, 1);
  if (integer(node, "batch_dims", 0) != 0) throw Unsupported{"indices of their own per sample"};
  const std::size_t depth = index_depth(data, indices);
  const Dims inner = part(data.dims(), depth, data.dims().size());
  const std::int64_t slice = element_count(inner);
  const Dims dims = joined_dims(part(indices.dims(), 0, indices.dims().size() - 1), inner);
  importer.set(node, 0,
               Constant::made(
                   dims, data.type(), {data, indices}, [slice](const std::vector<Constant>& from) {
                     const Numbers& all = from[0].numbers();
                     Numbers numbers;
                     for (const std::int64_t start : slice_starts(from[1], from[0].dims()))
                       numbers.insert(numbers.end(), all.begin() + start,
                                      all.begin() + start + slice);
                     return numbers;
                   }));
}

void fold_scatter_nd(Importer& importer, const Node& node) {
  const Constant &data = importer.constant(node, 0), &indices = importer.constant(node, 1),
                 &updates = importer.constant(node, 2);
  if (text(node, "reduction", "none") != "none") throw Unsupported{"adds up what it scatters"};
  const std::size_t depth = index_depth(data, indices);
  const Dims inner = part(data.dims(), depth, data.dims().size());
  const Dims expected = joined_dims(part(indices.dims(), 0, indices.dims().size() - 1), inner);
  if (updates.dims() != expected) throw Unsupported{"the updates do not fit"};
  const std::int64_t slice = element_count(inner);
  importer.set(
      node, 0,
      Constant::made(data.dims(), data.type(), {data, indices, updates},
                     [slice](const std::vector<Constant>& from) {
                       Numbers numbers = from[0].numbers();
                       auto next = from[2].numbers().begin();
                       for (const std::int64_t start : slice_starts(from[1], from[0].dims())) {
                         std::copy(next, next + slice, numbers.begin() + start);
                         next += slice;
                       }
                       return numbers;
                     }));
}

void fold_cumulative_sum(Importer& importer, const Node& node) {
  const Constant& data = importer.constant(node, 0);
  const auto given = static_cast<std::int64_t>(importer.constant(node, 1).scalar());
  const AxisSpan span(data.dims(), axis_index(given, data.dims().size()));
  const bool reverse = integer(node, "reverse", 0) != 0;
  const bool exclusive = integer(node, "exclusive", 0) != 0;
  importer.set(
      node, 0,
      Constant::made(data.dims(), data.type(), {data}, [=](const std::vector<Constant>& from) {
        Numbers numbers = from[0].numbers();
        for (std::int64_t line = 0; line < span.outer * span.inner; ++line) {
          const std::int64_t start =
              line / span.inner * span.length * span.inner + line % span.inner;
          double sum = 0;
          for (std::int64_t i = 0; i < span.length; ++i) {
            double& at = numbers[start + (reverse ? span.length - 1 - i : i) * span.inner];
            const double before = sum;
            sum += at;
            at = exclusive ? before : sum;
          }
        }
        return numbers;
      }));
}

// Products of constants stay short: positions times frequencies. A product with learned weights is
// a layer, which must not be computed away.
void fold_matmul(Importer& importer, const Node& node) {
  const Constant &left = importer.constant(node, 0), &right = importer.constant(node, 1);
  const std::size_t a = left.dims().size(), b = right.dims().size();
  if (a < 2 || b < 2 || left.dims()[a - 1] != right.dims()[b - 2])
    throw Unsupported{"matrices that do not fit"};
  const std::int64_t rows = left.dims()[a - 2], inner = left.dims()[a - 1],
                     columns = right.dims()[b - 1];
  const Dims outer = broadcast(part(left.dims(), 0, a - 2), part(right.dims(), 0, b - 2));
  const Dims dims = joined_dims(outer, {rows, columns});
  if (element_count(joined_dims(dims, {inner})) > 1 << 26)
    throw Unsupported{"a product of constants that is too large to be computed"};
  importer.set(node, 0,
               Constant::made(dims, left.type(),
                              {expanded(left, joined_dims(outer, {rows, inner})),
                               expanded(right, joined_dims(outer, {inner, columns}))},
                              [=](const std::vector<Constant>& from) {
                                const Numbers &x = from[0].numbers(), &y = from[1].numbers();
                                Numbers numbers(static_cast<std::size_t>(element_count(dims)), 0);
                                for (std::size_t i = 0; i < numbers.size(); ++i) {
                                  const auto at = static_cast<std::int64_t>(i);
                                  const std::int64_t matrix = at / (rows * columns);
                                  const std::int64_t row = at / columns % rows,
                                                     column = at % columns;
                                  for (std::int64_t k = 0; k < inner; ++k)
                                    numbers[i] += x[(matrix * rows + row) * inner + k] *
                                                  y[(matrix * inner + k) * columns + column];
                                }
                                return numbers;
                              }));
}

double reduced(std::string_view op, double so_far, double number) {
  if (op == "ReduceProd") return so_far * number;
  if (op == "ReduceMax") return std::max(so_far, number);
  if (op == "ReduceMin") return std::min(so_far, number);
  return so_far + number;
}

double before_all(std::string_view op) {
  if (op == "ReduceProd") return 1;
  if (op == "ReduceMax") return -std::numeric_limits<double>::infinity();
  if (op == "ReduceMin") return std::numeric_limits<double>::infinity();
  return 0;
}

// One axis, which stays with length 1.
Constant reduced_along(const Constant& data, std::size_t axis, std::string_view op) {
  const AxisSpan span(data.dims(), axis);
  Dims dims = data.dims();
  dims[axis] = 1;
  return Constant::made(
      dims, data.type(), {data}, [span, name = std::string(op)](const std::vector<Constant>& from) {
        const Numbers& all = from[0].numbers();
        Numbers numbers(static_cast<std::size_t>(span.outer * span.inner), before_all(name));
        for (std::size_t i = 0; i < all.size(); ++i) {
          const auto at = static_cast<std::int64_t>(i);
          double& sum = numbers[at / (span.length * span.inner) * span.inner + at % span.inner];
          sum = reduced(name, sum, all[i]);
        }
        if (name == "ReduceMean")
          for (double& number : numbers) number /= static_cast<double>(span.length);
        return numbers;
      });
}

void fold_reduce(Importer& importer, const Node& node) {
  Constant data = importer.constant(node, 0);
  const std::size_t rank = data.dims().size();
  const Dims axes = axes_of(importer, node, 1, {});
  std::vector<bool> drop(rank, axes.empty() && integer(node, "noop_with_empty_axes", 0) == 0);
  for (const std::int64_t axis : axes) drop[axis_index(axis, rank)] = true;
  Dims kept;
  for (std::size_t i = 0; i < rank; ++i) {
    if (drop[i]) data = reduced_along(data, i, node.op);
    if (!drop[i] || integer(node, "keepdims", 1) != 0) kept.push_back(data.dims()[i]);
  }
  importer.set(node, 0, reshaped(data, kept));
}

}  // namespace

bool fold_tables(Importer& importer, const Node& node) {
  if (node.op == "GatherND")
    fold_gather_nd(importer, node);
  else if (node.op == "ScatterND")
    fold_scatter_nd(importer, node);
  else if (node.op == "CumSum")
    fold_cumulative_sum(importer, node);
  else if (node.op == "MatMul")
    fold_matmul(importer, node);
  else if (node.op == "ReduceProd" || node.op == "ReduceSum" || node.op == "ReduceMax" ||
           node.op == "ReduceMin" || node.op == "ReduceMean")
    fold_reduce(importer, node);
  else
    return false;
  return true;
}

}  // namespace ampere::onnx
