#include "cli/wrapped_setup.h"

#include "base/path.h"
#include "harness/catalogue.h"
#include "wrap/policy.h"

namespace paddock {
namespace {

// What programs are found by and where temporary files go: the request's word counts for the plan too.
constexpr const char* said_by_request[] = {"PATH", "TMPDIR", "XDG_RUNTIME_DIR"};

// Whatever is beyond it was asked by the request, which is not answered with less than it says.
void bring_under_ceiling(const Context& context, const WrapRequest& request, WrappedSetup& wrapped) {
  Setup& setup = wrapped.setup;
  const Ceiling& ceiling = setup.tiers->tiers.ceiling;
  if (!setup.sandboxed) {
    const NamedRule* rule = forbidding(ceiling, "no_sandbox");
    if (rule != nullptr) wrapped.breaches.push_back(in_words(Breach{"no_sandbox", "no confinement", "not no_sandbox", {OriginKind::flag, "the request's mode"}, rule->origin}));
    return;
  }
  UnderCeiling low = under(setup.input.policy, ceiling, {context.host->user().home, request.workspace_root});
  for (const Breach& breach : low.breaches) wrapped.breaches.push_back(in_words(breach));
  setup.input.policy = std::move(low.policy);
}

}  // namespace

WrapContext::WrapContext(const Context& outer, std::map<std::string, std::string> environment, std::string directory)
    : environment_(std::make_unique<std::map<std::string, std::string>>(std::move(environment))), host_(std::make_unique<RealHost>(*environment_, directory)), context_(outer) {
  context_.environment = *environment_;
  context_.directory = std::move(directory);
  context_.directories = directories_of(*environment_, host_->user().home);
  context_.host = host_.get();
  host_->keep_views_in(context_.directories.state);
}

std::map<std::string, std::string> wrap_environment(const std::map<std::string, std::string>& host, const WrapRequest& request) {
  std::map<std::string, std::string> environment = plan_environment(host);
  for (const char* name : said_by_request) {
    const auto said = request.environment.find(name);
    if (said != request.environment.end()) environment[name] = said->second;
  }
  return environment;
}

Result<WrappedSetup> wrapped_setup(const Context& context, const WrapRequest& request, std::vector<std::string> command) {
  Arguments arguments;
  arguments.sandbox = {{"--sandbox-workspace", request.workspace_root}};
  WrappedSetup wrapped{TRY(prepare(context, arguments, {})), {}};
  Setup& setup = wrapped.setup;
  setup.sandboxed = !confines_nothing(request);
  setup.choice = {};
  *setup.harness = generic_harness();
  setup.given = request.environment;
  ResolveInput& input = setup.input;
  input.policy = policy_of(request, input.policy);
  input.profile = "wrap";
  input.command = std::move(command);
  input.workspace = request.workspace_root;
  input.directory = request.cwd;
  input.masked = request.mask_paths;
  input.only_named = true;
  bring_under_ceiling(context, request, wrapped);
  return wrapped;
}

}  // namespace paddock
