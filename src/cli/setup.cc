#include "cli/setup.h"

#include <dirent.h>

#include <algorithm>

#include <fmt/core.h>

#include "backend/shipped.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/start_checks.h"
#include "harness/catalogue.h"
#include "plan/reach.h"
#include "policy/profile.h"
#include "sandbox/cgroup.h"
#include "sandbox/coming_up.h"

namespace paddock {
namespace {

// Names of the TOML files in a directory, without their ending.
std::vector<std::string> toml_names(const std::string& directory) {
  std::vector<std::string> names;
  DIR* open = ::opendir(directory.c_str());
  if (open == nullptr) return names;
  while (const dirent* entry = ::readdir(open)) {
    const std::string name = entry->d_name;
    if (name.size() > 5 && name.ends_with(".toml")) names.push_back(name.substr(0, name.size() - 5));
  }
  ::closedir(open);
  std::ranges::sort(names);
  return names;
}

Result<void> read_env_files(const Context& context, SandboxChoice& choice) {
  for (const std::string& file : choice.env_files) {
    const std::string place = path::normal(file, context.directory);
    auto text = read_file(place, env_file_bytes_max);
    if (!text) return error(ErrorCode::usage, "--env-file: " + text.failure().message, "name a file that can be read");
    for (VariableRule& rule : TRY(parse_env_file(*text, visible(file)))) {
      rule.origin = {OriginKind::flag, "--env-file " + file};
      choice.overlay.variables.push_back(std::move(rule));
    }
  }
  return {};
}

std::map<std::string, std::string> values_given(const Policy& policy) {
  std::map<std::string, std::string> given;
  for (const VariableRule& rule : policy.variables) {
    if (rule.value) given[rule.name] = *rule.value;
  }
  return given;
}

Result<void> check_words(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word.find('\0') != std::string::npos) return error(ErrorCode::usage, "an argument holds a NUL byte");
  }
  if (!words.empty() && words.front().empty()) return error(ErrorCode::usage, "the command is empty", "name a command: paddock run -- COMMAND");
  return {};
}

Result<void> choose_harness(const Context& context, std::vector<std::string> words, Setup& setup) {
  setup.harness = std::make_unique<Manifest>(generic_harness());
  if (!words.empty()) {
    auto named = TRY(find_harness(words.front(), manifest_reader(context)));
    if (named) {
      *setup.harness = std::move(*named);
      words.erase(words.begin());
    }
  }
  setup.input.harness = setup.harness.get();
  setup.input.command = std::move(words);
  return check_words(setup.input.command);
}

}  // namespace

ProfileReader profile_reader(const Context& context) {
  const std::string directory = path::join(context.directories.config, "profiles");
  ProfileReader reader;
  reader.read = [directory, &context](const std::string& name) -> Result<std::optional<ProfileText>> {
    auto text = TRY(read_config_file(context, "profiles/" + name + ".toml"));
    if (!text) return std::optional<ProfileText>{};
    return std::optional<ProfileText>(ProfileText{std::move(*text), visible(path::join(directory, name + ".toml")), directory});
  };
  reader.names = [directory] { return toml_names(directory); };
  return reader;
}

ManifestReader manifest_reader(const Context& context) {
  const std::string directory = path::join(context.directories.config, "harnesses");
  ManifestReader reader;
  reader.read = [directory, &context](const std::string& id) -> Result<std::optional<ManifestText>> {
    auto text = TRY(read_config_file(context, "harnesses/" + id + ".toml"));
    if (!text) return std::optional<ManifestText>{};
    return std::optional<ManifestText>(ManifestText{std::move(*text), visible(path::join(directory, id + ".toml"))});
  };
  reader.ids = [directory] { return toml_names(directory); };
  return reader;
}

GuaranteeNames guarantee_names() {
  GuaranteeNames names;
  for (const Guarantee guarantee : all_guarantees()) {
    (can_be_given_up(guarantee) ? names.can_be_given_up : names.always_held).emplace_back(name_of(guarantee));
  }
  return names;
}

Result<SandboxChoice> read_choice(const Context& context, const Arguments& arguments) {
  SandboxFlagContext flags;
  flags.directory = context.directory;
  flags.guarantees = guarantee_names();
  flags.check_profile = [&](std::string_view name) -> Result<void> {
    TRY(load_profile(name, profile_reader(context)));
    return {};
  };
  SandboxChoice choice = TRY(read_sandbox_flags(arguments.sandbox, flags));
  TRY(read_env_files(context, choice));
  return choice;
}

Result<Setup> prepare(const Context& context, const Arguments& arguments, std::vector<std::string> words) {
  Setup setup;
  setup.choice = TRY(read_choice(context, arguments));
  setup.tiers = std::make_unique<TierFiles>(TRY(read_tiers(context, setup.choice)));
  MergedTiers& merged = setup.tiers->merged;
  setup.backends = merged.backends;
  setup.sandboxed = merged.sandboxed;
  setup.unsandboxed_by = merged.unsandboxed_by;
  setup.input.policy = merged.policy;
  setup.input.profile = merged.profile;
  setup.input.ceiling = &setup.tiers->tiers.ceiling;
  setup.given = values_given(setup.input.policy);
  TRY(choose_harness(context, std::move(words), setup));
  setup.input.workspace = setup.choice.workspace.value;
  setup.input.directory = context.directory;
  setup.input.environment = context.environment;
  setup.input.state_directory = context.directories.state;
  setup.input.cache_directory = path::join(context.directories.cache, "tools");
  setup.input.data_directory = context.directories.data;
  setup.input.own_programs = {context.own_program, context.warden};
  setup.input.own_directories = {context.directories.config};
  return setup;
}

