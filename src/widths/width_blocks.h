// The blocks of a network at any widths, found without building it where that is possible.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ampere/block.h"
#include "ampere/train.h"
#include "ampere/widths.h"
#include "widths/number_table.h"
#include "widths/width_form.h"

namespace ampere {

// Blocks to keep before one begins anew; each takes a few hundred bytes.
inline constexpr int kMostBlocks = 1 << 18;

struct SizedBlock {
  int kind = 0;  // among WidthBlocks::kinds
  std::vector<std::int64_t> features;
  BlockWork work;
};

// Blocks of equal kind and features have one number. A block depends on the widths that touch it
// alone, so that blocks met before are looked up; new ones of a kind that is the same at all widths
// (plain.h) are computed, others found by cutting the network itself.
class WidthBlocks {
 public:
  struct Place {            // of a block in the network
    int kind = 0;           // of the original
    bool computed = false;  // plain, and its work is known as a form
    std::vector<WidthForm> features;
    std::vector<int> touching;  // the widths that it depends on
    NumberTable by_widths;      // where it is not computed
  };

  WidthBlocks(const Model& original, const Setup& setup);

  // Their numbers, in the order of the network; valid until the next call. Blocks whose widths are
  // those of the last call are not looked for again. Throws Error(usage) for widths that the
  // network cannot have.
  const std::vector<int>& at(std::span<const std::int64_t> widths);

  // Fetches from memory where the blocks at these widths will be looked for.
  void expect(std::span<const std::int64_t> widths);

  int size() const { return static_cast<int>(blocks_.size()); }
  const SizedBlock& block(int number) const { return blocks_[static_cast<std::size_t>(number)]; }
  const BlockKind& kind(int index) const { return *kinds_[static_cast<std::size_t>(index)].kind; }
  void forget();  // all numbers given so far

  // How the blocks follow from the widths, in the order of the network.
  const std::vector<Place>& places() const { return places_; }
  // Of a kind that has a computed place.
  const WorkForm& work(int kind) const { return *kinds_[static_cast<std::size_t>(kind)].work; }

 private:
  struct Kind {
    std::shared_ptr<const BlockKind> kind;
    bool work_sought = false;
    std::optional<WorkForm> work;
    NumberTable by_features;
  };

  int kind_index(const std::shared_ptr<const BlockKind>& kind);
  void place_blocks(const ChannelMap& channels, std::span<const Block> blocks);
  void find_forms(std::span<const Block> blocks);
  void find_forms(const std::vector<int>& varied, std::span<const Block> blocks);
  void check(std::span<const std::int64_t> widths) const;
  const NumberTable& table(const Place& place) const;
  void set_key(const Place& place, std::span<const std::int64_t> widths);
  int looked_up(const Place& place, std::span<const std::int64_t> widths);
  int number(int kind, const std::vector<std::int64_t>& features, const BlockWork* work);
  void cut(std::span<const std::int64_t> widths);

  Model original_;
  Setup setup_;
  std::vector<ChannelGroup> widths_;
  std::deque<Kind> kinds_;
  std::map<std::string, int> kind_of_key_;
  std::vector<Place> places_;
  std::vector<SizedBlock> blocks_;
  std::vector<int> numbers_;
  std::vector<std::int64_t> last_;  // the widths that they are of; empty: none
  std::vector<std::int64_t> key_;   // by which a block is looked up
};

}  // namespace ampere
