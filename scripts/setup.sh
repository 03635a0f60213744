# Sourced by ./paddock and ./test: installs what is missing and builds. Prints on stderr only.

# Debian package names: to run, to build, to build a bwrap from its source, to build for arm64, and to test.
run_packages="bubblewrap"
build_packages="g++ cmake ninja-build ccache libfmt-dev libtomlplusplus-dev nlohmann-json3-dev libseccomp-dev libmd-dev"
source_packages="dpkg-dev xz-utils libcap-dev"
arm64_packages="g++-aarch64-linux-gnu"
test_packages="libgtest-dev libgmock-dev googletest libbenchmark-dev python3 python3-jsonschema git sudo util-linux procps tmux nodejs npm clang openssh-client openssl zsh fish mandoc man-db debootstrap"

say() { printf 'paddock: %s\n' "$*" >&2; }

missing_packages() {
  for package in "$@"; do
    case "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" in
      installed) ;;
      *) provided "$package" || printf '%s\n' "$package" ;;
    esac
  done
}

# A program that came from elsewhere is as good as its package.
provided() {
  case "$1" in
    nodejs) command -v node >/dev/null 2>&1 ;;
    npm | cmake | git | tmux | python3 | sudo | ccache | openssl) command -v "$1" >/dev/null 2>&1 ;;
    *) return 1 ;;
  esac
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo "$@"
  else
    say "packages are missing, and there is neither root nor sudo to install them: $missing"
    exit 125
  fi
}

install_packages() {
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -n "${missing# }" ] || return 0
  if ! command -v apt-get >/dev/null 2>&1; then
    say "please install the equivalents of these Debian packages: $missing"
    exit 125
  fi
  say "installing: $missing"
  # The first try uses the package lists that are there; only if that fails are they fetched anew.
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >&2 2>/dev/null ||
    { as_root apt-get update -q >&2 && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >&2; } ||
    { say "the packages could not be installed: $missing"; exit 125; }
}

# build TREE "TARGETS" OPTIONS…: configures where these options are not yet, and builds (no targets: everything), with
# progress. Options of an earlier build stay.
build() {
  tree=$1
  targets=$2
  shift 2
  if ! is_configured "$root/build/$tree" "$@"; then
    say "configuring the $tree build"
    cmake -S "$root" -B "$root/build/$tree" -G Ninja "$@" >"$root/build/$tree.log" 2>&1 || { cat "$root/build/$tree.log" >&2; exit 125; }
  fi
  # shellcheck disable=SC2086
  ninja -C "$root/build/$tree" $targets >&2 || { say "the $tree build failed"; exit 125; }
}

# is_configured DIRECTORY -DNAME=VALUE…
is_configured() {
  [ -f "$1/build.ninja" ] || return 1
  cache=$1/CMakeCache.txt
  shift
  for option in "$@"; do
    option=${option#-D}
    name=${option%%=*}
    sed -n "s/^$name:[A-Z]*=/$name=/p" "$cache" | grep -qxF -e "$option" || return 1
  done
}

# True when something of the source is newer than the last build.
is_stale() {
  [ -x "$root/build/release/bin/paddock" ] && [ -f "$root/build/release/.built" ] || return 0
  [ -n "$(find "$root/src" "$root/share" "$root/cmake" "$root/CMakeLists.txt" -newer "$root/build/release/.built" -print -quit 2>/dev/null)" ]
}

# build_release "TARGETS" OPTIONS…
build_release() {
  release_targets=$1
  shift
  # shellcheck disable=SC2086
  install_packages $run_packages $build_packages
  mkdir -p "$root/build"
  # Configured with a source that has been cleared away since: built without it.
  source=$(sed -n 's/^PADDOCK_BUBBLEWRAP_SOURCE:[A-Z]*=//p' "$root/build/release/CMakeCache.txt" 2>/dev/null)
  if [ $# = 0 ] && [ -n "$source" ] && [ ! -d "$source" ]; then set -- -DPADDOCK_BUBBLEWRAP_SOURCE=; fi
  build release "$release_targets" -DCMAKE_BUILD_TYPE=None "$@"
  touch "$root/build/release/.built"
}
