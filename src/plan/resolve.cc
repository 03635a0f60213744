#include "plan/resolve.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "plan/command_choice.h"
#include "plan/environment_view.h"
#include "plan/git_view.h"
#include "plan/identity_view.h"
#include "plan/mount_table.h"
#include "plan/plan_summary.h"
#include "plan/protector.h"
#include "plan/risk.h"
#include "plan/rules.h"
#include "plan/state_view.h"
#include "plan/system_view.h"
#include "plan/toolchain_view.h"
#include "plan/tree_protection.h"
#include "plan/workspace_choice.h"
#include "policy/words.h"

namespace paddock {
namespace {

constexpr std::uint32_t uid_for_real_root = 1000;  // agents refuse uid 0, and nested user namespaces fail as it

PlanUser user_inside(const HostUser& user) {
  PlanUser inside{user.uid, user.gid, user.name, user.home, user.shell, user.real_root};
  if (user.uid != 0) return inside;
  inside.uid = uid_for_real_root;
  inside.gid = uid_for_real_root;
  inside.name = "user";
  return inside;
}

// One resolution: the steps of resolve(), narrated there.
class Resolution {
 public:
  Resolution(const ResolveInput& input, const HostView& host)
      : input_(input), policy_(input.policy), host_(host), protector_(table_, host) {}

  Result<void> choose_place() {
    const HostUser user = host_.user();
    plan_.user = user_inside(user);
    WorkspaceChoice choice = TRY(choose_workspace(input_.workspace, input_.directory, user.home, host_));
    plan_.workspace = choice.root;
    plan_.directory = choice.directory;
    layout_ = std::move(choice.layout);
    // A repository above the workspace is not granted: it is none here.
    if (!path::is_within(layout_.root, plan_.workspace)) layout_ = {};
    plan_.git_kind = layout_.kind;
    if (layout_.root.empty()) layout_.root = plan_.workspace;
    context_ = {plan_.workspace, user.home};
    // Real root leaves its groups behind.
    if (!user.real_root) powerful_groups_ = user.powerful_groups;
    return {};
  }

  Result<void> find_command() {
    CommandChoice choice = TRY(choose_command(input_, host_, plan_.directory));
    search_path_ = std::move(choice.search_path);
    executable_ = std::move(choice.executable);
    plan_.harness = input_.harness->id;
    plan_.hosted_model = input_.harness->hosted_model;
    plan_.command = std::move(choice.command);
    return {};
  }

  Result<void> claim_world() {
    if (policy_.filesystem.world.value == World::host) return {};  // refused by guarantee: no backend here holds it
    claim_private_places(table_, host_, plan_.user);
    TRY(claim_system(table_, host_, plan_.user, policy_.network.value));
    if (policy_.filesystem.temp.value == Temp::host) table_.show("/tmp", host_.look("/tmp"), MountAccess::read_write, Strength::writable, "the host's temporary files", policy_.filesystem.temp.origin);
    return {};
  }

  Result<void> claim_grants_and_workspace() {
    const FilesystemPolicy& files = policy_.filesystem;
    plan_.workspace_access = files.workspace.value;
    const bool writable = files.workspace.value == WorkspaceAccess::read_write;
    table_.show(plan_.workspace, host_.look(plan_.workspace), writable ? MountAccess::read_write : MountAccess::read_only,
                writable ? Strength::writable : Strength::read_only, "workspace", files.workspace.origin);
    granted_.push_back({plan_.workspace, FileKind::directory, writable ? MountAccess::read_write : MountAccess::read_only, files.workspace.origin});
    TRY(claim_grants(table_, host_, files, context_, granted_, plan_.outcomes));
    if (policy_.ssh_agent.value) claim_agent_socket();
    return judge_grants();
  }

  // After the grants: what lies inside one is not shown a second time.
  void claim_tools() {
    claim_executable(table_, host_, executable_, context_.home);
    const FilesystemPolicy& files = policy_.filesystem;
    if (files.toolchains.value == Toolchains::path) claim_toolchains(table_, host_, search_path_, files.toolchains.origin);
    if (files.dotfiles.value == Dotfiles::listed) claim_dotfiles(table_, host_, context_.home, files.dotfiles.origin);
    if (files.caches.value != Caches::tools) return;
    for (std::string& absent : claim_tool_caches(table_, host_, context_.home, input_.cache_directory, files.caches.origin)) {
      plan_.seeds.push_back({std::move(absent), true, {}, {}});
    }
  }

