# Run by cmake -P when a package is made: completions, manual pages, the changelog, and SHIPPED. OUTPUT is the
# directory, PADDOCK the program that is asked, SHIPPED the other programs ("|" between), VERSION, BUBBLEWRAP
# (its version, may be empty), DATE (of the version), ARCHITECTURE.
function(ask file)
  execute_process(COMMAND "${PADDOCK}" ${ARGN} OUTPUT_FILE "${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(compress file)
  execute_process(COMMAND gzip -9nkf "${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${OUTPUT}")
file(MAKE_DIRECTORY "${OUTPUT}/man1")
foreach(shell bash zsh fish)
  ask("${OUTPUT}/paddock.${shell}" completion ${shell})
endforeach()

ask("${OUTPUT}/man1/paddock.1" help --man)
file(READ "${OUTPUT}/man1/paddock.1" overview)
string(REGEX MATCHALL "[.]BR paddock[\\]-[a-z\\-]+" pages "${overview}")
if(NOT pages)
  message(FATAL_ERROR "paddock help --man names no page of a command")
endif()
foreach(page IN LISTS pages)
  string(REGEX REPLACE ".*paddock[\\]-" "" command "${page}")
  string(REPLACE "\\-" "-" command "${command}")
  ask("${OUTPUT}/man1/paddock-${command}.1" help --man ${command})
endforeach()
file(GLOB pages "${OUTPUT}/man1/*.1")
foreach(page IN LISTS pages)
  compress("${page}")
endforeach()

# deb-changelog(5) wants a day of the week and a time.
execute_process(COMMAND env LC_ALL=C date -u -R -d "${DATE}" OUTPUT_VARIABLE stamp OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(WRITE "${OUTPUT}/changelog" "paddock (${VERSION}) bookworm; urgency=medium

  * Version ${VERSION}.

 -- The Paddock authors <maintainers@paddock.example>  ${stamp}
")
compress("${OUTPUT}/changelog")

set(list "paddock ${VERSION} ${ARCHITECTURE}\n")
string(REPLACE "|" ";" files "${SHIPPED}")
foreach(file IN LISTS files)
  file(SHA256 "${file}" sha256)
  get_filename_component(name "${file}" NAME)
  string(APPEND list "sha256 ${sha256}  lib/paddock/${name}\n")
endforeach()
if(BUBBLEWRAP)
  string(APPEND list "source bubblewrap ${BUBBLEWRAP}\n")
endif()
# What was linked, as Debian source packages; elsewhere than on Debian nothing is known of that.
foreach(package libc6-dev libstdc++-12-dev libcap-dev libmd-dev libfmt-dev libtomlplusplus-dev nlohmann-json3-dev)
  execute_process(COMMAND dpkg-query -W -f "source \${source:Package} \${source:Version}\n" ${package} OUTPUT_VARIABLE line ERROR_QUIET RESULT_VARIABLE unknown)
  string(FIND "${list}" "${line}" listed)
  if(unknown STREQUAL "0" AND listed EQUAL -1)
    string(APPEND list "${line}")
  endif()
endforeach()
file(WRITE "${OUTPUT}/SHIPPED" "${list}")
file(WRITE "${OUTPUT}/written" "")
