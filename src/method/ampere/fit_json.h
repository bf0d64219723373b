// A fit as JSON: so it is stored, and so the page of a report gets it.
#pragma once

#include <memory>

#include "base/json.h"
#include "estimate/composer.h"
#include "method/ampere/fit.h"

namespace ampere {

Json fit_json(const KindFit& fit);
// Throws Error(usage) naming the field. Costs no search.
KindFit read_fit(const JsonField& json);

// The composer of a what-if of this method (widths/forms_json.h).
std::unique_ptr<Composer> read_ampere_composer(const JsonField& what_if);

}  // namespace ampere
