#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/explain/contribution.h"
#include "engine/explain/mask_view.h"
#include "engine/json/writer.h"

namespace roofbeam {

// What there is to say about blocks of one design at one operating point.
struct ExplainReport {
  const Elaboration& design;
  const Contributions& contributions;
};

// {path, type, kind, label, docs, copies, params, ports, shapes, contribution, breakdown, mask}
void write_explanation(json::Writer& out, const ExplainReport& report, InstanceId id,
                       const std::optional<MaskView>& mask);

// {name, blocks}: each as above, in the order given.
void write_explanations(json::Writer& out, std::string_view name, const ExplainReport& report,
                        const std::vector<InstanceId>& ids);

[[nodiscard]] std::string explanation_text(const ExplainReport& report, InstanceId id,
                                           const std::optional<MaskView>& mask);
// One line a block.
[[nodiscard]] std::string explanations_text(std::string_view name, const ExplainReport& report,
                                            const std::vector<InstanceId>& ids);

}  // namespace roofbeam