Result<Plan> make_plan(const Context& context, const Setup& setup) {
  Plan plan = TRY(resolve(setup.input, *context.host));
  TRY(check_plan(context, setup, plan));
  return plan;
}

std::vector<std::string> start_lines(const Setup& setup) {
  std::vector<std::string> lines = setup.choice.warnings;
  const bool is_granted = setup.tiers->files.back().state == TierState::granted;
  for (std::string& line : tier_lines(setup.tiers->merged, is_granted)) lines.push_back(std::move(line));
  return lines;
}

namespace {

// In ../lib/paddock when Paddock is installed. A build tree has none there.
ShippedProgram shipped_program(const Context& context) {
  const ShippedVersion shipped = shipped_bubblewrap();
  if (shipped.sha256.empty()) return {};
  return {path::normal("../lib/paddock/bwrap", path::parent(context.own_program)), std::string(shipped.sha256)};
}

}  // namespace

ProbeRequest probe_request(const Context& context, const BackendSettings& settings) {
  ProbeRequest request;
  request.settings.program = path::expand_home(settings.bubblewrap_program.value, context.host->user().home);
  if (settings.bubblewrap_probe_seconds.stated) request.settings.probe_timeout_s = static_cast<unsigned>(settings.bubblewrap_probe_seconds.value);
  const auto search_path = context.environment.find("PATH");
  request.shipped = shipped_program(context);
  request.search_path = search_path == context.environment.end() ? "/usr/local/bin:/usr/bin:/bin" : search_path->second;
  request.warden = context.warden;
  request.cache_directory = context.directories.state;
  request.real_root = context.host->user().real_root;
  request.run = [warden = context.warden](const LowerRequest& lower, Result<Launch> (*by)(const LowerRequest&), unsigned timeout_s) { return run_probe(lower, by, warden, timeout_s); };
  return request;
}

std::vector<const Backend*> candidates(const Setup& setup) {
  const SandboxType type = setup.choice.type.stated ? setup.choice.type.value : SandboxType::automatic;
  if (type != SandboxType::automatic) return {backend_named(word_of(type))};
  std::vector<const Backend*> all;
  if (setup.backends.order.stated) {
    for (const std::string& name : setup.backends.order.value) {
      if (const Backend* backend = backend_named(name)) all.push_back(backend);
    }
    return all;
  }
  for (const Backend& backend : backends()) all.push_back(&backend);
  return all;
}

std::string reasons_of(std::string_view backend, const std::vector<Missing>& missing) {
  std::string text;
  for (const Missing& one : missing) {
    text += fmt::format("\n  {}: {}{}", backend, one.what == "start" ? "" : one.what + ": ", one.why);
    if (!one.fix.empty()) text += fmt::format("\n    fix: {}", one.fix);
  }
  return text;
}

namespace {

}  // namespace

Result<ChosenBackend> choose_backend(const Context& context, const Setup& setup, const Plan& plan) {
  ProbeRequest request = probe_request(context, setup.backends);
  request.limits = probe_limits(plan.limits, plan.user.real_root);
  request.wanted = &plan.required;
  std::string reasons;
  for (const Backend* backend : candidates(setup)) {
    ProbeReport report = backend->probe(request);
    std::vector<Missing> missing = unmet(plan, report);
    // The payload could replace the program that makes the next sandbox.
    if (missing.empty() && can_be_replaced(plan, *context.host, report.program)) missing.push_back({"start", visible(report.program) + " lies where this sandbox can write", "use one outside the project"});
    if (missing.empty()) return ChosenBackend{backend, std::move(report)};
    reasons += reasons_of(backend->name, missing);
  }
  // A named one that cannot is refused; the others are told of all the same.
  if (setup.choice.type.stated && setup.choice.type.value != SandboxType::automatic) {
    for (const Backend& other : backends()) {
      if (other.name == word_of(setup.choice.type.value)) continue;
      const std::vector<Missing> missing = unmet(plan, other.probe(request));
      reasons += missing.empty() ? fmt::format("\n  {}: could hold it", other.name) : reasons_of(other.name, missing);
    }
  }
  const std::string summary = fmt::format("\n  asked: type {}, profile {}, workspace {}, network {}", setup.choice.type.stated ? word_of(setup.choice.type.value) : "auto",
                                          plan.profile, visible(plan.workspace), word_of(plan.network));
  return error(ErrorCode::cannot_start, "no backend can hold this sandbox:" + reasons + summary,
               "mend one of these, or run without a sandbox by saying so: --no-sandbox");
}

}  // namespace paddock
