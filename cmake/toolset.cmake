# Compiler cache, linker and the flags that every target shares, third-party code included.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Paths are hashed relative to the source tree, so that another clone reuses the same objects.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1)
  if(EMSCRIPTEN)
    # em++ is a driver written in Python; it runs the clang below it through the wrapper named here.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher} EM_COMPILER_WRAPPER=${CCACHE_PROGRAM})
  else()
    set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher} ${CCACHE_PROGRAM})
  endif()
endif()

if(NOT EMSCRIPTEN)
  find_program(LLD_PROGRAM NAMES ld.lld)
  if(LLD_PROGRAM)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

# A fused multiply-add rounds once where the sources say twice; natively and in WebAssembly the same
# bytes must come out, and WebAssembly has no such instruction.
add_compile_options(-ffp-contract=off)

if(EMSCRIPTEN)
  # Libraries may throw and the boundary catches. WebAssembly's own exceptions cost nothing until thrown.
  add_compile_options(-fwasm-exceptions)
  add_link_options(-fwasm-exceptions)
endif()

# Warnings are for our own code: linked by roofbeam_layer and roofbeam_test, never by third-party targets.
add_library(roofbeam_warnings INTERFACE)
target_compile_options(roofbeam_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow -Werror)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Clang counts signed/unsigned conversions under -Wconversion, GCC does not: ask both for the same.
  target_compile_options(roofbeam_warnings INTERFACE -Wno-sign-conversion)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # When it optimizes, GCC 12 takes the members of a variant that are not in use for reads of uninitialized
  # memory. Clang's analysis, in the wasm preset, and the sanitizers do not.
  target_compile_options(roofbeam_warnings INTERFACE $<$<CONFIG:Release>:-Wno-maybe-uninitialized>)
endif()

# Test programs in WebAssembly run under Node.js and may read the repository's files.
if(EMSCRIPTEN)
  set(wasm_test_link_options
    -sENVIRONMENT=node
    -sNODERAWFS             # the test data is read from disk
    -sEXIT_RUNTIME          # the exit code is the test's
    -sALLOW_MEMORY_GROWTH
    -sSTACK_SIZE=4MB        # tests of limits nest deeply
    -O1)                    # no minute in wasm-opt for a program that runs once
endif()
