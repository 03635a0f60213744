// Every part of a policy, once: its key and what saying more of it does. Whatever must look at all of a
// policy (merging, tightening, ceilings, showing it) goes through this list; a new member of Policy
// does not compile before it stands here with its sense.
#pragma once

#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include "policy/policy.h"

namespace paddock {

enum class Sense {
  ordered,     // a word; order.h says which opens more
  permission,  // a bool; true opens
  maximum,     // a number; none at all is the most, a lower one is tighter
  opens,       // a list; each entry opens something
  closes,      // a list; each entry closes something, but a negated pattern opens
};

template <Sense S, typename T>
struct Field {
  static constexpr Sense sense = S;
  std::string_view key;  // "filesystem.world": section and key as in a file
  T& value;
};

template <Sense S, typename T>
constexpr Field<S, T> field(std::string_view key, T& value) {
  return {key, value};
}

// `P`: Policy or const Policy. The fields borrow from it.
template <typename P>
constexpr auto fields_of(P& policy) {
  auto& [filesystem, network, environment_base, variables, limits, credentials, ssh_agent, nested, git, permissions, without, required] = policy;
  auto& [world, workspace, temp, toolchains, dotfiles, caches, read, write, mask, protect] = filesystem;
  auto& [memory_bytes, cpu_milli, processes, wall_time_ms] = limits;
  return std::make_tuple(
      field<Sense::ordered>("filesystem.world", world), field<Sense::ordered>("filesystem.workspace", workspace),
      field<Sense::ordered>("filesystem.temp", temp), field<Sense::ordered>("filesystem.toolchains", toolchains),
      field<Sense::ordered>("filesystem.dotfiles", dotfiles), field<Sense::ordered>("filesystem.caches", caches),
      field<Sense::opens>("filesystem.read", read), field<Sense::opens>("filesystem.write", write),
      field<Sense::closes>("filesystem.mask", mask), field<Sense::closes>("filesystem.protect", protect),
      field<Sense::ordered>("network.mode", network), field<Sense::ordered>("environment.base", environment_base),
      field<Sense::opens>("environment", variables), field<Sense::maximum>("limits.memory", memory_bytes),
      field<Sense::maximum>("limits.cpus", cpu_milli), field<Sense::maximum>("limits.pids", processes),
      field<Sense::maximum>("limits.wall_time", wall_time_ms), field<Sense::ordered>("credentials.mode", credentials),
      field<Sense::permission>("credentials.ssh_agent", ssh_agent), field<Sense::ordered>("process.nested", nested),
      field<Sense::ordered>("git.mode", git), field<Sense::ordered>("permissions.mode", permissions),
      field<Sense::opens>("isolation.without", without), field<Sense::closes>("isolation.require", required));
}

template <typename P>
using FieldsOf = decltype(fields_of(std::declval<P&>()));

namespace fields_detail {

template <Sense S, typename T>
constexpr std::size_t bytes_of(const Field<S, T>*) { return sizeof(T); }

template <typename... F>
constexpr std::size_t bytes_of(const std::tuple<F...>*) { return (bytes_of(static_cast<F*>(nullptr)) + ...); }

template <std::size_t I, typename Visit, typename... Tuples>
constexpr void visit_one(Visit& visit, const Tuples&... tuples) { visit(std::get<I>(tuples)...); }

template <typename Visit, std::size_t... I, typename... Tuples>
constexpr void visit_all(Visit& visit, std::index_sequence<I...>, const Tuples&... tuples) { (visit_one<I>(visit, tuples...), ...); }

}  // namespace fields_detail

// Every member is a multiple of the same alignment, so that nothing lies between them: a member that is
// named above and left out of the list shows in the sum.
static_assert(fields_detail::bytes_of(static_cast<const FieldsOf<Policy>*>(nullptr)) == sizeof(Policy), "a part of Policy is missing in fields_of()");

// visit(field of the first policy, field of the second, ...) for each field, in the order of the list.
template <typename Visit, typename... P>
constexpr void for_each_field(Visit&& visit, P&... policies) {
  fields_detail::visit_all(visit, std::make_index_sequence<std::tuple_size_v<FieldsOf<Policy>>>(), fields_of(policies)...);
}

}  // namespace paddock
