# Third-party code, each from one place on the machine; scripts/install.mjs puts it there.
#   dep::simdjson    JSON reader, amalgamated source of the npm package
#   dep::cli11       command line parser, headers of Debian's package
#   dep::gtest_main  test framework, source of Debian's package (only where tests are built)
#   dep::benchmark   Google Benchmark, Debian's library (only where benchmarks are built)

function(roofbeam_require_file file package)
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "${file} is missing: it comes with ${package}. `npm run setup` installs what is needed.")
  endif()
endfunction()

# The compiler's optimization of third-party code is the same in each preset, so the compiler cache
# builds it once for all of them.
set(third_party_options -w -O2 -g0)

set(simdjson_source ${PROJECT_SOURCE_DIR}/node_modules/@nozbe/simdjson/src)
roofbeam_require_file(${simdjson_source}/simdjson.cpp "the npm package @nozbe/simdjson")
add_library(simdjson STATIC EXCLUDE_FROM_ALL ${simdjson_source}/simdjson.cpp)
target_include_directories(simdjson SYSTEM PUBLIC ${simdjson_source})
target_compile_options(simdjson PRIVATE ${third_party_options})
add_library(dep::simdjson ALIAS simdjson)

# Only this one folder is shown to the compiler: /usr/include as a whole would shadow Emscripten's C library.
roofbeam_require_file(/usr/include/CLI/CLI.hpp "Debian's package libcli11-dev")
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/third_party/include)
file(CREATE_LINK /usr/include/CLI ${PROJECT_BINARY_DIR}/third_party/include/CLI SYMBOLIC)
add_library(cli11 INTERFACE)
target_include_directories(cli11 SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/third_party/include)
add_library(dep::cli11 ALIAS cli11)

if(ROOFBEAM_TESTS)
  set(gtest_source /usr/src/googletest/googletest)
  roofbeam_require_file(${gtest_source}/src/gtest-all.cc "Debian's package googletest")
  add_library(gtest_main STATIC EXCLUDE_FROM_ALL
    ${gtest_source}/src/gtest-all.cc ${gtest_source}/src/gtest_main.cc)
  target_include_directories(gtest_main SYSTEM PUBLIC ${gtest_source}/include)
  target_include_directories(gtest_main PRIVATE ${gtest_source})
  target_compile_options(gtest_main PRIVATE ${third_party_options})
  if(EMSCRIPTEN)
    target_compile_definitions(gtest_main PUBLIC GTEST_HAS_PTHREAD=0)
  else()
    find_package(Threads REQUIRED)
    target_link_libraries(gtest_main PUBLIC Threads::Threads)
  endif()
  add_library(dep::gtest_main ALIAS gtest_main)
endif()

if(ROOFBEAM_BENCH)
  find_package(benchmark REQUIRED)
  add_library(dep::benchmark ALIAS benchmark::benchmark)
endif()
