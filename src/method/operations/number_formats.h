// The formats of the numbers that a program multiplies, and whether a profile knows them.
#pragma once

#include <string>
#include <vector>

#include "ampere/program.h"
#include "method/operations/general_profile.h"

namespace ampere {

// Of products and attention, each once, in the order of ElementType.
std::vector<ElementType> product_formats(const Program& program);

// Whether there are products, attention or convolutions of numbers in this format.
bool multiplies_in(ElementType format, const Program& program);

// Throws Error(unknown) that names the program, the format and the device when no product in such a
// format was timed: fp64 and fp8 never are, and a device may have been profiled in one format only.
void require_product_formats(const Program& program, const GeneralProfile& profile);

// The same for products of matrices in TF32, which is a setting and not a format of numbers: other
// units of the device compute them.
void require_tf32_products(const Program& program, const OperationMap& map,
                           const std::string& device);

}  // namespace ampere
