# What is installed, and the Debian package (cpack -G DEB). Components: `program` is everything that an installation
# and a package share; `local` is for ./paddock install, `debian` for the package alone.

if(PADDOCK_SANITIZE)
  return()
endif()

# Completions, manual pages and the list of what is carried, written by the program itself; when it cannot run
# here, by this machine's.
set(documents "${CMAKE_BINARY_DIR}/documents")
set(documents_writer "$<TARGET_FILE:paddock>")
if(CMAKE_CROSSCOMPILING)
  set(documents_writer "${PADDOCK_HOST_TOOLS}/paddock")
endif()
set(shipped_files "$<TARGET_FILE:paddock-warden>")
if(TARGET bwrap)
  list(APPEND shipped_files "$<TARGET_FILE:bwrap>")
endif()
list(JOIN shipped_files "|" shipped_joined)
add_custom_command(
  OUTPUT "${documents}/written"
  COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${documents}" "-DPADDOCK=${documents_writer}" "-DSHIPPED=${shipped_joined}"
          "-DVERSION=${PROJECT_VERSION}" "-DBUBBLEWRAP=${PADDOCK_BUBBLEWRAP_VERSION}" "-DDATE=${PADDOCK_DATE}"
          "-DARCHITECTURE=${CMAKE_SYSTEM_PROCESSOR}" -P "${CMAKE_SOURCE_DIR}/cmake/documents.cmake"
  DEPENDS paddock ${documents_writer} ${shipped_files} "${CMAKE_SOURCE_DIR}/cmake/documents.cmake"
  COMMENT "Writing completions and manual pages"
  VERBATIM)
add_custom_target(installation DEPENDS paddock paddock-warden "${documents}/written")
if(TARGET bwrap)
  add_dependencies(installation bwrap)
endif()

install(TARGETS paddock RUNTIME DESTINATION bin COMPONENT program)
# As files, stripped when they were linked: stripped anew they would no longer be what their checksums say.
install(PROGRAMS ${shipped_files} DESTINATION lib/paddock COMPONENT program)
install(FILES "${documents}/paddock.bash" DESTINATION share/bash-completion/completions RENAME paddock COMPONENT program)
install(FILES "${documents}/paddock.fish" DESTINATION share/fish/vendor_completions.d COMPONENT program)
install(FILES "${documents}/paddock.zsh" DESTINATION share/zsh/site-functions RENAME _paddock COMPONENT local)
install(FILES "${documents}/paddock.zsh" DESTINATION share/zsh/vendor-completions RENAME _paddock COMPONENT debian)
install(DIRECTORY "${documents}/man1" DESTINATION share/man COMPONENT local FILES_MATCHING PATTERN "*.1")
install(DIRECTORY "${documents}/man1" DESTINATION share/man COMPONENT debian FILES_MATCHING PATTERN "*.1.gz")
install(FILES README.md SECURITY.md NOTICE "${documents}/SHIPPED" DESTINATION share/doc/paddock COMPONENT program)
install(FILES LICENSE DESTINATION share/doc/paddock COMPONENT local)
install(DIRECTORY docs notices DESTINATION share/doc/paddock COMPONENT program PATTERN ".*" EXCLUDE)
install(FILES "${CMAKE_SOURCE_DIR}/cmake/debian/copyright" "${documents}/changelog.gz" DESTINATION share/doc/paddock COMPONENT debian)
install(FILES "${CMAKE_SOURCE_DIR}/cmake/debian/lintian-overrides" DESTINATION share/lintian/overrides RENAME paddock COMPONENT debian)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME paddock)
set(CPACK_PACKAGE_VENDOR "Paddock")
set(CPACK_PACKAGE_CONTACT "The Paddock authors <maintainers@paddock.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "runs coding agents and other commands in a sandbox")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "\
Paddock runs coding agents, and any other command, at full autonomy inside a
boundary that can be trusted: the project is readable and writable, the home
directory is empty and private, and whatever cannot be held as asked is
refused with the reason. It needs no root and no daemon.
.
The programs are linked statically and depend on nothing; the sandbox is made
by a bubblewrap that the package carries, checked against its checksum.")
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS git)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE amd64)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()
set(CPACK_PACKAGE_FILE_NAME "paddock_${PROJECT_VERSION}_${CPACK_DEBIAN_PACKAGE_ARCHITECTURE}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};paddock;program;/" "${CMAKE_BINARY_DIR};paddock;debian;/")
include(CPack)
