# The programs. The warden is linked without any library (see DESIGN notes in ARCHITECTURE.md).

set(PADDOCK_FREESTANDING -O2 -ffreestanding -fno-exceptions -fno-rtti -fno-stack-protector
    -fno-asynchronous-unwind-tables -fno-threadsafe-statics -fno-tree-loop-distribute-patterns)

if(NOT PADDOCK_SANITIZE)
  file(GLOB warden_sources CONFIGURE_DEPENDS src/sys/*.cc src/warden/*.cc)
  list(FILTER warden_sources EXCLUDE REGEX "_test\\.cc$")
  add_executable(paddock-warden ${warden_sources} src/protocol/brief.cc src/protocol/frame.cc)
  target_compile_options(paddock-warden PRIVATE ${PADDOCK_FREESTANDING})
  target_link_options(paddock-warden PRIVATE -nostdlib -static -no-pie -Wl,--gc-sections -Wl,-z,noexecstack -s)

  if(EXISTS ${CMAKE_SOURCE_DIR}/src/cli/paddock_main.cc)
    add_executable(paddock src/cli/paddock_main.cc src/base/entry_main.cc src/base/heap_main.cc)
    set_source_files_properties(src/base/entry_main.cc PROPERTIES COMPILE_OPTIONS "${PADDOCK_FREESTANDING}")
    # -static-pie, never -static: there the first throw costs 0.4 ms and more.
    target_link_libraries(paddock PRIVATE paddock_cli)
    target_link_options(paddock PRIVATE -static-pie -Wl,--gc-sections -Wl,-e,paddock_entry -Wl,-z,pack-relative-relocs)
    add_dependencies(paddock paddock-warden)
  endif()
endif()

# What bench/ runs.
if(NOT PADDOCK_SANITIZE)
  add_executable(alternate bench/alternate.cc)
  add_executable(empty bench/empty.cc)
  target_link_options(empty PRIVATE -static-pie)
  add_executable(instant_backend bench/instant_backend.cc)
  target_compile_options(instant_backend PRIVATE ${PADDOCK_FREESTANDING})
  target_link_options(instant_backend PRIVATE -nostdlib -static -no-pie -Wl,--gc-sections)
  add_executable(floor bench/floor.cc)
  target_link_libraries(floor PRIVATE paddock_sandbox)
  target_link_options(floor PRIVATE -static-pie -Wl,--gc-sections)
  set_target_properties(alternate empty floor instant_backend PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin/bench")
endif()
