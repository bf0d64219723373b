#include "completion_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "ampere/model.h"
#include "ampere/rig.h"
#include "ampere/train.h"
#include "base/text.h"
#include "method/registry.h"
#include "session/shipped_store.h"

namespace ampere {
namespace {

CompletionValues choices(const std::vector<std::string>& words) {
  CompletionValues values;
  for (const std::string& word : words) values.candidates.push_back({word, ""});
  return values;
}

CompletionValues only(CompletionPaths paths, std::string before_path = "") {
  return {{}, paths, std::move(before_path)};
}

// "transformer:layers=2,d=64": behind the colon are the options of the network that are not yet
// given.
CompletionValues options_of_network(const ZooEntry& entry, const std::string& typed) {
  CompletionValues values;
  const std::string before = typed.substr(0, typed.find_last_of(":,") + 1);
  for (const ZooOption& option : entry.options)
    if (before.find(option.key + "=") == std::string::npos)
      values.candidates.push_back(
          {before + option.key + "=",
           fmt::format("{} (default: {})", option.help, option.default_value)});
  return values;
}

CompletionValues networks(const std::string& typed) {
  const std::string name = typed.substr(0, typed.find(':'));
  CompletionValues values{{}, CompletionPaths::files, ""};
  for (const ZooEntry& entry : zoo()) {
    if (name != typed && entry.name == name) return options_of_network(entry, typed);
    values.candidates.push_back({entry.name, entry.description});
  }
  return values;
}

CompletionValues rigs(const std::string& typed) {
  constexpr const char* kRecorded = "recorded:";
  if (typed.starts_with(kRecorded)) return only(CompletionPaths::files, kRecorded);
  CompletionValues values;
  values.candidates = {{"local", "the GPU if there is one, else the CPU"},
                       {"cpu", "the CPU, with all its cores"},
                       {"cuda:0", "an NVIDIA GPU"},
                       {"torch", "your own PyTorch"},
                       {kRecorded, "a recording of a device"},
                       {"cmd:", "a command that starts a runner"}};
  for (const SimDevice& device : sim_devices())
    values.candidates.push_back({"sim:" + device.name, device.description});
  return values;
}

CompletionValues methods(const std::string&) {
  CompletionValues values;
  for (const Phase phase : {Phase::iteration, Phase::inference})
    for (const Method* method : methods_for(phase))
      if (std::ranges::none_of(values.candidates, [&](const CompletionWord& known) {
            return known.value == method->name();
          }))
        values.candidates.push_back({method->name(), method->description()});
  return values;
}

CompletionValues shipped_devices(const std::string&) {
  CompletionValues values;
  for (const ProfileRow& row : shipped_rows())
    values.candidates.push_back({row.shipped, row.device.name});
  return values;
}

// "TEXT:{training,inference}" is how CLI11 names the type of a value that is one of a set.
std::vector<std::string> named_choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close <= open + 1) return {};
  return split(type.substr(open + 1, close - open - 1), ',');
}

using Source = std::function<CompletionValues(const std::string& typed)>;

// An option has the same name and meaning in every verb.
const std::map<std::string, Source>& sources() {
  const Source folders = [](const std::string&) { return only(CompletionPaths::folders); };
  const Source nothing = [](const std::string&) { return CompletionValues{}; };
  static const std::map<std::string, Source> table{
      {"MODEL", networks},
      {"FAMILY", networks},
      {"--rig", rigs},
      {"--method", methods},
      {"--device", shipped_devices},
      {"--optimizer", [](const std::string&) { return choices(every_setup().optimizers); }},
      {"--precision", [](const std::string&) { return choices(every_setup().precisions); }},
      {"--attention",
       [](const std::string&) {
         return choices({"fused", "plain"});
       }},
      {"--output-folder", folders},
      {"--figures", folders},
      {"--keep-programs", folders},
      {"--battery", nothing},
      {"--budget", nothing},
      {"--shape", nothing},
      {"--arg", nothing},
      {"--profile", nothing},
      {"--listen", nothing},
      {"ID", nothing},
      {"ACCOUNT", nothing},
      {"ENERGY", nothing}};
  return table;
}

}  // namespace

CompletionValues values_of(const CLI::Option& option, const std::string& typed) {
  if (const std::vector<std::string> words = named_choices(option); !words.empty())
    return choices(words);
  // A name such as "-o,--output" has several parts, of which the long one counts.
  const std::string name =
      option.get_lnames().empty() ? option.get_name() : "--" + option.get_lnames().front();
  const auto source = sources().find(name);
  if (source != sources().end()) return source->second(typed);
  // Every other text may be a path; a number is not.
  return only(option.get_type_name().starts_with("TEXT") ? CompletionPaths::files
                                                         : CompletionPaths::none);
}

}  // namespace ampere
