#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/blocks/block.h"
#include "engine/design/document.h"
#include "engine/design/finding.h"

namespace roofbeam {

// The 55 block types every design may use, in catalog order: primitives (one file each in this
// folder), composites (templates in presets/blocks, by name), containers.
[[nodiscard]] std::span<const BlockSpec> built_in_blocks();

// The block types one document may use: the built-in ones and its own. Arguments and expansions
// point into its blocks, which stay where they are when the catalog is moved; so it isn't copied.
class Catalog {
 public:
  explicit Catalog(const Document& document);
  Catalog(Catalog&&) = default;
  Catalog& operator=(Catalog&&) = default;

  // nullptr where no block has that type.
  [[nodiscard]] const BlockSpec* find(std::string_view type) const;

  // Every type: built-in ones in catalog order, then the document's by name.
  [[nodiscard]] std::vector<std::string_view> types() const;

  // Rule "user-blocks": definitions that could not be used, and are left out. The path is the type.
  [[nodiscard]] const Findings& problems() const { return problems_; }

 private:
  std::vector<BlockSpec> own_;  // by type
  Findings problems_;
};

}  // namespace roofbeam
