#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "cli/config_report.h"

namespace paddock {
namespace {

constexpr std::size_t key_columns = 23;
constexpr std::size_t value_columns = 14;

std::string row(std::string_view key, std::string_view value, std::string_view origin) {
  std::string line = fmt::format("  {:<{}} {:<{}} {}", visible(key), key_columns, visible(value), value_columns, visible(origin));
  while (line.ends_with(' ')) line.pop_back();
  return line + "\n";
}

std::string_view word_of_state(const TierFile& file) {
  switch (file.state) {
    case TierState::absent: return "absent";
    case TierState::read: return "read";
    case TierState::granted: return "read, granted";
    case TierState::not_looked_at: return "not looked at";
  }
  return "";
}

void add_tiers(std::string& text, const TierFiles& files) {
  text += "Files, the most trusted first\n";
  for (const TierFile& file : files.files) {
    std::string state(word_of_state(file));
    if (file.tier == "repository" && file.state == TierState::read) state += files.merged.ignored.empty() ? ", only tightens" : ", not granted: it may only tighten";
    text += row(file.tier, state, file.path);
  }
}

void add_backends(std::string& text, const BackendSettings& backends) {
  if (backends.order.stated) text += row("backends.order", join(backends.order.value, ", "), backends.order.origin.where);
  if (backends.bubblewrap_program.stated) text += row("backends.bubblewrap.program", backends.bubblewrap_program.value, backends.bubblewrap_program.origin.where);
  if (backends.bubblewrap_probe_seconds.stated) {
    text += row("backends.bubblewrap.probe_timeout", std::to_string(backends.bubblewrap_probe_seconds.value), backends.bubblewrap_probe_seconds.origin.where);
  }
}

void add_ceiling_lists(std::string& text, const Ceiling& ceiling) {
  const auto names = [&](std::string_view key, const Sourced<std::vector<std::string>>& list) {
    if (list.stated) text += row(key, "only " + (list.value.empty() ? "nothing" : join(list.value, ", ")), list.origin.where);
  };
  const auto paths = [&](std::string_view key, const Sourced<std::vector<PathRule>>& list) {
    std::vector<std::string> all;
    for (const PathRule& rule : list.value) all.push_back(shown(rule));
    if (list.stated) text += row(key, "only in " + (all.empty() ? "nothing" : join(all, ", ")), list.origin.where);
  };
  paths("filesystem.read", ceiling.read);
  paths("filesystem.write", ceiling.write);
  paths("ceiling.workspaces", ceiling.workspaces);
  names("environment", ceiling.variables);
  names("isolation.without", ceiling.without);
  for (const NamedRule& rule : ceiling.forbid) text += row("ceiling.forbid", rule.name, rule.origin.where);
}

void add_ceiling(std::string& text, const TierFiles& files) {
  if (files.files.front().state != TierState::read) return;
  text += "\nCeiling of this machine: nobody gets more\n";
  for (const PolicyRow& one : rows_of(files.tiers.ceiling.most)) {
    for (const Said& said : one.said) text += row(one.key, one.is_list ? said.text : "at most " + said.text, said.origin.where);
  }
  add_ceiling_lists(text, files.tiers.ceiling);
}

void add_ignored(std::string& text, const TierFiles& files) {
  const MergedTiers& merged = files.merged;
  if (merged.ignored.empty() && merged.ungrantable.empty()) return;
  text += "\nIgnored: a project's file asks for more than you allow\n";
  for (const Ignored& one : merged.ungrantable) text += "  " + visible(in_words(one)) + ": only you say so, in settings of your own\n";
  const bool is_granted = files.files.back().state == TierState::granted;
  for (const Ignored& one : merged.ignored) text += "  " + visible(in_words(one)) + (is_granted ? ": settings of your own say so\n" : "\n");
  if (!merged.ignored.empty() && !is_granted) text += "  to see and grant it: paddock trust\n";
}

}  // namespace

std::string rows_in_words(const std::vector<PolicyRow>& rows) {
  std::string text;
  for (const PolicyRow& one : rows) {
    if (one.said.empty()) text += row(one.key, one.is_list ? "nothing" : "none", "");
    for (std::size_t i = 0; i < one.said.size(); ++i) text += row(i == 0 ? one.key : "", one.said[i].text, one.said[i].origin.where);
  }
  return text;
}

std::string config_in_words(const TierFiles& files) {
  const MergedTiers& merged = files.merged;
  std::string text;
  add_tiers(text, files);
  text += "\nValues\n";
  text += row("profile", merged.profile, merged.profile_origin.where);
  text += row("sandbox", merged.sandboxed ? "on" : "OFF", merged.unsandboxed_by.where);
  text += rows_in_words(rows_of(merged.policy));
  add_backends(text, merged.backends);
  add_ignored(text, files);
  if (!merged.lowered.empty()) text += "\nLowered by the ceiling\n";
  for (const Breach& one : merged.lowered) text += "  " + visible(in_words(one)) + "\n";
  add_ceiling(text, files);
  return text;
}

std::string profile_in_words(const ProfileShown& profile) {
  std::string text = visible(profile.name) + (profile.description.empty() ? "" : ": " + visible(profile.description)) + "\n";
  if (!profile.extends.empty()) text += "extends " + visible(profile.extends) + "\n";
  return text + "\n" + rows_in_words(profile.rows);
}

std::vector<std::string> differences(const Policy& before, const Policy& after) {
  std::vector<std::string> lines;
  const std::vector<PolicyRow> old_rows = rows_of(before), new_rows = rows_of(after);
  const auto text_of = [](const PolicyRow& one) { return one.said.empty() ? std::string("none") : one.said.front().text; };
  const auto holds = [](const PolicyRow& one, const Said& said) { return std::ranges::find(one.said, said.text, &Said::text) != one.said.end(); };
  for (std::size_t i = 0; i < new_rows.size(); ++i) {
    const PolicyRow &was = old_rows[i], &is = new_rows[i];
    if (!is.is_list) {
      if (text_of(was) != text_of(is)) lines.push_back(fmt::format("{}: {} -> {}", is.key, text_of(was), text_of(is)));
      continue;
    }
    for (const Said& said : was.said) {
      if (!holds(is, said)) lines.push_back(fmt::format("{}: - {}", is.key, said.text));
    }
    for (const Said& said : is.said) {
      if (!holds(was, said)) lines.push_back(fmt::format("{}: + {}", is.key, said.text));
    }
  }
  return lines;
}

std::string grants_in_words(const std::vector<ListedGrant>& grants) {
  if (grants.empty()) return "nothing is granted\n";
  std::string text;
  for (const ListedGrant& one : grants) text += fmt::format("{}  {:<8} {}  {}\n", one.grant.sha256.substr(0, 12), one.state, visible(one.grant.when), visible(one.grant.path));
  return text;
}

}  // namespace paddock
