# Toolchain file of the wasm preset: Emscripten's own, from the folder that `npm run setup` found or filled.

set(emscripten_record ${CMAKE_CURRENT_LIST_DIR}/../build/emscripten-root)
if(NOT EXISTS ${emscripten_record})
  message(FATAL_ERROR "No Emscripten yet: `npm run setup` finds or installs it.")
endif()
file(READ ${emscripten_record} emscripten_root)
include(${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake)
