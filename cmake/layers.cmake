# One library a line of src/LAYERS, made of every .cc in that folder and linked to the folders
# that it may include. *_test.cc become one test program a folder, in the sanitizer tree.

find_path(PADDOCK_FMT_INCLUDE fmt/format-inl.h REQUIRED)
find_package(Threads REQUIRED)

# fmt and toml++ are compiled once, here, and only declared elsewhere: a file that includes
# fmt/core.h costs 0.3 s instead of 3.4 s.
add_library(paddock_libraries STATIC cmake/fmt_implementation.cc cmake/toml_implementation.cc)
target_compile_definitions(paddock_libraries PUBLIC TOML_HEADER_ONLY=0 TOML_EXCEPTIONS=0 TOML_ENABLE_WINDOWS_COMPAT=0)
target_compile_options(paddock_libraries PRIVATE -w)
# SHA-256: the static library, 5 KiB of plain C.
find_path(PADDOCK_MD_INCLUDE sha2.h REQUIRED)
find_library(PADDOCK_MD_LIBRARY libmd.a REQUIRED)
target_link_libraries(paddock_libraries PUBLIC ${PADDOCK_MD_LIBRARY})

function(paddock_layer name dependencies)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${name}/*.cc")
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$|_main\\.cc$|/generate_[a-z_]*\\.cc$")
  if(sources)
    add_library(paddock_${name} STATIC ${sources})
    set(kind PUBLIC)
  else()
    add_library(paddock_${name} INTERFACE)
    set(kind INTERFACE)
  endif()
  target_link_libraries(paddock_${name} ${kind} paddock_libraries)
  foreach(dependency IN LISTS dependencies)
    target_link_libraries(paddock_${name} ${kind} paddock_${dependency})
  endforeach()
  if(tests AND PADDOCK_SANITIZE)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE paddock_${name} gtest gtest_main gmock Threads::Threads)
    target_compile_definitions(${name}_test PRIVATE PADDOCK_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    gtest_discover_tests(${name}_test TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 120)
  endif()
endfunction()

if(PADDOCK_SANITIZE)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()

file(STRINGS src/LAYERS lines REGEX "^[a-z]")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([a-z]+)[ ]*:[ ]*(.*)$" matched "${line}")
  set(name "${CMAKE_MATCH_1}")
  string(REGEX REPLACE " +" ";" dependencies "${CMAKE_MATCH_2}")
  paddock_layer("${name}" "${dependencies}")
endforeach()

# The step between clone and exec runs on a stack of its own in the parent's memory, which the
# sanitizers' run-time takes for a fault.
set_source_files_properties(src/base/spawn_child.cc src/base/spawn_stage.cc src/base/namespace_trial.cc PROPERTIES COMPILE_OPTIONS "-fno-sanitize=all")
