# Sourced by ./paddock after setup.sh: installs the release build, takes it away again, and makes packages.

install_usage() {
  say "usage: ./paddock install [--prefix DIRECTORY] · uninstall [--prefix DIRECTORY] · package [arm64]"
  exit 2
}

# Sets prefix from the words after the command: /usr/local as root, else ~/.local.
read_prefix() {
  prefix=/usr/local
  [ "$(id -u)" = 0 ] || prefix=$HOME/.local
  while [ $# -gt 0 ]; do
    case "$1" in
      --prefix)
        [ $# -ge 2 ] || install_usage
        prefix=$2
        shift
        ;;
      --prefix=*) prefix=${1#--prefix=} ;;
      *) install_usage ;;
    esac
    shift
  done
  case "$prefix" in
    /*) ;;
    '') install_usage ;;
    *) prefix=$(pwd)/$prefix ;;
  esac
}

# shellcheck disable=SC2086,SC2154 # lists of packages, from setup.sh
# Everything for an installation or a package, with a bwrap of our own where its source can be had.
build_installation() {
  bubblewrap_source=
  if [ -z "$(missing_packages $source_packages)" ] || [ "$(id -u)" = 0 ] || command -v sudo >/dev/null 2>&1; then
    ! command -v apt-get >/dev/null 2>&1 || { install_packages $source_packages && fetch_bubblewrap; }
  fi
  if [ -n "$bubblewrap_source" ]; then
    run_packages=
    set -- "-DPADDOCK_BUBBLEWRAP_SOURCE=$bubblewrap_source" "-DPADDOCK_BUBBLEWRAP_VERSION=$bubblewrap_version"
  else
    set --
  fi
  build_release "installation" "$@"
}

# Where the list of installed files lies: what an upgrade or uninstall may remove.
list_of() { printf '%s/lib/paddock/installed-files' "$1"; }

# One file after another is put beside its place and renamed over it, the program last: whoever runs or starts
# paddock meanwhile has an old file or a new one, never half of one.
install_tree() {
  stage=$root/build/stage
  rm -rf "$stage"
  for component in program local; do
    cmake --install "$root/build/release" --prefix "$stage" --component "$component" --strip >/dev/null || exit 125
  done
  (cd "$stage" && find . -type f | sed 's#^\./##' | LC_ALL=C sort) >"$root/build/installed-files" || exit 125
  while IFS= read -r file; do
    [ "$file" = bin/paddock ] || install_file "$stage/$file" "$prefix/$file"
  done <"$root/build/installed-files"
  install_file "$stage/bin/paddock" "$prefix/bin/paddock"
  # What an older version had and this one has not.
  list=$(list_of "$prefix")
  if [ -f "$list" ]; then
    LC_ALL=C comm -23 "$list" "$root/build/installed-files" | while IFS= read -r file; do remove_file "$file"; done
  fi
  install_file "$root/build/installed-files" "$list"
  rm -rf "$stage"
}

install_file() {
  mode=644
  [ ! -x "$1" ] || mode=755
  mkdir -p "$(dirname -- "$2")" || exit 125
  { rm -f "$2.paddock-new" && install -m "$mode" "$1" "$2.paddock-new" && mv -f -- "$2.paddock-new" "$2"; } || {
    say "could not write $2"
    exit 125
  }
}

# Only plain relative names: the list is a file like any other.
remove_file() {
  case "/$1/" in
    */../* | */./* | *//*) return ;;
  esac
  rm -f -- "$prefix/$1"
  directory=$(dirname -- "$1")
  while [ "$directory" != . ]; do
    case "$directory" in
      lib/paddock* | share/doc/paddock*) rmdir -- "$prefix/$directory" 2>/dev/null || return 0 ;;
      *) return 0 ;;
    esac
    directory=$(dirname -- "$directory")
  done
}

uninstall_tree() {
  list=$(list_of "$prefix")
  if [ ! -f "$list" ]; then
    say "nothing of Paddock is installed below $prefix (no $list)"
    exit 1
  fi
  while IFS= read -r file; do remove_file "$file"; done <"$list"
  rm -f -- "$list"
  rmdir -- "$prefix/lib/paddock" "$prefix/share/doc/paddock" 2>/dev/null
  say "removed from $prefix; settings and state in your home stay (~/.config/paddock, ~/.local/state/paddock)"
}

# What a person needs to know afterwards.
report_installation() {
  say "installed in $prefix/bin"
  [ -f "$prefix/lib/paddock/bwrap" ] || say "without a bwrap of its own (its source could not be had): bubblewrap must be installed"
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) say "$prefix/bin is not on your PATH: put export PATH=\"$prefix/bin:\$PATH\" into your shell's start file" ;;
  esac
  [ "$prefix" = /usr/local ] || say "zsh: put fpath=($prefix/share/zsh/site-functions \$fpath) before compinit for completions"
  say "to take it away again: ./paddock uninstall$([ "$prefix" = /usr/local ] || [ "$prefix" = "$HOME/.local" ] || printf ' --prefix %s' "$prefix")"
}

# build/paddock_VERSION_ARCHITECTURE.deb for this machine; with "arm64" the one for that, cross-built.
make_package() {
  build_installation
  [ -n "$bubblewrap_source" ] || { say "the source of bubblewrap could not be fetched, and a package carries its own (see $(sources_cache)/source/log)"; exit 125; }
  case "$1" in
    native) pack release ;;
    arm64) build_arm64 && pack arm64 ;;
  esac
}

# The programs for arm64, in a tree of their own; what must run while building is the release tree's. Needs
# bubblewrap_source.
build_arm64() {
  # shellcheck disable=SC2086,SC2154
  install_packages $arm64_packages
  fetch_arm64 || { say "the libraries of arm64 could not be fetched (see $(sources_cache)/arm64/log)"; return 1; }
  build arm64 installation -DCMAKE_BUILD_TYPE=None "-DCMAKE_TOOLCHAIN_FILE=$root/cmake/aarch64.cmake" "-DPADDOCK_HOST_TOOLS=$root/build/release/bin" \
    "-DPADDOCK_MD_LIBRARY=$arm64_libraries/libmd.a" "-DPADDOCK_CAP_LIBRARY=$arm64_libraries/libcap.a" \
    "-DPADDOCK_BUBBLEWRAP_SOURCE=$bubblewrap_source" "-DPADDOCK_BUBBLEWRAP_VERSION=$bubblewrap_version"
}

pack() {
  (cd "$root/build/$1" && cpack -G DEB -B "$root/build" >"$root/build/package.log" 2>&1) || { cat "$root/build/package.log" >&2; exit 125; }
  rm -rf "$root/build/_CPack_Packages"
}
