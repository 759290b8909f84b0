# The engine's layers, in the order of engine/layers.txt:
#   roofbeam_layer(json SOURCES reader.cpp DEPENDS base dep::simdjson)   in engine/json/CMakeLists.txt
#   roofbeam_test(json SOURCES reader_test.cpp)                          in tests/unit/json/CMakeLists.txt

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/engine/layers.txt)
file(STRINGS ${PROJECT_SOURCE_DIR}/engine/layers.txt layer_lines REGEX "^[a-z]")
set(ROOFBEAM_LAYERS)
foreach(line IN LISTS layer_lines)
  if(NOT line MATCHES "->")
    string(REPLACE " " ";" siblings "${line}")
    list(APPEND ROOFBEAM_LAYERS ${siblings})
  endif()
endforeach()

# Names of layers become their targets; anything else (dep::simdjson) is a target already.
function(roofbeam_targets_of result)
  set(targets)
  foreach(name IN LISTS ARGN)
    if(name IN_LIST ROOFBEAM_LAYERS OR name STREQUAL "presets")
      list(APPEND targets roofbeam_${name})
    else()
      list(APPEND targets ${name})
    endif()
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

# The engine does not throw; these layers catch what libraries throw (std::bad_alloc, CLI11's errors). In
# WebAssembly the others are compiled without the code that cleans up under a passing exception, a third of
# the module: what was allocated when memory ran out is not given back, and the page starts a new instance.
set(layers_that_catch api cli)

# Where an answer's time goes once its model is known: in WebAssembly these are compiled for speed, the others
# for size.
set(layers_for_speed base json)

# One static library a layer, included from the repository's root: "engine/json/reader.h".
function(roofbeam_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS")
  if(NOT name IN_LIST ROOFBEAM_LAYERS)
    message(FATAL_ERROR "engine/layers.txt does not know the layer ${name}")
  endif()
  roofbeam_targets_of(targets ${arg_DEPENDS})
  if(arg_SOURCES)
    add_library(roofbeam_${name} STATIC ${arg_SOURCES})
    target_include_directories(roofbeam_${name} PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(roofbeam_${name} PUBLIC ${targets} PRIVATE roofbeam_warnings)
    if(EMSCRIPTEN AND NOT name IN_LIST layers_that_catch)
      target_compile_options(roofbeam_${name} PRIVATE -fno-exceptions)
    endif()
    if(EMSCRIPTEN AND name IN_LIST layers_for_speed)
      target_compile_options(roofbeam_${name} PRIVATE -O2)
    endif()
  else()  # headers only
    add_library(roofbeam_${name} INTERFACE)
    target_include_directories(roofbeam_${name} INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(roofbeam_${name} INTERFACE ${targets})
  endif()
endfunction()

# One test program, run by CTest as a whole: build/<preset>/tests/<name>_test --gtest_filter=... runs a part.
# It links the layer it is named for, or what DEPENDS lists. Sources find test data below ROOFBEAM_SOURCE_DIR.
function(roofbeam_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS")
  if(NOT arg_DEPENDS)
    set(arg_DEPENDS ${name})
  endif()
  roofbeam_targets_of(targets ${arg_DEPENDS})
  add_executable(${name}_test ${arg_SOURCES})
  target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name}_test PRIVATE ROOFBEAM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name}_test PRIVATE ${targets} dep::gtest_main roofbeam_warnings)
  set_target_properties(${name}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  if(EMSCRIPTEN)
    target_link_options(${name}_test PRIVATE ${wasm_test_link_options})
    set_target_properties(${name}_test PROPERTIES SUFFIX .cjs)  # package.json makes .js an ES module
  endif()
  add_test(NAME ${name} COMMAND ${name}_test --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 300)
endfunction()
