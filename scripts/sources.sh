# Sourced after setup.sh: what packages are made of beside Paddock's own source, fetched from the Debian mirrors that
# this machine's apt knows, into a cache outside the checkout. apt works in directories of its own there: the
# machine's lists, architectures and packages stay as they are. Prints on stderr only.

# The cache: /var/cache/paddock-build as root, else below ~/.cache.
sources_cache() {
  if [ "$(id -u)" = 0 ]; then printf '/var/cache/paddock-build'; else printf '%s/paddock-build' "${XDG_CACHE_HOME:-$HOME/.cache}"; fi
}

# private_apt AREA "TYPES" ARCHITECTURE: an apt of its own in $cache/AREA, with this machine's mirrors and keys; afterwards
# `apt_in AREA ARCHITECTURE COMMAND…` uses it.
private_apt() {
  area=$(sources_cache)/$1
  mkdir -p "$area/parts" "$area/lists/partial" "$area/archives/partial" || return 1
  rm -f "$area"/parts/*
  : >"$area/status"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$file" ] || continue
    for type in $2; do sed -n "s/^[[:space:]]*deb[[:space:]]/$type /p" "$file"; done >"$area/parts/$(basename "$file" .list).list"
  done
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] || continue
    sed -e "s/^Types:.*/Types: $2/" -e '/^Architectures:/d' "$file" >"$area/parts/$(basename "$file")"
  done
  # A mirror without sources or without that architecture is no fault; what is missing is noticed when it is fetched.
  apt_in "$1" "$3" update -q >"$area/log" 2>&1 || true
}

apt_in() {
  area=$(sources_cache)/$1
  architecture=$2
  shift 2
  apt-get -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$area/parts" -o Dir::State::lists="$area/lists" \
    -o Dir::State::status="$area/status" -o Dir::Cache="$area" -o Dir::Cache::archives="$area/archives" \
    -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" -o APT::Sandbox::User= "$@"
}

# fetch_bubblewrap: sets bubblewrap_source (empty when it cannot be had) and bubblewrap_version. Fetched once for a
# version: the one that apt offers for installation here.
fetch_bubblewrap() {
  bubblewrap_source=
  bubblewrap_version=
  command -v apt-get >/dev/null 2>&1 && command -v dpkg-source >/dev/null 2>&1 || return 1
  offered=$(apt-cache policy bubblewrap 2>/dev/null | sed -n 's/^  Candidate: //p')
  case "$offered" in '' | '(none)') return 1 ;; esac
  # Without the suffix of a rebuild, which the source does not have.
  bubblewrap_version=${offered%+b[0-9]}
  place=$(sources_cache)/bubblewrap
  if [ ! -f "$place/$bubblewrap_version/bubblewrap.c" ]; then
    say "fetching the source of bubblewrap $bubblewrap_version"
    native=$(dpkg --print-architecture)
    private_apt source "deb-src" "$native" || return 1
    mkdir -p "$place" && rm -rf "$place/new" && mkdir "$place/new" || return 1
    (cd "$place/new" && apt_in source "$native" source -q --only-source "bubblewrap=$bubblewrap_version") >>"$(sources_cache)/source/log" 2>&1 || return 1
    mv "$place"/new/bubblewrap-*/ "$place/$bubblewrap_version" || return 1
    rm -rf "$place/new"
  fi
  bubblewrap_source=$place/$bubblewrap_version
}

# fetch_arm64: sets arm64_libraries to a directory with the static libraries that programs for arm64 are linked
# with, of the versions that are installed here for this machine.
fetch_arm64() {
  place=$(sources_cache)/arm64
  wanted=
  for package in libmd-dev libcap-dev; do wanted="$wanted $package=$(dpkg-query -W -f '${Version}' "$package")"; done
  arm64_libraries=$place/root/usr/lib/aarch64-linux-gnu
  [ "$(cat "$place/have" 2>/dev/null)" = "$wanted" ] && return 0
  say "fetching the libraries of arm64"
  private_apt arm64 "deb" arm64 || return 1
  rm -rf "$place/root" "$place/debs" && mkdir -p "$place/debs" || return 1
  # shellcheck disable=SC2086
  (cd "$place/debs" && apt_in arm64 arm64 download -q libmd-dev libcap-dev) >>"$place/log" 2>&1 || return 1
  for file in "$place"/debs/*.deb; do dpkg-deb -x "$file" "$place/root" || return 1; done
  rm -rf "$place/debs"
  printf '%s' "$wanted" >"$place/have"
}
