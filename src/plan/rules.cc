#include "plan/rules.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "plan/system_view.h"

namespace paddock {
namespace {

bool has_wildcard(std::string_view text) { return text.find_first_of("*?[") != std::string_view::npos; }

// "x/**" hides the whole of x: what exists now and what comes later.
std::string_view without_tail(std::string_view pattern) {
  while (pattern.size() > 3 && pattern.ends_with("/**")) pattern.remove_suffix(3);
  return pattern;
}

// The absolute patterns that one rule stands for.
std::vector<std::string> patterns_of(const std::string& pattern, const PatternRule& rule, const RuleContext& context, const std::vector<std::string>& roots) {
  if (!pattern.starts_with("**/")) return {place_of(pattern, rule.base, context)};
  std::vector<std::string> all;
  for (const std::string& root : roots) all.push_back(path::join(root, pattern));
  return all;
}

// How many of the directories above a match are part of what a pattern says: all, but behind "**" only those that
// it still names.
unsigned levels_of(const std::string& pattern) {
  const std::string whole(without_tail(pattern));
  const auto any = whole.rfind("**/");
  if (any == std::string::npos) return ~0u;
  const std::string_view named = std::string_view(whole).substr(any + 3);
  return static_cast<unsigned>(std::ranges::count(named, '/') - (named.ends_with('/') ? 1 : 0));
}

bool claim_mask_at(MountTable& table, const HostView& host, const std::string& place, bool by_pattern, const PatternRule& rule,
                   RuleReport& report) {
  // Through links: what is hidden is the end of the chain, under its own name.
  const std::string real = host.real_path(place).value_or(place);
  const HostFile file = host.look(real);
  if (!table.is_visible(real)) return false;
  pin_above(table, host, real, rule.origin, levels_of(rule.pattern));
  if (host.look(place).kind == FileKind::link && table.is_writable(path::parent(place))) report.links.push_back(place);
  Claim claim;
  claim.strength = Strength::mask;
  claim.by_pattern = by_pattern;
  claim.mount.kind = file.kind == FileKind::directory ? MountKind::mask_directory : MountKind::mask_file;
  claim.mount.is_directory = file.kind == FileKind::directory;
  claim.mount.target = real;
  claim.mount.reason = "masked: " + rule.pattern;
  claim.mount.origin = rule.origin;
  if (file.kind == FileKind::file && file.links > 1) {
    report.relaxations.push_back({"hard_link", fmt::format("masked file {} has {} names: another one in a granted place shows it", visible(real), file.links), rule.origin});
  }
  table.claim(std::move(claim));
  return true;
}

Result<void> grant(MountTable& table, const HostView& host, const PathRule& rule, MountAccess access, const RuleContext& context,
                   std::vector<GrantedPath>& granted, std::vector<RuleOutcome>& outcomes) {
  const std::string place = place_of(rule.path, rule.base, context);
  const std::optional<std::string> real = host.real_path(place);
  const std::string_view word = access == MountAccess::read_write ? "write" : "read";
  const std::string said = fmt::format("{} {}", word, rule.path);
  if (!real) {
    if (rule.optional) {
      outcomes.push_back({said, "absent: left out", rule.origin});
      return {};
    }
    return error(ErrorCode::cannot_start, fmt::format("{}: {} does not exist", rule.origin.where, visible(place)),
                 "create it, or write it as " + shell_word(rule.path + "?") + " to leave it out when it is absent");
  }
  // A name in the workspace is the payload's to choose: a link there could have been planted to have what it
  // names granted.
  if (path::is_within(place, context.workspace) && !path::is_within(*real, context.workspace)) {
    return error(ErrorCode::cannot_start, fmt::format("{}: {} is reached through a link in the workspace and leads to {}", rule.origin.where, visible(place), visible(*real)),
                 "if that is meant, name it: " + shell_word(*real));
  }
  const HostFile file = host.look(*real);
  if (place != *real) claim_link_chain(table, host, place, fmt::format("granted: {}", rule.path), rule.origin);
  table.show(*real, file, access, access == MountAccess::read_write ? Strength::writable : Strength::read_only, fmt::format("granted: {}", rule.path), rule.origin);
  granted.push_back({*real, file.kind, access, rule.origin});
  outcomes.push_back({said, "applied to " + visible(*real), rule.origin});
  return {};
}

}  // namespace

void pin_above(MountTable& table, const HostView& host, const std::string& place, const Origin& origin, unsigned levels) {
  for (std::string up = path::parent(place); levels > 0 && table.is_writable(up); up = path::parent(up), --levels) {
    const Claim* holder = table.at(up);
    if (holder->mount.target == up || up == "/") return;
    Claim claim;
    claim.strength = Strength::pin;
    claim.pin = true;
    claim.mount = {MountKind::bind, up, up, MountAccess::read_write, true, host.look(up).identity, 0, 0755, {}, "pinned: cannot be renamed away", origin};
    table.claim(std::move(claim));
  }
}

std::string place_of(const std::string& path, const std::string& base, const RuleContext& context) {
  const std::string expanded = path::expand_home(path, context.home);
  if (path::is_absolute(expanded)) return path::normal(expanded);
  return path::normal(expanded, base.empty() ? context.workspace : base);
}

Result<void> claim_grants(MountTable& table, const HostView& host, const FilesystemPolicy& policy, const RuleContext& context,
                          std::vector<GrantedPath>& granted, std::vector<RuleOutcome>& outcomes) {
  for (const PathRule& rule : policy.read) TRY(grant(table, host, rule, MountAccess::read_only, context, granted, outcomes));
  for (const PathRule& rule : policy.write) TRY(grant(table, host, rule, MountAccess::read_write, context, granted, outcomes));
  return {};
}

Result<RuleMatches> RuleMatches::find(const FilesystemPolicy& policy, const RuleContext& context, const std::vector<std::string>& roots,
                                      const HostView& host) {
  std::vector<std::pair<std::string, const PatternRule*>> patterns;
  for (const auto* rules : {&policy.mask, &policy.protect}) {
    for (const PatternRule& rule : *rules) {
      const std::string pattern(without_tail(rule.pattern));
      if (rule.negated || !has_wildcard(pattern)) continue;
      for (std::string& absolute : patterns_of(pattern, rule, context, roots)) patterns.emplace_back(std::move(absolute), &rule);
    }
  }
  RuleMatches found;
  if (patterns.empty()) return found;
  std::vector<std::string> all;
  for (const auto& [pattern, rule] : patterns) all.push_back(pattern);
  for (const std::string& path : TRY(host.match(roots, all))) {
    bool named = false;
    for (const auto& [pattern, rule] : patterns) {
      if (!path_matches(pattern, path)) continue;
      named = true;
      std::vector<std::string>& of_rule = found.by_rule_[rule];
      if (of_rule.empty() || of_rule.back() != path) of_rule.push_back(path);
    }
    // The end of a link that matched has another name: every rule of the walk may have meant it, and the
    // strictest comes first.
    if (!named) found.by_rule_[patterns.front().second].push_back(path);
  }
  return found;
}

std::vector<std::string> RuleMatches::of(const PatternRule& rule, const RuleContext& context, const HostView& host) const {
  const std::string pattern(without_tail(rule.pattern));
  if (has_wildcard(pattern)) {
    const auto found = by_rule_.find(&rule);
    return found == by_rule_.end() ? std::vector<std::string>() : found->second;
  }
  const std::string place = place_of(pattern, rule.base, context);
  const HostFile file = host.look(place);
  if (file.kind == FileKind::absent || file.kind == FileKind::unreadable) return {};
  return {place};
}

void claim_masks(MountTable& table, const HostView& host, const std::vector<PatternRule>& rules, const RuleContext& context,
                 const RuleMatches& matches, RuleReport report) {
  for (const PatternRule& rule : rules) {
    if (rule.negated) continue;
    const std::string pattern(without_tail(rule.pattern));
    const bool by_pattern = has_wildcard(pattern);
    const std::vector<std::string> places = matches.of(rule, context, host);
    RuleOutcome outcome{"mask " + rule.pattern, {}, rule.origin};
    const auto hidden = std::ranges::count_if(places, [&](const std::string& place) { return claim_mask_at(table, host, place, by_pattern, rule, report); });
    if (hidden != 0) outcome.outcome = fmt::format("hides {} path{}", hidden, hidden == 1 ? "" : "s");
    else outcome.outcome = places.empty() ? "absent: nothing to hide" : "not visible inside: nothing to hide";
    report.outcomes.push_back(std::move(outcome));
  }
}

void claim_exact_masks(MountTable& table, const HostView& host, const std::vector<std::string>& paths, RuleReport report) {
  for (const std::string& path : paths) {
    const PatternRule rule{path, {}, false, {OriginKind::flag, "the request"}};
    const FileKind kind = host.look(path).kind;
    const bool is_there = kind != FileKind::absent && kind != FileKind::unreadable;
    const bool is_hidden = is_there && claim_mask_at(table, host, path, false, rule, report);
    report.outcomes.push_back({"mask " + path, is_hidden ? "hides it" : is_there ? "not visible inside: nothing to hide" : "absent: nothing to hide", rule.origin});
  }
}

void claim_protections(Protector& protector, const HostView& host, const std::vector<PatternRule>& rules, const RuleContext& context,
                       const std::vector<std::string>& roots, const RuleMatches& matches, std::vector<RuleOutcome>& outcomes) {
  for (const PatternRule& rule : rules) {
    if (rule.negated) continue;
    const std::string pattern(without_tail(rule.pattern));
    const bool by_pattern = has_wildcard(pattern);
    std::vector<std::string> places = matches.of(rule, context, host);
    const std::size_t existing = places.size();
    if (!by_pattern && places.empty()) places.push_back(place_of(pattern, rule.base, context));
    for (const std::string& place : places) {
      const auto root = std::ranges::find_if(roots, [&](const std::string& r) { return path::is_within(place, r); });
      const std::string tree = root == roots.end() ? context.workspace : *root;
      protector.protect({tree, place, rule.pattern, rule.pattern.ends_with('/'), WhenAbsent::check, {}, true, !by_pattern || levels_of(rule.pattern) == ~0u, rule.origin});
    }
    outcomes.push_back({"protect " + rule.pattern, existing == 0 ? "absent: looked at when the run has ended" : fmt::format("protects {} path{}", existing, existing == 1 ? "" : "s"), rule.origin});
  }
}

}  // namespace paddock
