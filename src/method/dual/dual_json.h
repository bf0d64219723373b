// A dual model as JSON, part by part: so it is stored, and so the page of a report gets it.
#pragma once

#include <memory>
#include <string>

#include "base/json.h"
#include "estimate/composer.h"
#include "method/dual/dual_model.h"

namespace ampere {

// Reading throws Error(usage) naming the field. Lists of many numbers are packed (base/packed.h),
// matrices column by column.
Json map_json(const TimeMap& map);
TimeMap read_map(const JsonField& json);

// As a document of its own.
std::string to_text(const TimeMap& map);
TimeMap parse_map(const std::string& text, const std::string& kind);

// Both laws and the inflations.
Json laws_json(const DualModel& model);
void read_laws(const JsonField& json, DualModel& model);

// The composer of a what-if of this method (widths/forms_json.h).
std::unique_ptr<Composer> read_dual_composer(const JsonField& what_if);

}  // namespace ampere
