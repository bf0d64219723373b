#include <array>
#include <cmath>

#include "data/formats.h"

namespace ampere {
namespace {

struct Scale {
  double mean = 0, deviation = 1;

  float operator()(double value) const { return static_cast<float>((value - mean) / deviation); }
};

// A channel that never changes says nothing, and is only moved to 0.
Scale scale_of(double mean, double variance) {
  return {mean, variance > 0 ? std::sqrt(variance) : 1.0};
}

// Numbers of a sample that share a mean and a deviation: a channel's. The columns of a table have
// each their own unit; pixels do not, and one that is nearly always black would be blown up.
std::int64_t numbers_in_channel(const RawData& data) {
  const bool table = data.sample.layout == Layout::flat;
  const bool pixels = std::holds_alternative<Bytes>(data.training.values);
  return table && pixels ? data.sample.channels : data.sample.positions();
}

template <class Visit>
void each_number(std::size_t size, std::int64_t run, std::int64_t channels, const Visit& visit) {
  std::size_t at = 0;
  while (at < size)
    for (std::int64_t channel = 0; channel < channels; ++channel)
      for (std::int64_t i = 0; i < run; ++i) visit(channel, at++);
}

using Histogram = std::array<std::int64_t, 256>;

Scale scale_of(const Histogram& histogram) {
  double count = 0, sum = 0, squares = 0;
  for (std::size_t level = 0; level < histogram.size(); ++level) {
    const double value = static_cast<double>(level) / 255;
    const auto times = static_cast<double>(histogram[level]);
    count += times;
    sum += times * value;
    squares += times * value * value;
  }
  const double mean = sum / count;
  return scale_of(mean, squares / count - mean * mean > 1e-12 ? squares / count - mean * mean : 0);
}

// 256 levels: counted once, and each scaled once.
Normalised scaled(const Bytes& training, const Bytes& test, std::int64_t run,
                  std::int64_t channels) {
  std::vector<Histogram> histograms(static_cast<std::size_t>(channels));
  each_number(training.size(), run, channels,
              [&](std::int64_t channel, std::size_t i) { ++histograms[channel][training[i]]; });
  std::vector<std::array<float, 256>> levels(histograms.size());
  for (std::size_t channel = 0; channel < levels.size(); ++channel) {
    const Scale scale = scale_of(histograms[channel]);
    for (std::size_t level = 0; level < 256; ++level)
      levels[channel][level] = scale(static_cast<double>(level) / 255);
  }
  const auto apply = [&](const Bytes& pixels) {
    std::vector<float> values(pixels.size());
    each_number(pixels.size(), run, channels, [&](std::int64_t channel, std::size_t i) {
      values[i] = levels[channel][pixels[i]];
    });
    return values;
  };
  return {apply(training), apply(test)};
}

Normalised scaled(const std::vector<float>& training, const std::vector<float>& test,
                  std::int64_t run, std::int64_t channels) {
  const auto count = static_cast<double>(training.size()) / static_cast<double>(channels);
  std::vector<double> means(static_cast<std::size_t>(channels)), variances(means.size());
  each_number(training.size(), run, channels, [&](std::int64_t channel, std::size_t i) {
    means[channel] += static_cast<double>(training[i]) / count;
  });
  each_number(training.size(), run, channels, [&](std::int64_t channel, std::size_t i) {
    variances[channel] += std::pow(training[i] - means[channel], 2) / count;
  });
  const auto apply = [&](const std::vector<float>& numbers) {
    std::vector<float> values(numbers.size());
    each_number(numbers.size(), run, channels, [&](std::int64_t channel, std::size_t i) {
      values[i] = scale_of(means[channel], variances[channel])(numbers[i]);
    });
    return values;
  };
  return {apply(training), apply(test)};
}

}  // namespace

Normalised normalise(const RawData& data) {
  const std::int64_t run = numbers_in_channel(data);
  const std::int64_t channels = data.sample.elements() / run;
  if (const auto* pixels = std::get_if<Bytes>(&data.training.values))
    return scaled(*pixels, std::get<Bytes>(data.test.values), run, channels);
  return scaled(std::get<std::vector<float>>(data.training.values),
                std::get<std::vector<float>>(data.test.values), run, channels);
}

}  // namespace ampere
