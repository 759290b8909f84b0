#include "engine/design/configuration.h"

namespace roofbeam {

const Configuration* active_configuration(const Document& document) {
  if (!document.active) return nullptr;
  for (const Configuration& configuration : document.configurations)
    if (configuration.name == *document.active) return &configuration;
  return nullptr;
}

}  // namespace roofbeam
