// Networks drawn at random: what is profiled, tried or fitted to beside the original.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ampere/model.h"

namespace ampere {

// Networks of a family of the zoo: every free width is drawn evenly from its smallest value to the
// original, and so is the depth where the family has a "layers" option. `family` may have options
// and widths, as in "resnet50:size=224": its options stay, and its widths are the original's, whose
// depth stays too. Each network is named by the spec that open_model() builds it from. Equal seeds
// give equal networks, and fewer of them are the first of more. Throws Error as open_model() does.
std::vector<Model> draw_networks(const std::string& family, int count, unsigned seed);

// The same for networks that are given: each drawn one is a narrower version of one of them.
std::vector<Model> draw_narrower(std::span<const Model> originals, int count, unsigned seed);

// Narrower versions as people choose them: every free width so many eighths of the original, one to
// eight of them, drawn evenly.
std::vector<Model> draw_round(std::span<const Model> originals, int count, unsigned seed);

// The one of these at four eighths throughout.
Model half_as_wide(const Model& original);

// Variants of a network as DeepEn2023 makes them: every free width drawn evenly from a fifth of the
// original to nine fifths of it, and every convolution larger than 1 given another odd kernel (an
// even one where it is even) of up to 7, or up to its own, padded so that all extents stay. Equal
// seeds give equal networks, and fewer of them are the first of more.
std::vector<Model> draw_variants(const Model& original, int count, unsigned seed);

}  // namespace ampere
