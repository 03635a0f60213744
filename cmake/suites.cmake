# The suites that run the finished programs: conformance (what a sandbox must look like from inside) and
# escape (attacks that must fail). Their small static programs are built in the release tree; the
# drivers are Python and run from the sanitizer tree's ctest against ${PADDOCK_PROGRAM_DIR}/paddock.
# Exit status 77 of a driver: skipped, with the reason printed.

if(NOT PADDOCK_SANITIZE)
  file(GLOB attack_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tests/escape/*.cc")
  add_executable(attack ${attack_sources})
  add_executable(probe tests/conformance/probe.cc)
  add_executable(lame_backend tests/doctor/lame_backend.cc)
  foreach(program attack probe lame_backend)
    target_link_options(${program} PRIVATE -static -Wl,--gc-sections)
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/tests")
  endforeach()
  # What the suites need beside the product; a person who only wants that does not wait for it.
  add_custom_target(suites DEPENDS attack probe lame_backend)
  if(TARGET paddock)
    add_dependencies(suites paddock)
  endif()
  return()
endif()

# The system's own Python: the suites start it as other users, who cannot reach one in somebody's home.
find_program(PADDOCK_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(NOT PADDOCK_PYTHON)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(PADDOCK_PYTHON "${Python3_EXECUTABLE}")
endif()

# One entry of ctest for one driver.
function(paddock_suite name driver)
  cmake_parse_arguments(suite "" "TIMEOUT" "ARGUMENTS" ${ARGN})
  add_test(NAME ${name}
    COMMAND ${PADDOCK_PYTHON} "${CMAKE_SOURCE_DIR}/tests/${driver}" --paddock "${PADDOCK_PROGRAM_DIR}/paddock" ${suite_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${suite_TIMEOUT} SKIP_RETURN_CODE 77 LABELS suite
    ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1")
endfunction()

paddock_suite(conformance.guarantees conformance/guarantees_test.py TIMEOUT 180)
paddock_suite(conformance.run conformance/run_test.py TIMEOUT 180)
paddock_suite(conformance.tightening conformance/tightening_test.py TIMEOUT 240)
paddock_suite(conformance.kernel_uid conformance/kernel_uid_test.py TIMEOUT 240)
paddock_suite(conformance.host_world conformance/host_world_test.py TIMEOUT 240)
paddock_suite(conformance.backend_settings conformance/backend_settings_test.py TIMEOUT 180)
foreach(part requests wrap plans ceiling examples)
  paddock_suite(wrap.${part} wrap/${part}_test.py TIMEOUT 300)
endforeach()
foreach(family files git terminal processes configuration trust)
  paddock_suite(cases.${family} conformance/cases_${family}.py TIMEOUT 400)
endforeach()
foreach(attack pid1 procsys sysnum suidcap gitplant names maskback fdreopen sockets tty limits cgroups kills neighbour)
  paddock_suite(escape.${attack} escape/${attack}_test.py TIMEOUT 240)
endforeach()
set_tests_properties(cases.terminal escape.tty escape.kills escape.neighbour PROPERTIES RUN_SERIAL TRUE)
# (Where many sandboxes are killed or time is measured, alone.)
foreach(part refusals preflight)
  paddock_suite(doctor.${part} doctor/${part}_test.py TIMEOUT 400)
endforeach()
# Mostly waits for programs that hang.
paddock_suite(doctor.doctor doctor/doctor_test.py ARGUMENTS --identity root --identity ordinary TIMEOUT 400)
# The same attacks where nothing stands in their way: each must be able to succeed.
paddock_suite(escape.proof escape/proof_test.py TIMEOUT 180)
include(tests/explain/CMakeLists.txt)
include(tests/package/CMakeLists.txt)
add_subdirectory(${CMAKE_SOURCE_DIR}/tests/e2e ${CMAKE_BINARY_DIR}/e2e)
add_test(NAME layers COMMAND ${PADDOCK_PYTHON} "${CMAKE_SOURCE_DIR}/tests/layers_test.py")
add_test(NAME relaxations COMMAND ${PADDOCK_PYTHON} "${CMAKE_SOURCE_DIR}/tests/relaxations_test.py")
# A smoke run only: bounds are for a quiet machine.
add_test(NAME bench.start COMMAND ${PADDOCK_PYTHON} "${CMAKE_SOURCE_DIR}/bench/start" --rounds 3 --programs "${PADDOCK_PROGRAM_DIR}")
set_tests_properties(bench.start PROPERTIES TIMEOUT 120 RUN_SERIAL TRUE)
