#include "policy/tiers.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "policy/fields.h"

namespace paddock {

namespace {

void choose_profile(const Tiers& tiers, Standing repository, const SandboxChoice& choice, MergedTiers& merged) {
  merged.profile = default_profile;
  merged.profile_origin = {OriginKind::built_in, "built in"};
  const auto take = [&](const Sourced<std::string>& said) {
    if (!said.stated) return;
    merged.profile = said.value;
    merged.profile_origin = said.origin;
  };
  take(tiers.user.profile);
  if (repository == Standing::granted) take(tiers.repository.profile);
  take(tiers.project.profile);
  take(choice.profile);
}

// A profile that a settings file names is that file's mistake.
Result<Policy> profile_named(const std::string& name, const Origin& by, const TierContext& context) {
  auto policy = load_profile(name, context.profiles);
  if (policy) TRY(check_given_up(*policy, context.guarantees));
  if (policy || by.kind == OriginKind::flag || by.kind == OriginKind::built_in) return policy;
  policy.failure().code = ErrorCode::cannot_start;
  return std::move(policy).failure().context(by.where);
}

template <Sense S, typename T>
void set_origin(Field<S, T> field, const Origin& origin) {
  if constexpr (S == Sense::opens || S == Sense::closes) {
    for (auto& rule : field.value) rule.origin = origin;
  } else {
    field.value.origin = origin;
  }
}

// What the repository's file says, with the profile that it names beneath it.
Result<Policy> wish_of(const PolicyFile& repository, const TierContext& context) {
  if (!repository.profile.stated) return repository.policy;
  Policy policy = TRY(profile_named(repository.profile.value, repository.profile.origin, context));
  const Origin origin{OriginKind::repository_config, repository.profile.origin.where + " (profile " + repository.profile.value + ")"};
  for_each_field([&](auto field) { set_origin(field, origin); }, policy);
  return merge(std::move(policy), repository.policy);
}

void choose_confinement(const Tiers& tiers, const SandboxChoice& choice, MergedTiers& merged) {
  const auto take = [&](bool sandboxed, const Origin& origin) {
    merged.sandboxed = sandboxed;
    merged.unsandboxed_by = sandboxed ? Origin{} : origin;
  };
  if (tiers.user.sandbox_enabled.stated) take(tiers.user.sandbox_enabled.value, tiers.user.sandbox_enabled.origin);
  if (tiers.project.sandbox_enabled.stated) take(tiers.project.sandbox_enabled.value, tiers.project.sandbox_enabled.origin);
  const Sourced<bool>& wish = tiers.repository.sandbox_enabled;
  if (wish.stated && wish.value) take(true, {});
  // Running without one is only ever said by the person, in a file of theirs or by a flag.
  if (wish.stated && !wish.value && merged.sandboxed) merged.ungrantable.push_back({"sandbox.enabled", "false", "true", wish.origin});
  if (choice.sandbox == Confinement::on) take(true, {});
  if (choice.sandbox == Confinement::off) take(false, {OriginKind::flag, "--no-sandbox"});
  const NamedRule* forbidden = forbidding(tiers.ceiling, "no_sandbox");
  if (merged.sandboxed || forbidden == nullptr) return;
  merged.lowered.push_back({"no_sandbox", "no sandbox", "only sandboxes", merged.unsandboxed_by, forbidden->origin});
  take(true, {});
}

void overlay(BackendSettings& base, const BackendSettings& over) {
  if (over.order.stated) base.order = over.order;
  if (over.bubblewrap_program.stated) base.bubblewrap_program = over.bubblewrap_program;
  if (over.bubblewrap_probe_seconds.stated) base.bubblewrap_probe_seconds = over.bubblewrap_probe_seconds;
}

// The ceiling's order is of those that may be used, its program the one.
void choose_backends(const Tiers& tiers, const SandboxChoice& choice, MergedTiers& merged) {
  merged.backends = tiers.user.backends;
  overlay(merged.backends, tiers.project.backends);
  const BackendSettings& most = tiers.ceiling.backends;
  BackendSettings& own = merged.backends;
  const auto is_allowed = [&](const std::string& name) { return std::ranges::find(most.order.value, name) != most.order.value.end(); };
  const auto breach = [&](std::string key, std::string asked, std::string allowed, const Origin& origin, const Origin& by) {
    merged.lowered.push_back({std::move(key), std::move(asked), std::move(allowed), origin, by});
  };
  if (most.order.stated) {
    if (choice.type.stated && choice.type.value != SandboxType::automatic && !is_allowed(std::string(word_of(choice.type.value)))) {
      breach("backends.order", std::string(word_of(choice.type.value)), join(most.order.value, ", "), choice.type.origin, most.order.origin);
    }
    for (const std::string& name : own.order.value) {
      if (!is_allowed(name)) breach("backends.order", name, join(most.order.value, ", "), own.order.origin, most.order.origin);
    }
    if (own.order.stated) std::erase_if(own.order.value, [&](const std::string& name) { return !is_allowed(name); });
    if (!own.order.stated || own.order.value.empty()) own.order = most.order;
  }
  if (most.bubblewrap_program.stated && own.bubblewrap_program.value != most.bubblewrap_program.value) {
    if (own.bubblewrap_program.stated) {
      breach("backends.bubblewrap.program", own.bubblewrap_program.value, most.bubblewrap_program.value, own.bubblewrap_program.origin, most.bubblewrap_program.origin);
    }
    own.bubblewrap_program = most.bubblewrap_program;
  }
  if (!own.bubblewrap_probe_seconds.stated) own.bubblewrap_probe_seconds = most.bubblewrap_probe_seconds;
}

// Doing less than a command line says would be silence.
Result<void> refuse_flags(const std::vector<Breach>& breaches) {
  std::string message;
  for (const Breach& breach : breaches) {
    if (breach.origin.kind == OriginKind::flag) message += (message.empty() ? "" : "\n") + in_words(breach);
  }
  if (message.empty()) return {};
  return error(ErrorCode::cannot_start, std::move(message), "leave it out, or ask whoever administers this machine");
}

}  // namespace

Result<MergedTiers> merge_tiers(const Tiers& tiers, Standing repository, const SandboxChoice& choice, const TierContext& context) {
  MergedTiers merged;
  choose_profile(tiers, repository, choice, merged);
  Policy policy = TRY(profile_named(merged.profile, merged.profile_origin, context));
  policy = merge(std::move(policy), tiers.user.policy);
  if (repository == Standing::granted) policy = merge(std::move(policy), tiers.repository.policy);
  policy = merge(std::move(policy), tiers.project.policy);
  Tightened tightened = tighten(std::move(policy), TRY(wish_of(tiers.repository, context)));
  merged.ignored = std::move(tightened.ignored);
  policy = merge(std::move(tightened.policy), choice.overlay);

  // From here on the policy is what the person allows; the ceiling has the last word.

  choose_confinement(tiers, choice, merged);
  choose_backends(tiers, choice, merged);
  UnderCeiling lowered = under(std::move(policy), tiers.ceiling, context.places);
  merged.policy = std::move(lowered.policy);
  merged.lowered.insert(merged.lowered.end(), lowered.breaches.begin(), lowered.breaches.end());
  TRY(refuse_flags(merged.lowered));
  return merged;
}

}  // namespace paddock
