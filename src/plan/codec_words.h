// The words of a plan's enumerations in JSON; those of policies are in policy/words.h.
#pragma once

#include "plan/plan.h"
#include "policy/words.h"

namespace paddock {

template <>
std::span<const Word<MountKind>> words_of<MountKind>();
template <>
std::span<const Word<MountAccess>> words_of<MountAccess>();
template <>
std::span<const Word<SeenAs>> words_of<SeenAs>();
template <>
std::span<const Word<ValueSource>> words_of<ValueSource>();
template <>
std::span<const Word<GitKind>> words_of<GitKind>();
template <>
std::span<const Word<OriginKind>> words_of<OriginKind>();

}  // namespace paddock
