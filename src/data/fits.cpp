#include <fmt/format.h>

#include <algorithm>

#include "ampere/error.h"
#include "data/data_set.h"

namespace ampere {
namespace {

[[noreturn]] void refuse(const DataSet& data, const Model& model, const std::string& why) {
  throw Error(ErrorCode::usage, fmt::format("{} on {}: {}", model.name(), data.name, why));
}

bool same_axes(const TensorShape& sample, const TensorShape& input) {
  const bool both = (sample.layout == Layout::tokens) == (input.layout == Layout::tokens);
  return both && sample.axes() == input.axes();
}

bool in_a_row(const TensorShape& sample, const TensorShape& input) {
  return sample.layout != Layout::tokens && input.layout == Layout::flat &&
         input.elements() == sample.elements();
}

void check_input(const DataSet& data, const Model& model) {
  const auto is_input = [](const Layer& layer) { return std::holds_alternative<Input>(layer.op); };
  const auto inputs = std::ranges::count_if(model.layers(), is_input);
  if (inputs != 1)
    refuse(data, model,
           fmt::format("the network has {} inputs, and a data set feeds one alone", inputs));
  const TensorShape& input = std::ranges::find_if(model.layers(), is_input)->output;
  if (!same_axes(data.sample, input) && !in_a_row(data.sample, input))
    refuse(data, model,
           fmt::format("the samples are {}, and the network takes {}", to_string(data.sample),
                       to_string(input)));
  if (input.layout == Layout::tokens && data.sample.channels > input.channels)
    refuse(data, model,
           fmt::format("the tokens go up to {}, and the network knows those below {}",
                       data.sample.channels - 1, input.channels));
}

void check_output(const DataSet& data, const Model& model) {
  const TensorShape& output = model.output().output;
  const bool classifies = output.layout == Layout::flat || output.layout == Layout::sequence;
  if (!classifies || output.channels < 2)
    refuse(data, model,
           fmt::format("the network gives {}, which tells no classes apart", to_string(output)));
  if (data.labels_each != output.positions())
    refuse(data, model,
           fmt::format("there {} {} label{} per sample, and the network gives {} answer{}",
                       data.labels_each == 1 ? "is" : "are", data.labels_each,
                       data.labels_each == 1 ? "" : "s", output.positions(),
                       output.positions() == 1 ? "" : "s"));
  if (data.classes > output.channels)
    refuse(data, model,
           fmt::format("there are {} classes, and the network has {} outputs", data.classes,
                       output.channels));
}

}  // namespace

void check_fits(const DataSet& data, const Model& model) {
  check_input(data, model);
  check_output(data, model);
}

}  // namespace ampere
