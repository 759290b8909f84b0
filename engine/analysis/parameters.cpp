#include "engine/analysis/parameters.h"

namespace roofbeam {

void add_to(Amounts& amounts, std::string_view name, double amount) {
  for (auto& [known, sum] : amounts)
    if (known == name) {
      sum += amount;
      return;
    }
  amounts.emplace_back(std::string(name), amount);
}

double weights_of(const Instance& instance) {
  const auto weights = instance.spec->forms.weights;
  return weights == nullptr ? 0 : weights(instance.arguments);
}

ParameterCount count_parameters(const Elaboration& design) {
  ParameterCount count;
  for (InstanceId id = 0; id < design.instances.size(); ++id) {
    const Instance& instance = design.instances[id];
    const double one = weights_of(instance);
    if (one == 0) continue;
    const double all = one * instance.copies;
    count.total += all;
    count.active += one * instance.active_copies;
    const std::string& type = instance.spec->type;
    if (type == "embedding" || type == "pos_embedding") count.embedding += all;
    if (type == "lm_head") count.head += all;
    if (instance.expert) count.expert += all;
    add_to(count.by_category, name(instance.spec->category), all);
    add_to(count.by_type, type, all);
    count.by_path.push_back({id, all});
  }
  return count;
}

}  // namespace roofbeam
