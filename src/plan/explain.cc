#include "plan/explain.h"

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "plan/explain_mounts.h"
#include "plan/explain_page.h"
#include "policy/words.h"

namespace paddock {
namespace {

std::string_view words_for(GitKind kind) {
  switch (kind) {
    case GitKind::none: return "no git repository";
    case GitKind::directory: return "a git repository";
    case GitKind::linked_worktree: return "a linked git worktree";
    case GitKind::submodule: return "a git submodule";
    case GitKind::linked_directory: return "a git repository whose .git is a link";
    case GitKind::broken: return "a git repository that cannot be understood";
  }
  return "";
}

std::string backend_in_a_line(const BackendFacts& backend) {
  std::string text = backend.name;
  if (!backend.version.empty() && backend.version != backend.name) text += " " + backend.version;
  if (!backend.program.empty()) text += " (" + backend.program + ")";
  return text;
}

void explain_start(Page& page, const Explanation& explanation) {
  const Plan& plan = *explanation.plan;
  page.title(plan.harness == "generic" ? "The sandbox of a command" : fmt::format("The sandbox of {}", plan.harness));
  page.row("command", plan.command.empty() ? "any" : shell_words(plan.command));
  page.row("profile", plan.profile);
  page.row("workspace", fmt::format("{} ({})", plan.workspace, words_for(plan.git_kind)));
  page.row("starts in", plan.directory);
  page.row("user inside", fmt::format("{} (uid {}, gid {}), home {}", plan.user.name, plan.user.uid, plan.user.gid, plan.user.home));
  if (plan.user.real_root) page.row("to the kernel", plan.user.kernel_root ? "root (uid 0)" : "an id of this sandbox's own; root's files stay root's");
  page.row("backend", explanation.chosen ? backend_in_a_line(*explanation.chosen) : "none that can hold it");
}

void explain_lacks(Page& page, const BackendFacts& backend) {
  for (const BackendLack& lack : backend.unmet) {
    page.text(2, fmt::format("{}: {}{}", backend.name, lack.what == "start" ? "" : lack.what + ": ", lack.why));
    if (!lack.fix.empty()) page.text(4, "fix: " + lack.fix);
  }
}

void explain_refusal(Page& page, const Explanation& explanation) {
  if (explanation.chosen) return;
  page.heading("Why no backend can hold it");
  for (const BackendFacts& backend : explanation.refused) explain_lacks(page, backend);
}

void explain_choices(Page& page, const Plan& plan) {
  page.heading("Choices");
  for (const Plan::Choice& choice : plan.choices) page.row(choice.name, choice.value, choice.origin.where);
}

std::string in_units(std::uint64_t value, std::initializer_list<std::pair<std::uint64_t, std::string_view>> units) {
  for (const auto& [size, name] : units) {
    if (value % size == 0) return fmt::format("{}{}", value / size, name);
  }
  return std::to_string(value);
}

void explain_limits(Page& page, const PlanLimits& limits) {
  page.heading("Limits");
  if (limits == PlanLimits{}) return page.text(2, "none");
  if (limits.memory_bytes != 0) page.row("memory", in_units(limits.memory_bytes, {{std::uint64_t{1} << 30, " GiB"}, {1 << 20, " MiB"}, {1, " bytes"}}));
  if (limits.cpu_milli != 0) page.row("cpus", fmt::format("{:g}", static_cast<double>(limits.cpu_milli) / 1000));
  if (limits.processes != 0) page.row("processes", std::to_string(limits.processes));
  if (limits.wall_time_ms != 0) page.row("time", in_units(limits.wall_time_ms, {{3'600'000, " h"}, {60'000, " min"}, {1000, " s"}, {1, " ms"}}));
}

std::string variable_in_a_line(const Variable& variable) {
  switch (variable.source) {
    case ValueSource::literal: return fmt::format("{}={}", variable.name, variable.value);
    case ValueSource::host: return fmt::format("{}  (the host's value, not shown)", variable.name);
    case ValueSource::given: return fmt::format("{}  (given, not shown)", variable.name);
  }
  return variable.name;
}

void explain_environment(Page& page, const Plan& plan) {
  page.heading("Environment: these variables and no other");
  std::vector<std::string> origins;
  for (const Variable& variable : plan.environment) {
    if (std::ranges::find(origins, variable.origin.where) == origins.end()) origins.push_back(variable.origin.where);
  }
  for (const std::string& origin : origins) {
    page.text(2, fmt::format("[{}]", origin));
    for (const Variable& variable : plan.environment) {
      if (variable.origin.where == origin) page.line(4, variable_in_a_line(variable));
    }
  }
}

// The writable tree that a path lies in; what lies in none stands by itself.
std::string tree_of(const Plan& plan, const std::string& path) {
  std::string tree;
  for (const Mount& mount : plan.mounts) {
    const bool is_tree = mount.kind == MountKind::bind && mount.access == MountAccess::read_write && !mount.reason.starts_with("pinned: ");
    if (is_tree && path != mount.target && path::is_within(path, mount.target) && mount.target.size() > tree.size()) tree = mount.target;
  }
  return tree;
}

void explain_absent_names(Page& page, const Plan& plan, const std::vector<const AbsentProtection*>& absent) {
  std::map<std::string, std::vector<std::string>> trees;
  for (const AbsentProtection* one : absent) {
    const std::string tree = tree_of(plan, one->path);
    const std::string name = tree.empty() ? one->path : path::relative(one->path, tree);
    trees[tree].push_back(name + (one->link_target.empty() ? "" : " -> " + one->link_target));
  }
  for (const auto& [tree, names] : trees) {
    if (!tree.empty()) page.line(4, fmt::format("in {}", tree));
    page.names(tree.empty() ? 4 : 6, names);
  }
}

void explain_absent(Page& page, const Plan& plan) {
  if (plan.absent.empty()) return;
  page.heading("Protected names that no mount can hold: absent ones, and links");
  std::map<std::pair<int, std::string>, std::vector<const AbsentProtection*>> bundles;
  for (const AbsentProtection& one : plan.absent) {
    const int rank = one.hold ? 0 : one.quarantine ? 1 : 2;
    bundles[{rank, one.origin.where}].push_back(&one);
  }
  constexpr std::string_view words[] = {"held: an inert stand-in is there during the run", "looked at afterwards, moved aside if an agent made it",
                                        "looked at afterwards, named if it is there"};
  for (const auto& [key, absent] : bundles) {
    page.text(2, fmt::format("{} [{}]", words[key.first], key.second));
    explain_absent_names(page, plan, absent);
  }
}

void explain_seeds(Page& page, const Plan& plan) {
  if (plan.seeds.empty()) return;
  page.heading("Made on this machine before the first run, where absent");
  for (const Seed& seed : plan.seeds) {
    page.line(2, seed.copy_from.empty() ? seed.path + (seed.is_directory ? "/" : "") : fmt::format("{} (a copy of {})", seed.path, seed.copy_from));
  }
}

void explain_rules(Page& page, const Plan& plan) {
  if (plan.outcomes.empty()) return;
  page.heading("Rules, and what became of each");
  for (const RuleOutcome& rule : plan.outcomes) page.text(2, fmt::format("{}: {} [{}]", rule.rule, rule.outcome, rule.origin.where));
}

void explain_guarantees(Page& page, const Explanation& explanation) {
  const Plan& plan = *explanation.plan;
  const auto is_held = [&](Guarantee guarantee) { return explanation.chosen && holds(explanation.chosen->held, guarantee); };
  page.heading(explanation.chosen ? "Guarantees, held" : "Guarantees that it needs");
  for (const Guarantee guarantee : plan.required) {
    if (is_held(guarantee) || !explanation.chosen) page.text(2, fmt::format("{}: {}", name_of(guarantee), meaning_of(guarantee)));
  }
}

void explain_relaxations(Page& page, const Plan& plan) {
  page.heading("Relaxations: what weakens the boundary");
  if (plan.relaxations.empty()) page.text(2, "none");
  for (const Relaxation& relaxation : plan.relaxations) {
    std::string reason = relaxation.reason;
    constexpr std::string_view prefix = "without_";
    if (relaxation.name.starts_with(prefix)) {
      if (const auto given_up = guarantee_named(relaxation.name.substr(prefix.size()))) reason = fmt::format("given up: {}", meaning_of(*given_up));
    }
    page.text(2, fmt::format("{}: {} [{}]", relaxation.name, reason, relaxation.origin.where));
  }
}

void explain_lines(Page& page, std::string_view heading, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  page.heading(heading);
  for (const std::string& line : lines) page.text(2, line);
}

std::string without_sandbox(const Explanation& explanation, Ink ink) {
  Page page(ink);
  page.title("No sandbox");
  page.row("command", explanation.command.empty() ? "any" : shell_words(explanation.command));
  page.row("because of", explanation.unsandboxed_by.where);
  page.text(2, "The command has everything that you have: all files, the network, the environment, your terminal.");
  explain_lines(page, "Warnings", explanation.warnings);
  return std::move(page).take();
}

}  // namespace

bool fits(const Explanation& explanation) { return explanation.plan == nullptr || explanation.chosen.has_value(); }

std::string explain_in_words(const Explanation& explanation, Ink ink) {
  if (explanation.plan == nullptr) return without_sandbox(explanation, ink);
  const Plan& plan = *explanation.plan;
  Page page(ink);
  explain_start(page, explanation);
  explain_refusal(page, explanation);
  explain_lines(page, "Warnings", explanation.warnings);
  explain_relaxations(page, plan);
  explain_choices(page, plan);
  explain_limits(page, plan.limits);
  explain_guarantees(page, explanation);
  explain_mounts(page, plan);
  explain_environment(page, plan);
  explain_rules(page, plan);
  explain_absent(page, plan);
  explain_seeds(page, plan);
  explain_lines(page, "Notes", plan.notes);
  return std::move(page).take();
}

}  // namespace paddock
