#include "method/operations/operation_map.h"

namespace ampere {
namespace {

constexpr double kTimedDeviation = 0.015;  // between two times of the same operation

void answer(const OperationMap& map, OperationPart part, const Program& program,
            const std::vector<std::size_t>& asked, std::vector<MappedOperation>& mapped) {
  std::vector<std::string> names;
  for (const std::size_t i : asked) names.push_back(name_in_part(program.operations[i]));
  std::vector<PartQuery> queries;
  for (std::size_t j = 0; j < asked.size(); ++j)
    queries.push_back({&mapped[asked[j]].features, names[j]});
  std::vector<PartAnswer> answers =
      predict(map.parts[static_cast<std::size_t>(part)], map.roofline, queries);
  // Nothing links a name that nobody knows to others: it goes by its bytes, as pointwise operations
  // do on average.
  PartModel by_bytes;
  by_bytes.offset = map.parts[static_cast<std::size_t>(OperationPart::pointwise)].offset;
  for (std::size_t j = 0; j < answers.size(); ++j) {
    if (part == OperationPart::other && answers[j].foreign)
      answers[j] = predict(by_bytes, map.roofline, {queries[j]}).front();
    MappedOperation& operation = mapped[asked[j]];
    operation.source = answers[j].foreign ? TimeSource::foreign : TimeSource::mapped;
    operation.device_s = answers[j].device_s;
    operation.deviation = answers[j].deviation;
  }
}

}  // namespace

std::vector<MappedOperation> map_operations(const OperationMap& map, const Program& program,
                                            const KnownTimes& timed) {
  const std::vector<OperationKey> keys = operation_keys(program.operations, program.tensors);
  std::vector<MappedOperation> mapped(program.operations.size());
  std::array<std::vector<std::size_t>, kOperationParts> asked;
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    auto features = operation_features(program.operations[i], program.tensors, map.device);
    if (!features) continue;
    mapped[i].features = std::move(*features);
    const std::optional<double> now = timed.find(keys[i]), before = map.known.find(keys[i]);
    if (now || before) {
      mapped[i].source = now ? TimeSource::timed : TimeSource::known;
      mapped[i].device_s = now ? *now : *before;
      mapped[i].deviation = kTimedDeviation;
    } else {
      asked[static_cast<std::size_t>(mapped[i].features.part)].push_back(i);
    }
  }
  for (std::size_t part = 0; part < kOperationParts; ++part)
    if (!asked[part].empty())
      answer(map, static_cast<OperationPart>(part), program, asked[part], mapped);
  return mapped;
}

}  // namespace ampere
