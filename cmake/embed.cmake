# The files of share/ as data in the programs: one generated source a folder, made again when a file
# changes, comes or goes. This file is also the script that writes them (cmake -P, at build time).

if(CMAKE_SCRIPT_MODE_FILE)
  # OUTPUT, FUNCTION and FILES (separated by "|") are given with -D.
  string(REPLACE "|" ";" files "${FILES}")
  list(LENGTH files count)
  set(rows "")
  foreach(path IN LISTS files)
    get_filename_component(name "${path}" NAME_WE)
    file(READ "${path}" hex HEX)
    string(LENGTH "${hex}" digits)
    math(EXPR size "${digits} / 2")
    # Every byte as \xNN in lines of 32: no quote, backslash, trigraph or separator of CMake survives.
    string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${hex}")
    string(REPEAT "\\\\x.." 32 one_line)
    string(REGEX REPLACE "(${one_line})" "\\1\"\n     \"" bytes "${bytes}")
    string(APPEND rows "    {\"${name}\",\n     std::string_view(\"${bytes}\", ${size})},\n")
  endforeach()
  file(WRITE "${OUTPUT}" "// Generated from share/ by cmake/embed.cmake.
#include \"policy/embedded.h\"

#include <array>

namespace paddock {

std::span<const EmbeddedFile> ${FUNCTION}() {
  static constexpr std::array<EmbeddedFile, ${count}> files = {{
${rows}  }};
  return files;
}

}  // namespace paddock
")
  return()
endif()

# share/FOLDER/*.toml behind std::span<const EmbeddedFile> embedded_FOLDER(), in the library `target`.
function(paddock_embed target folder)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    return()
  endif()
  file(GLOB files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/share/${folder}/*.toml")
  list(JOIN files "|" joined)
  set(output "${CMAKE_BINARY_DIR}/generated/${folder}.cc")
  # The list itself is a dependency: a file that goes away changes nothing else.
  file(CONFIGURE OUTPUT "${output}.list" CONTENT "${joined}\n" @ONLY)
  add_custom_command(
    OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DFUNCTION=embedded_${folder}" "-DFILES=${joined}"
            -P "${CMAKE_SOURCE_DIR}/cmake/embed.cmake"
    DEPENDS ${files} "${output}.list" "${CMAKE_SOURCE_DIR}/cmake/embed.cmake"
    COMMENT "Embedding share/${folder}"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()

paddock_embed(paddock_policy profiles)
paddock_embed(paddock_harness harnesses)
