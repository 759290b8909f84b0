#include "engine/base/text.h"
#include "engine/graph/elaboration.h"
#include "engine/mup/ladder.h"

namespace roofbeam {
namespace {

// "layers/block/attn/q_proj" as a pattern of the names PyTorch gives:
// "layers.*.block.attn.q_proj.weight".
std::string weight_pattern(const std::string& path, const Elaboration& design) {
  std::string pattern;
  std::string prefix;
  for (const std::string_view part : split(path, '/')) {
    prefix += (prefix.empty() ? "" : "/") + std::string(part);
    pattern += std::string(part) + ".";
    const Instance* instance = design.find(prefix);
    if (instance != nullptr && instance->spec->kind == BlockKind::container) pattern += "*.";
  }
  return pattern + "weight";
}

}  // namespace

std::string parameter_groups(const Ladder& ladder, const Rung& rung) {
  const Elaboration design = elaborate(rung.document);
  std::string text =
      "# Width " + shortest(rung.width) + ": lr and std are those tuned at width " +
      shortest(ladder.base_width) + ".\nfrom fnmatch import fnmatch\n\n" +
      "SCALING = {  # names of weights: (factor of the initial std, factor of Adam's lr)\n";
  for (const ClassScaling& row : rung.scaling) {
    if (row.width_class == WidthClass::input) continue;
    text += "    # " + std::string(name(row.width_class)) + "\n";
    for (const std::string& path : row.paths)
      text += "    \"" + weight_pattern(path, design) + "\": (" + shortest(row.init_std) + ", " +
              shortest(row.adam_lr) + "),\n";
  }
  return text + R"(}


def scaling_of(name):
    return next((pair for pattern, pair in SCALING.items() if fnmatch(name, pattern)), (1, 1))


def parameter_groups(model, lr):
    groups = {}
    for name, parameter in model.named_parameters():
        groups.setdefault(scaling_of(name)[1], []).append(parameter)
    return [{"params": members, "lr": lr * factor} for factor, members in groups.items()]
)";
}

}  // namespace roofbeam
