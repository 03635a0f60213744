#include "plan/resolve.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "plan/ceiling_check.h"
#include "plan/command_choice.h"
#include "plan/environment_view.h"
#include "plan/git_view.h"
#include "plan/identity_view.h"
#include "plan/mount_table.h"
#include "plan/own_places.h"
#include "plan/plan_summary.h"
#include "plan/protector.h"
#include "plan/risk.h"
#include "plan/rules.h"
#include "plan/socket_view.h"
#include "plan/ssh_agent_view.h"
#include "plan/state_view.h"
#include "plan/system_view.h"
#include "plan/toolchain_view.h"
#include "plan/tree_protection.h"
#include "plan/workspace_choice.h"
#include "plan/world_view.h"
#include "policy/words.h"

namespace paddock {
namespace {

constexpr std::uint32_t uid_for_real_root = 1000;  // agents refuse uid 0, and nested user namespaces fail as it

enum class KernelUid { unprivileged, as_started };

PlanUser user_inside(const HostUser& user, KernelUid kernel_uid) {
  PlanUser inside{user.uid, user.gid, user.name, user.home, user.shell, user.real_root, user.real_root && kernel_uid == KernelUid::as_started};
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
      : input_(input), policy_(input.policy), host_(host), protector_(table_, host, makes_on_host() ? StandInUse::allowed : StandInUse::none) {}

  Result<void> choose_place() {
    const HostUser user = host_.user();
    plan_.user = user_inside(user, is_given_up(Guarantee::kernel_uid_unprivileged) ? KernelUid::as_started : KernelUid::unprivileged);
    WorkspaceChoice choice = TRY(choose_workspace(input_.workspace, input_.directory, user.home, host_));
    plan_.workspace = choice.root;
    plan_.directory = choice.directory;
    // Outside the workspace too, where everything is visible.
    const auto here = host_.real_path(input_.directory);
    if (!makes_on_host() && here && host_.look(*here).kind == FileKind::directory) plan_.directory = *here;
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

  Result<void> claim_the_world() {
    const FilesystemPolicy& files = policy_.filesystem;
    TRY(check_sockets_can_be_hidden(policy_));
    ClaimedWorld world = TRY(claim_world(table_, host_, {files, plan_.user, policy_.network.value, input_.environment, search_path_, plan_.workspace, is_given_up(Guarantee::processes_hidden) ? ProcessList::outside : ProcessList::own}));
    temporary_ = std::move(world.temporary);
    for (const GrantedPath& shared : world.granted) plan_.notes.push_back(fmt::format("{} is shared with the host: TMPDIR names it", visible(shared.path)));
    granted_ = std::move(world.granted);
    return {};
  }

  Result<void> claim_grants_and_workspace() {
    const FilesystemPolicy& files = policy_.filesystem;
    plan_.workspace_access = files.workspace.value;
    const bool writable = files.workspace.value == WorkspaceAccess::read_write;
    const bool is_shown = plan_.workspace == "/" && !writable && files.world.value == World::host;
    if (!is_shown) {
      table_.show(plan_.workspace, host_.look(plan_.workspace), writable ? MountAccess::read_write : MountAccess::read_only,
                  writable ? Strength::writable : Strength::read_only, "workspace", files.workspace.origin);
    }
    granted_.push_back({plan_.workspace, FileKind::directory, writable ? MountAccess::read_write : MountAccess::read_only, files.workspace.origin});
    TRY(claim_grants(table_, host_, files, context_, granted_, plan_.outcomes));
    if (policy_.ssh_agent.value) {
      ShownAgent agent = TRY(claim_ssh_agent(table_, host_, agent_input()));
      plan_.ssh_agent = std::move(agent.socket);
      plan_.relaxations.push_back(std::move(agent.relaxation));
    }
    return judge_grants();
  }

  // After the grants: what lies inside one is not shown a second time.
  void claim_tools() {
    claim_executable(table_, host_, executable_, context_.home);
    const FilesystemPolicy& files = policy_.filesystem;
    if (files.toolchains.value == Toolchains::path) claim_toolchains(table_, host_, search_path_, files.toolchains.origin);
    if (files.dotfiles.value == Dotfiles::listed) claim_dotfiles(table_, host_, context_.home, files.dotfiles.origin);
    if (files.caches.value != Caches::tools) return;
    if (!makes_on_host()) return plan_.notes.push_back("tool caches of Paddock's own need a home of the sandbox's own: none with world = \"host\"");
    for (std::string& absent : claim_tool_caches(table_, host_, context_.home, input_.cache_directory, files.caches.origin)) {
      plan_.seeds.push_back({std::move(absent), true, {}, {}});
    }
  }

  Result<void> claim_git_and_state() {
    plan_.git = policy_.git.value;
    claim_git_directories(table_, host_, git_input());
    for (Relaxation& relaxation : git_relaxations(layout_)) plan_.relaxations.push_back(std::move(relaxation));
    if (layout_.kind == GitKind::broken) plan_.notes.push_back("git will not work inside: " + visible(layout_.problem));
    if (input_.only_named && layout_.kind != GitKind::none && layout_.kind != GitKind::broken && !table_.is_writable(layout_.common_dir)) {
      plan_.notes.push_back(visible(layout_.common_dir) + " is not among the writable places: git can read the repository and not commit to it");
    }
    opt_out();
    state_ = TRY(claim_state(table_, protector_, host_, state_input()));
    for (std::string& note : state_.notes) plan_.notes.push_back(std::move(note));
    const Places places{context_.home, context_.workspace};
    for (const GrantedPath& directory : state_.shown) {
      std::string why = refusal_of_state(directory, risk_input(), host_);
      if (why.empty()) why = CeilingCheck(input_.ceiling, places, host_).refusal_of_state(directory, *input_.harness);
      if (!why.empty()) {
        return error(ErrorCode::cannot_start, fmt::format("{} is to be the state directory of {}: {}", visible(directory.path), input_.harness->display, why),
                     "move it to a directory of its own");
      }
    }
    for (Seed& seed : state_.seeds) {
      if (makes_on_host()) plan_.seeds.push_back(std::move(seed));
      else plan_.notes.push_back(fmt::format("{} is absent, and with world = \"host\" it is not created", visible(seed.path)));
    }
    return {};
  }

  // What later sessions and the host would run.
  Result<void> protect_trees() {
    matches_ = TRY(RuleMatches::find(policy_.filesystem, context_, roots(), host_));
    for (Seed& seed : claim_own_places(table_, protector_, host_, {own_directories(), input_.own_programs})) plan_.seeds.push_back(std::move(seed));
    if (is_given_up(Guarantee::protect_existing)) return {};
    protect_trees_of(protector_, host_, {granted_, plan_.workspace, context_.home, git_input(), search_directories(risk_input(), host_)});
    protect_git(protector_, host_, git_input());
    claim_protections(protector_, host_, policy_.filesystem.protect, context_, roots(), matches_, plan_.outcomes);
    return {};
  }

  void hide_masked() {
    std::vector<std::string> links;
    const RuleReport report{plan_.outcomes, plan_.relaxations, links};
    claim_masks(table_, host_, policy_.filesystem.mask, context_, matches_, report);
    claim_exact_masks(table_, host_, input_.masked, report);
    // Led elsewhere, it would hide something else the next time.
    const Origin built_in{OriginKind::built_in, "built in: masked links"};
    for (const std::string& link : links) protector_.protect({path::parent(link), link, "masked link", false, WhenAbsent::check, {}, true, false, built_in});
    if (!policy_.ssh_agent.value) hide_ssh_agent(table_, host_, agent_input(), granted_);
  }

  // Of the worlds that show places which nobody granted one by one.
  Result<void> hide_host_sockets() {
    const FilesystemPolicy& files = policy_.filesystem;
    if (files.world.value == World::host) TRY(hide_sockets(table_, host_, files.world.origin));
    else if (files.temp.value == Temp::host) TRY(hide_sockets(table_, host_, files.temp.origin));
    for (Relaxation& socket : sockets_in_reach(table_, host_, granted_directories(), granted_)) plan_.relaxations.push_back(std::move(socket));
    return {};
  }

  Result<void> finish_mounts() {
    if (policy_.filesystem.dotfiles.value != Dotfiles::none) {
      for (std::string& note : claim_git_identity(table_, host_, {layout_, plan_.workspace, context_.home})) plan_.notes.push_back(std::move(note));
    }
    if (!makes_on_host()) {
      if (drops_kernel_uid(plan_.user)) table_.remove_unreachable(host_);
      look_at_world();
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
    environment.host = &input_.environment;
    environment.temporary = temporary_;
    if (policy_.ssh_agent.value) environment.rules.push_back({"SSH_AUTH_SOCK", std::nullopt, policy_.ssh_agent.origin});
    plan_.environment = environment_of(environment, table_, host_);
  }

  void fill_rest() {
    plan_.profile = input_.profile;
    plan_.network = policy_.network.value;
    plan_.nested = plan_.user.real_root ? Nested::off : policy_.nested.value;
    if (plan_.user.real_root && policy_.nested.value != Nested::off) plan_.notes.push_back("nested namespaces are off: never under real root");
    if (plan_.nested != Nested::off && is_given_up(Guarantee::processes_hidden)) {
      plan_.nested = Nested::off;
      plan_.notes.push_back("nested namespaces are off: they need a /proc of the sandbox's own");
    }
    plan_.limits = {policy_.limits.memory_bytes.value, policy_.limits.cpu_milli.value, policy_.limits.processes.value, policy_.limits.wall_time_ms.value};
    summarise(plan_, policy_, powerful_groups_);
  }

  Plan take() && { return std::move(plan_); }

 private:
  // In a world that is the host's nothing is made for a sandbox: no stand-in, no directory.
  bool makes_on_host() const { return policy_.filesystem.world.value != World::host; }

  void look_at_world() {
    for (const std::string& target : table_.remove_unplaced(host_)) {
      plan_.notes.push_back(fmt::format("{} is absent, and with world = \"host\" it is not created", visible(target)));
    }
    plan_.relaxations.push_back(risk_of_world(table_, host_, host_.real_path(context_.home).value_or(context_.home), policy_.filesystem.world.origin));
  }

  GitViewInput git_input() const {
    return {layout_, policy_.git.value, policy_.filesystem.workspace.value == WorkspaceAccess::read_write, input_.harness->id != "generic", !input_.only_named};
  }

  StateInput state_input() const {
    StateInput state = paddock::state_input(input_, context_.home);
    state.private_root = private_root_of(input_.data_directory, plan_.workspace);
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

  std::vector<std::string> own_directories() const {
    std::vector<std::string> own = input_.own_directories;
    own.insert(own.end(), {input_.state_directory, input_.cache_directory, input_.data_directory});
    return own;
  }

  RiskInput risk_input() const {
    RiskInput risk;
    risk.home = host_.real_path(context_.home).value_or(context_.home);
    risk.workspace = plan_.workspace;
    risk.search_path = search_path_;
    risk.own_directories = own_directories();
    risk.plants_allowed = is_given_up(Guarantee::protect_existing);
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
    const Places places{context_.home, context_.workspace};
    const CeilingCheck ceiling(input_.ceiling, places, host_);
    for (const GrantedPath& grant : granted_) {
      const bool is_workspace = grant.path == plan_.workspace;
      if (std::string why = refusal_of(grant, risk, host_); !why.empty()) {
        return error(ErrorCode::cannot_start, grant.origin.where + ": " + why,
                     is_workspace ? "show it read-only (--fs ro), or give up what protects it by name: --without protect_existing" : "grant a directory inside the project instead");
      }
      if (std::string why = is_workspace ? ceiling.refusal_of_workspace(grant) : ceiling.refusal_of_grant(grant); !why.empty()) {
        return error(ErrorCode::cannot_start, is_workspace ? why : grant.origin.where + ": " + why);
      }
      for (Relaxation& relaxation : risks_of(grant, risk, host_)) plan_.relaxations.push_back(std::move(relaxation));
    }
    return {};
  }

  SshAgentInput agent_input() const { return {input_.environment, context_.home, plan_.workspace, policy_.ssh_agent.origin}; }

  std::vector<std::string> granted_directories() const {
    std::vector<std::string> all;
    for (const GrantedPath& grant : granted_) {
      if (grant.kind == FileKind::directory) all.push_back(grant.path);
    }
    if (plan_.directory != plan_.workspace) all.push_back(plan_.directory);
    return all;
  }

  bool is_given_up(Guarantee guarantee) const { return std::ranges::find(policy_.without, name_of(guarantee), &NamedRule::name) != policy_.without.end(); }

  const ResolveInput& input_;
  const Policy& policy_;
  const HostView& host_;
  MountTable table_;
  Protector protector_;
  Plan plan_;
  GitLayout layout_;
  RuleContext context_;
  std::string search_path_;
  std::string temporary_;  // $TMPDIR inside
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
  TRY(resolution.claim_the_world());
  TRY(resolution.claim_grants_and_workspace());
  resolution.claim_tools();
  TRY(resolution.claim_git_and_state());

  // From here on everything that is visible or writable is claimed; what follows only takes away.

  TRY(resolution.protect_trees());
  resolution.hide_masked();
  TRY(resolution.hide_host_sockets());
  TRY(resolution.finish_mounts());
  resolution.fill_environment();
  resolution.fill_rest();
  return std::move(resolution).take();
}

}  // namespace paddock