  Result<void> claim_git_and_state() {
    plan_.git = policy_.git.value;
    claim_git_directories(table_, host_, git_input());
    for (Relaxation& relaxation : git_relaxations(layout_)) plan_.relaxations.push_back(std::move(relaxation));
    if (layout_.kind == GitKind::broken) plan_.notes.push_back("git will not work inside: " + visible(layout_.problem));
    opt_out();
    state_ = claim_state(table_, protector_, host_, state_input());
    for (const GrantedPath& directory : state_.shown) {
      if (std::string why = refusal_of_state(directory, risk_input()); !why.empty()) {
        return error(ErrorCode::cannot_start, fmt::format("{} is to be the state directory of {}: {}", visible(directory.path), input_.harness->display, why),
                     "move it to a directory of its own");
      }
    }
    for (Seed& seed : state_.seeds) plan_.seeds.push_back(std::move(seed));
    return {};
  }

  // What later sessions and the host would run.
  Result<void> protect_trees() {
    matches_ = TRY(RuleMatches::find(policy_.filesystem, context_, roots(), host_));
    hide_own_directories();
    const std::vector<std::string> given_up = given_up_names();
    if (std::ranges::find(given_up, "protect_existing") != given_up.end()) return {};
    protect_trees_of(protector_, host_, {granted_, plan_.workspace, context_.home, git_input()});
    protect_git(protector_, host_, git_input());
    claim_protections(protector_, host_, policy_.filesystem.protect, context_, roots(), matches_, plan_.outcomes);
    return {};
  }

  void hide_masked() { claim_masks(table_, host_, policy_.filesystem.mask, context_, matches_, {plan_.outcomes, plan_.relaxations}); }

  Result<void> finish_mounts() {
    if (policy_.filesystem.dotfiles.value != Dotfiles::none) {
      for (std::string& note : claim_git_identity(table_, host_, {layout_, plan_.workspace, context_.home})) plan_.notes.push_back(std::move(note));
    }
    plan_.mounts = TRY(table_.ordered());
    plan_.absent = protector_.take_absent();
    for (Relaxation& relaxation : protector_.take_relaxations()) plan_.relaxations.push_back(std::move(relaxation));
    if (!table_.is_visible(plan_.directory)) {
      return error(ErrorCode::cannot_start, fmt::format("the current directory {} is not visible inside", visible(plan_.directory)),
                   "grant it with --ro or --rw, or start inside the workspace");
    }
    return {};
  }

  void fill_environment() {
    EnvironmentInput environment;
    environment.base = policy_.environment_base.value;
    environment.base_origin = policy_.environment_base.origin;
    environment.rules = policy_.variables;
    environment.harness = input_.harness;
    environment.credentials = policy_.credentials.value;
    environment.shims = executable_.shims;
    environment.permissions = policy_.permissions.value;
    environment.user = plan_.user;
    environment.state = state_.first;
    environment.exported = state_.exported;
    environment.git_overrides = git_overrides();
    environment.host = input_.environment;
    if (policy_.ssh_agent.value) environment.rules.push_back({"SSH_AUTH_SOCK", std::nullopt, policy_.ssh_agent.origin});
    plan_.environment = environment_of(environment, table_, host_);
  }

  void fill_rest() {
    plan_.profile = input_.profile;
    plan_.network = policy_.network.value;
    plan_.nested = plan_.user.real_root ? Nested::off : policy_.nested.value;
    if (plan_.user.real_root && policy_.nested.value != Nested::off) plan_.notes.push_back("nested namespaces are off: never under real root");
    plan_.limits = {policy_.limits.memory_bytes.value, policy_.limits.cpu_milli.value, policy_.limits.processes.value, policy_.limits.wall_time_ms.value};
    summarise(plan_, policy_, powerful_groups_);
  }

  Plan take() && { return std::move(plan_); }

 private:
  GitViewInput git_input() const {
    return {layout_, policy_.git.value, policy_.filesystem.workspace.value == WorkspaceAccess::read_write, input_.harness->id != "generic"};
  }

  StateInput state_input() const {
    StateInput state = paddock::state_input(input_, context_.home);
    state.private_root = path::join(input_.state_directory, "private" + plan_.workspace);
    return state;
  }

  void opt_out() {
    std::vector<std::string> opted_out;
    for (const PatternRule& rule : policy_.filesystem.protect) {
      if (!rule.negated) continue;
      opted_out.push_back(rule.pattern);
      plan_.relaxations.push_back({"unprotected", visible(rule.pattern) + " may be changed, and the host may act on it", rule.origin});
    }
    protector_.opt_out(std::move(opted_out));
  }

