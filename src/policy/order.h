// Which words of a policy open more than others. Written out for every enumeration of policy.h, so
// that a new word does not compile before it has its place here. Pure.
#pragma once

#include "policy/policy.h"

namespace paddock {

// How far open, from 0; words beside each other share a height.
namespace openness {

constexpr int of(World value) {
  switch (value) {
    case World::minimal: return 0;
    case World::host: return 1;
  }
  return 0;
}

constexpr int of(WorkspaceAccess value) {
  switch (value) {
    case WorkspaceAccess::read_only: return 0;
    case WorkspaceAccess::copy_on_write: return 1;
    case WorkspaceAccess::read_write: return 2;
  }
  return 0;
}

constexpr int of(Temp value) {
  switch (value) {
    case Temp::private_temp: return 0;
    case Temp::host: return 1;
  }
  return 0;
}

constexpr int of(Toolchains value) {
  switch (value) {
    case Toolchains::command: return 0;
    case Toolchains::path: return 1;
  }
  return 0;
}

constexpr int of(Dotfiles value) {
  switch (value) {
    case Dotfiles::none: return 0;
    case Dotfiles::git: return 1;
    case Dotfiles::listed: return 2;
  }
  return 0;
}

constexpr int of(Caches value) {
  switch (value) {
    case Caches::none: return 0;
    case Caches::harness: return 1;
    case Caches::tools: return 2;
  }
  return 0;
}

constexpr int of(NetworkMode value) {
  switch (value) {
    case NetworkMode::off: return 0;
    case NetworkMode::local: return 1;
    case NetworkMode::allow: return 1;
    case NetworkMode::ask: return 2;
    case NetworkMode::open: return 3;
    case NetworkMode::on: return 4;
  }
  return 0;
}

constexpr int of(EnvironmentBase value) {
  switch (value) {
    case EnvironmentBase::minimal: return 0;
    case EnvironmentBase::host: return 1;
  }
  return 0;
}

constexpr int of(CredentialMode value) {
  switch (value) {
    case CredentialMode::none: return 0;
    case CredentialMode::minimal: return 1;
    case CredentialMode::private_state: return 1;
    case CredentialMode::login: return 2;
    case CredentialMode::shared: return 3;
  }
  return 0;
}

constexpr int of(Nested value) {
  switch (value) {
    case Nested::off: return 0;
    case Nested::browser: return 1;
    case Nested::full: return 2;
  }
  return 0;
}

constexpr int of(GitMode value) {
  switch (value) {
    case GitMode::private_copy: return 0;
    case GitMode::protected_parts: return 1;
    case GitMode::real: return 2;
  }
  return 0;
}

constexpr int of(Permissions value) {
  switch (value) {
    case Permissions::ask: return 0;
    case Permissions::skip: return 1;
  }
  return 0;
}

}  // namespace openness

// True when `a` opens nothing that `b` does not: reflexive, transitive and antisymmetric.
template <typename T>
constexpr bool at_most(T a, T b) {
  return openness::of(a) <= openness::of(b);
}

// off < local < on and off < allow < ask < open < on: the host's own loopback is not among the hosts that
// the others name, nor the other way round.
constexpr bool at_most(NetworkMode a, NetworkMode b) {
  if (a == NetworkMode::local && b != a) return b == NetworkMode::on;
  if (b == NetworkMode::local && a != b) return a == NetworkMode::off;
  return openness::of(a) <= openness::of(b);
}

// none < minimal < login < shared and none < private < login: `minimal` reads the host's sign-in files,
// `private` reads none of them and writes a state of its own.
constexpr bool at_most(CredentialMode a, CredentialMode b) { return a == b || openness::of(a) < openness::of(b); }

// The most open word that is at most each of the two.
template <typename T>
constexpr T meet(T a, T b) {
  if (at_most(a, b)) return a;
  if (at_most(b, a)) return b;
  // Beside each other: only the closed end of the two partial orders is below both.
  return T{};
}

static_assert(NetworkMode{} == NetworkMode::off && CredentialMode{} == CredentialMode::none, "meet() takes the first word for the closed one");

}  // namespace paddock
