// The text behind the ':' of a meter's spec: what it is about, then settings. "BAT0,unit=mA".
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ampere {

class MeterSettings {
 public:
  // Settings are the last pieces of `argument` that read key=value with one of `keys`: what stands
  // before them may hold commas and '=' itself (a file, a command). Throws Error(usage) for one
  // given twice and for a key that is nearly one of them.
  MeterSettings(std::string_view kind, std::string_view argument, std::vector<std::string> keys);

  const std::string& spec() const { return spec_; }        // "battery:BAT0,unit=mA"
  const std::string& subject() const { return subject_; }  // "BAT0"

  std::optional<std::string> text(const std::string& key) const;
  std::optional<double> number(const std::string& key) const;  // throws Error(usage)
  std::optional<double> not_negative(const std::string& key) const;
  // Throws Error(usage) when it is none of `choices`.
  std::optional<std::string> choice(const std::string& key,
                                    const std::vector<std::string>& choices) const;

 private:
  std::string spec_, subject_;
  std::map<std::string, std::string> values_;
};

}  // namespace ampere