  // Paddock's own directories are never inside, whatever holds them.
  void hide_own_directories() {
    for (const std::string& own : own_directories()) {
      const std::string real = host_.real_path(own).value_or(own);
      if (!table_.is_visible(real) || host_.look(real).kind != FileKind::directory) continue;
      Claim claim;
      claim.strength = Strength::mask;
      claim.mount.kind = MountKind::mask_directory;
      claim.mount.target = real;
      claim.mount.reason = "Paddock's own";
      claim.mount.origin = {OriginKind::built_in, "built in"};
      table_.claim(std::move(claim));
    }
  }

  std::vector<std::string> own_directories() const {
    std::vector<std::string> own = input_.own_directories;
    own.insert(own.end(), {input_.state_directory, input_.cache_directory});
    return own;
  }

  RiskInput risk_input() const {
    RiskInput risk;
    risk.home = host_.real_path(context_.home).value_or(context_.home);
    risk.search_path = search_path_;
    risk.own_directories = own_directories();
    const std::vector<std::string> given_up = given_up_names();
    risk.plants_allowed = std::ranges::find(given_up, "protect_existing") != given_up.end();
    return risk;
  }

  // Trees that a person granted or that are writable for the harness, where patterns look.
  std::vector<std::string> roots() const {
    std::vector<std::string> all;
    for (const GrantedPath& grant : granted_) {
      if (grant.kind == FileKind::directory) all.push_back(grant.path);
    }
    if (!layout_.common_dir.empty()) all.push_back(layout_.common_dir);
    for (const GrantedPath& directory : state_.shown) all.push_back(directory.path);
    return all;
  }

  Result<void> judge_grants() {
    const RiskInput risk = risk_input();
    for (const GrantedPath& grant : granted_) {
      if (std::string why = refusal_of(grant, risk); !why.empty()) {
        return error(ErrorCode::cannot_start, grant.origin.where + ": " + why, "grant a directory inside the project instead");
      }
      if (auto relaxation = risk_of(grant, risk)) plan_.relaxations.push_back(std::move(*relaxation));
    }
    return {};
  }

  void claim_agent_socket() {
    const auto socket = input_.environment.find("SSH_AUTH_SOCK");
    if (socket == input_.environment.end()) return;
    const std::string real = host_.real_path(socket->second).value_or(socket->second);
    const HostFile file = host_.look(real);
    if (file.kind != FileKind::socket) {
      plan_.notes.push_back("no SSH agent: SSH_AUTH_SOCK names no socket");
      return;
    }
    if (real != socket->second) claim_link_chain(table_, host_, socket->second, "the SSH agent", policy_.ssh_agent.origin);
    table_.show(real, file, MountAccess::read_write, Strength::writable, "the SSH agent", policy_.ssh_agent.origin);
    plan_.relaxations.push_back({"ssh_agent", "whatever runs inside can sign with the keys of your SSH agent", policy_.ssh_agent.origin});
  }

  std::vector<std::string> given_up_names() const {
    std::vector<std::string> names;
    for (const NamedRule& rule : policy_.without) names.push_back(rule.name);
    return names;
  }

  const ResolveInput& input_;
  const Policy& policy_;
  const HostView& host_;
  MountTable table_;
  Protector protector_;
  Plan plan_;
  GitLayout layout_;
  RuleContext context_;
  std::string search_path_;
  Executable executable_;
  std::vector<GrantedPath> granted_;
  std::vector<std::string> powerful_groups_;
  StateResult state_;
  RuleMatches matches_;
};

}  // namespace

Result<Plan> resolve(const ResolveInput& input, const HostView& host) {
  if (input.policy.git.value == GitMode::private_copy) {
    return error(ErrorCode::cannot_start, "git mode \"private\" comes with workspaces, which this version does not have", "use [git] mode = \"protected\"");
  }
  Resolution resolution(input, host);
  TRY(resolution.choose_place());
  TRY(resolution.find_command());
  TRY(resolution.claim_world());
  TRY(resolution.claim_grants_and_workspace());
  resolution.claim_tools();
  TRY(resolution.claim_git_and_state());

  // From here on everything that is visible or writable is claimed; what follows only takes away.

  TRY(resolution.protect_trees());
  resolution.hide_masked();
  TRY(resolution.finish_mounts());
  resolution.fill_environment();
  resolution.fill_rest();
  return std::move(resolution).take();
}

}  // namespace paddock
