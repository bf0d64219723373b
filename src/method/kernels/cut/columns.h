// The columns that a kernel's configuration may have.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "method/kernels/kernel.h"

namespace ampere {

bool is_kernel_column(const std::string& name);
bool column_before(const std::string& a, const std::string& b);  // the order of tables

// The first operator of a type: "conv" of "conv+bn+relu", "fc" of "fc@sequence".
std::string first_operator(const std::string& type);

// The value a column has when it is left out; none where it has to be said.
std::optional<std::int64_t> usual_value(const std::string& type, const std::string& column,
                                        const KernelConfig& config);

// What the configuration says, or the usual value.
std::optional<std::int64_t> column_value(const std::string& type, const std::string& column,
                                         const KernelConfig& config);

// Columns without which a kernel of this type is not described.
std::vector<std::string> required_columns(const std::string& type);

// Whether 0 says something: no padding, no third input.
bool may_be_zero(const std::string& column);

// Without the columns that have their usual value.
KernelConfig without_usual(const std::string& type, KernelConfig config);

}  // namespace ampere
