# Designs, devices, clusters, block templates: every JSON file under presets/ but the schemas becomes part of the
# binary. roofbeam_presets holds their minified texts, read through engine/base/embedded.h.

set(presets_source ${PROJECT_BINARY_DIR}/generated/presets.cpp)
set(embed_script ${PROJECT_SOURCE_DIR}/scripts/embed-presets.mjs)
file(GLOB preset_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/presets/*/*.json)
list(FILTER preset_files EXCLUDE REGEX "/presets/schema/")
find_program(NODE_PROGRAM NAMES node nodejs REQUIRED)

add_custom_command(
  OUTPUT ${presets_source}
  COMMAND ${NODE_PROGRAM} ${embed_script} ${presets_source} ${preset_files}
  DEPENDS ${embed_script} ${preset_files}
  COMMENT "Embedding presets/"
  VERBATIM)
add_library(roofbeam_presets STATIC ${presets_source})
target_include_directories(roofbeam_presets PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(roofbeam_presets PRIVATE roofbeam_warnings)
