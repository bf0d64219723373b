#include "onnx/view.h"

#include <algorithm>

namespace ampere::onnx {
namespace {

bool carries_batch(const Axis& axis) {
  return std::ranges::any_of(axis, [](const Atom& atom) { return atom.axis == kBatch; });
}

// Takes atoms from the front of `rest` until they make up `length`, cutting the last one.
std::optional<Axis> take(std::vector<Atom>& rest, std::int64_t length) {
  Axis axis;
  while (length > 1) {
    if (rest.empty()) return std::nullopt;
    Atom& next = rest.front();
    if (length % next.length == 0) {
      length /= next.length;
      axis.push_back(next);
      rest.erase(rest.begin());
    } else if (next.length % length == 0 && next.axis != kBatch) {
      const std::int64_t inner = next.length / length;
      axis.push_back({next.axis, next.stride * inner, length});
      next.length = inner;
      length = 1;
    } else {
      return std::nullopt;
    }
  }
  return axis;
}

bool batch_is_next(const std::vector<Atom>& rest) {
  return !rest.empty() && rest.front().axis == kBatch && rest.front().length == 1;
}

}  // namespace

std::int64_t length_of(const Axis& axis) {
  std::int64_t length = 1;
  for (const Atom& atom : axis) length *= atom.length;
  return length;
}

Dims dims_of(const View& view) {
  Dims dims;
  for (const Axis& axis : view.axes) dims.push_back(length_of(axis));
  return dims;
}

bool is_batch(const Axis& axis) { return axis.size() == 1 && axis[0].axis == kBatch; }

std::vector<Atom> atoms_of(const View& view) {
  std::vector<Atom> atoms;
  for (const Axis& axis : view.axes) atoms.insert(atoms.end(), axis.begin(), axis.end());
  return atoms;
}

View native_view(const TensorShape& shape, std::int64_t batch) {
  View view{{{{kBatch, 1, batch}}}};
  int number = 0;
  for (const std::int64_t length : shape.axes()) {
    view.axes.emplace_back();
    if (length != 1) view.axes.back().push_back({number, 1, length});
    ++number;
  }
  return view;
}

int channel_axis(Layout layout) {
  switch (layout) {
    case Layout::flat:
    case Layout::line:
    case Layout::image:
      return 0;
    case Layout::sequence:
      return 1;
    case Layout::tokens:
    case Layout::tensor:
      break;
  }
  return -1;
}

Axis simplified(const Axis& axis) {
  Axis result;
  for (const Atom& atom : axis) {
    if (!result.empty() && result.back().axis == atom.axis && atom.axis != kBatch &&
        result.back().stride == atom.stride * atom.length)
      result.back() = {atom.axis, atom.stride, result.back().length * atom.length};
    else
      result.push_back(atom);
  }
  return result;
}

View permuted(const View& view, const Dims& order) {
  View result;
  for (const std::int64_t axis : order) result.axes.push_back(view.axes.at(axis));
  return result;
}

// A batch of one has no length by which to find its place again. It goes to an axis of length 1
// that stands there, else to the axis it would lead (batch × heads), unless that is the last one,
// whose numbers belong to one sample: then to the axis it would end (positions × batch).
std::optional<View> reshaped(const View& view, const Dims& dims) {
  std::vector<Atom> rest = simplified(atoms_of(view));
  View result;
  std::optional<Atom> batch;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (batch_is_next(rest) && !batch) {
      batch = rest.front();
      rest.erase(rest.begin());
    }
    std::optional<Axis> axis = take(rest, dims[i]);
    if (!axis) return std::nullopt;
    result.axes.push_back(simplified(*axis));
    if (!batch) continue;
    if (dims[i] == 1 || i == 0 || i + 1 < dims.size())
      result.axes.back().insert(result.axes.back().begin(), *batch);
    else
      result.axes[i - 1].push_back(*batch);
    batch.reset();
  }
  if (batch_is_next(rest) && !result.axes.empty()) {
    result.axes.back().push_back(rest.front());
    rest.erase(rest.begin());
  }
  if (!rest.empty()) return std::nullopt;
  return result;
}

bool has_batch(const View& view) { return std::ranges::any_of(view.axes, carries_batch); }

std::optional<std::vector<Axis>> sample_axes(const View& view) {
  if (!has_batch(view) && !view.axes.empty() && view.axes[0].empty())
    return std::vector<Axis>(view.axes.begin() + 1, view.axes.end());
  if (view.axes.empty() || view.axes[0].empty() || view.axes[0][0].axis != kBatch)
    return std::nullopt;
  std::vector<Axis> axes(view.axes.begin() + 1, view.axes.end());
  if (view.axes[0].size() > 1)
    axes.insert(axes.begin(), Axis(view.axes[0].begin() + 1, view.axes[0].end()));
  if (std::ranges::any_of(axes, carries_batch)) return std::nullopt;
  return axes;
}

}  // namespace ampere::onnx
