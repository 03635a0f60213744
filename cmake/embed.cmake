# The files of share/ as data in the programs: one generated source a folder, made again when a file
# changes, comes or goes. The generator is the reader itself: what it refuses stops the build.

if(CMAKE_CROSSCOMPILING)
  # It runs here, as this machine's release tree has built it (PADDOCK_HOST_TOOLS).
  set(generate_embedded "${PADDOCK_HOST_TOOLS}/generate_embedded")
else()
  set(generate_embedded generate_embedded)
  add_executable(generate_embedded
    src/policy/generate_embedded.cc src/policy/toml_document.cc src/policy/toml_scan.cc src/policy/toml_tree.cc)
  target_link_libraries(generate_embedded PRIVATE paddock_base paddock_libraries)
endif()

# share/FOLDER/*.toml behind std::span<const EmbeddedFile> embedded_FOLDER(), in the library `target`.
function(paddock_embed target folder)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    return()
  endif()
  file(GLOB files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/share/${folder}/*.toml")
  list(JOIN files "\n" joined)
  set(output "${CMAKE_BINARY_DIR}/generated/${folder}.cc")
  # The list itself is a dependency: a file that goes away changes nothing else.
  file(CONFIGURE OUTPUT "${output}.list" CONTENT "${joined}\n" @ONLY)
  add_custom_command(
    OUTPUT "${output}"
    COMMAND ${generate_embedded} "${output}" "embedded_${folder}" ${files}
    DEPENDS ${generate_embedded} ${files} "${output}.list"
    COMMENT "Embedding share/${folder}"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()

paddock_embed(paddock_policy profiles)
paddock_embed(paddock_harness harnesses)
