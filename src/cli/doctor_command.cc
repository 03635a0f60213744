#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "backend/declined.h"
#include "backend/probe_cache.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/doctor_harnesses.h"
#include "cli/messages.h"
#include "cli/setup.h"
#include "doctor/gather.h"
#include "doctor/report.h"
#include "plan/plan_summary.h"

namespace paddock {
namespace {

// An empty directory for as long as this lives: the workspace of the sandboxes that are looked at.
class ScratchWorkspace {
 public:
  ScratchWorkspace() {
    char name[] = "/tmp/paddock-doctor-XXXXXX";
    if (::mkdtemp(name) != nullptr) path_ = name;
  }
  ScratchWorkspace(const ScratchWorkspace&) = delete;
  ScratchWorkspace& operator=(const ScratchWorkspace&) = delete;
  ~ScratchWorkspace() {
    if (!path_.empty()) ::rmdir(path_.c_str());
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string variable(const Context& context, const char* name) {
  const auto found = context.environment.find(name);
  return found == context.environment.end() ? std::string() : found->second;
}

// What a sandbox of this policy must hold, without looking for its files.
Plan requirements_of(const Policy& policy) {
  Plan plan;
  plan.network = policy.network.value;
  plan.workspace_access = policy.filesystem.workspace.value;
  plan.limits.memory_bytes = policy.limits.memory_bytes.value;
  plan.limits.cpu_milli = policy.limits.cpu_milli.value;
  plan.limits.processes = policy.limits.processes.value;
  plan.limits.wall_time_ms = policy.limits.wall_time_ms.value;
  summarise(plan, policy, {});
  return plan;
}

std::vector<doctor::BackendFacts> ask_backends(const Context& context, const Setup& setup) {
  const ProbeRequest request = probe_request(context, setup.backends);
  const Plan wanted = requirements_of(setup.input.policy);
  const std::vector<const Backend*> tried = candidates(setup);
  std::vector<doctor::BackendFacts> all;
  for (const Backend& backend : backends()) {
    doctor::BackendFacts facts;
    facts.name = backend.name;
    facts.is_part = backend.lower != lower_declined;
    facts.is_listed = std::ranges::find(tried, &backend) != tried.end();
    facts.report = backend.probe(request);
    facts.unmet = unmet(wanted, facts.report);
    all.push_back(std::move(facts));
  }
  return all;
}

std::vector<doctor::DirectoryFacts> look_at_directories(const Context& context) {
  const Directories& places = context.directories;
  std::vector<doctor::DirectoryFacts> all{doctor::directory_facts("state", places.state), doctor::directory_facts("config", places.config),
                                          doctor::directory_facts("data", places.data), doctor::directory_facts("cache", places.cache)};
  const std::string runtime = variable(context, "XDG_RUNTIME_DIR");
  if (path::is_absolute(runtime)) all.push_back(doctor::directory_facts("runtime", path::join(path::normal(runtime), "paddock")));
  return all;
}

// A sandbox as a plain start would make it, but in the scratch directory.
std::optional<Plan> default_plan(const Context& context, const Setup& setup, const ScratchWorkspace& scratch) {
  if (scratch.path().empty()) return std::nullopt;
  ResolveInput input = setup.input;
  input.workspace = input.directory = scratch.path();
  auto plan = resolve(input, *context.host);
  if (!plan) return std::nullopt;
  return std::move(*plan);
}

doctor::Facts gather(const Context& context, Kept kept) {
  doctor::Facts facts;
  const HostUser user = context.host->user();
  facts.uid = user.uid;
  facts.real_root = user.real_root;
  facts.settings = read_host_settings();
  facts.kernel = doctor::kernel_facts();
  facts.namespaces = doctor::namespace_trials();
  facts.config_file = path::join(context.directories.config, "config.toml");
  facts.git = doctor::git_surroundings(*context.host, context.environment, context.directory);
  facts.terminal = doctor::terminal_facts(*context.host, context.environment);
  facts.directories = look_at_directories(context);
  const bool has_repository = facts.git.layout.kind != GitKind::none && facts.git.layout.kind != GitKind::broken;
  facts.install = doctor::install_facts({context.own_program, PADDOCK_VERSION, context.warden, has_repository ? facts.git.layout.root : std::string()});

  const Result<Setup> setup = prepare(context, {}, {});
  if (!setup) {
    facts.config_problem = setup.failure().message;
    facts.network = doctor::network_facts(*context.host, context.environment, nullptr);
    return facts;
  }
  facts.profile = setup->input.profile;
  facts.backends = ask_backends(context, *setup);
  const ScratchWorkspace scratch;
  const std::optional<Plan> plan = default_plan(context, *setup, scratch);
  facts.harnesses = harness_facts(context, setup->backends, scratch.path(), kept);
  facts.network = doctor::network_facts(*context.host, context.environment, plan ? &*plan : nullptr);
  return facts;
}

doctor::PageStyle page_style(const Context& context) {
  doctor::PageStyle style;
  winsize size{};
  const bool is_terminal = ::isatty(1) == 1;
  if (is_terminal && ::ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) style.columns = size.ws_col;
  if (is_terminal && variable(context, "NO_COLOR").empty() && variable(context, "TERM") != "dumb") style.ink = doctor::Ink::coloured;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string locale = variable(context, name);
    if (locale.empty()) continue;
    const bool is_utf8 = locale.find("UTF-8") != std::string::npos || locale.find("utf8") != std::string::npos;
    style.marks = is_utf8 ? doctor::Marks::unicode : doctor::Marks::ascii;
    break;
  }
  return style;
}

}  // namespace

Result<int> doctor_command(const Context& context, const Arguments& arguments) {
  if (!arguments.rest.empty()) return error(ErrorCode::usage, "doctor takes no words: " + visible(arguments.rest.front()), "paddock doctor --help");
  const Kept kept = arguments.has("--recheck") ? Kept::ask_again : Kept::use;
  if (kept == Kept::ask_again) {
    for (const Backend& backend : backends()) forget_probe(context.directories.state, backend.name);
  }
  const doctor::Facts facts = gather(context, kept);
  const std::vector<doctor::Finding> findings = doctor::examine(facts);
  print_out(arguments.has("--json") ? doctor::as_json(findings, facts) : doctor::in_words(findings, facts, page_style(context)));
  return doctor::is_fit(findings) ? 0 : 1;
}

}  // namespace paddock
