#include "cli/harness_flags.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include <fmt/core.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/messages.h"
#include "harness/help.h"
#include "sandbox/capture.h"

namespace paddock {
namespace {

using Flags = std::vector<std::string>;

Colour colour_of(const Context& context) { return context.colour ? Colour::yes : Colour::no; }

// Everything that the answer depends on: which program this is, and what is asked of it. Empty: the
// program cannot be looked at.
std::string key_of(const Context& context, const Manifest& harness, const Plan& plan) {
  const auto search_path = context.environment.find("PATH");
  const Executable found = context.host->find_executable(plan.command.front(), search_path == context.environment.end() ? "" : search_path->second);
  const std::string program = found.real.empty() ? found.found : found.real;
  struct stat status {};
  if (program.empty() || ::stat(program.c_str(), &status) != 0) return {};
  std::string key = fmt::format("paddock {} help 1\n{}\n{} {} {} {}.{:09}\n", PADDOCK_VERSION, program, status.st_dev, status.st_ino, status.st_size,
                                status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  for (const HelpCheck& check : harness.help) key += fmt::format("{}: {}\n", join(check.command, " "), join(check.flags, " "));
  return key + "missing:";
}

std::string cache_of(const Context& context, const Manifest& harness) { return path::join(context.directories.state, "help-" + harness.id); }

std::optional<Flags> recall(const Context& context, const Manifest& harness, const std::string& key) {
  const auto text = read_file_if_any(cache_of(context, harness), 65536);
  if (!text || !*text || !(*text)->starts_with(key)) return std::nullopt;
  Flags missing;
  for (std::string& word : split(trim((*text)->substr(key.size())), ' ')) {
    if (!word.empty()) missing.push_back(std::move(word));
  }
  return missing;
}

// Best effort: what cannot be kept is asked again.
void remember(const Context& context, const Manifest& harness, const std::string& key, const Flags& missing) {
  if (!make_private_directories(context.directories.state).ok()) return;
  (void)write_file(cache_of(context, harness), fmt::format("{} {}\n", key, join(missing, " "))).ok();
}

// The strict profile, less: no network, no credentials, nothing writable but memory.
Result<Policy> asking_policy(const Context& context) {
  const Origin origin{OriginKind::built_in, "asking for help"};
  Policy policy = TRY(load_profile("strict", profile_reader(context)));
  policy.filesystem.workspace.state(WorkspaceAccess::read_only, origin);
  policy.filesystem.dotfiles.state(Dotfiles::none, origin);
  policy.filesystem.caches.state(Caches::none, origin);
  policy.network.state(NetworkMode::off, origin);
  policy.credentials.state(CredentialMode::none, origin);
  policy.permissions.state(Permissions::ask, origin);
  return policy;
}

Result<Flags> ask(const Context& context, const Setup& setup, const ChosenBackend& chosen) {
  Manifest asked;  // the program alone: none of the additions, no state
  asked.id = setup.harness->id;
  asked.display = setup.harness->display;
  asked.bins = setup.harness->bins;
  ResolveInput input = setup.input;
  input.policy = TRY(asking_policy(context));
  input.profile = "strict";
  input.harness = &asked;
  Flags missing;
  for (const HelpCheck& check : setup.harness->help) {
    input.command = check.command;
    const Plan plan = TRY(resolve(input, *context.host));
    const std::string text = TRY(capture({&plan, chosen.backend, &chosen.probe, context.warden, context.directories.state}));
    if (trim(text).empty()) return error(ErrorCode::cannot_start, "it says nothing");
    for (std::string& flag : missing_flags(check, text)) missing.push_back(std::move(flag));
  }
  return missing;
}

// One line for each feature that is gone, as far as this start would have used it.
void tell(const Context& context, const Setup& setup, const Flags& missing, const std::vector<std::string>& lost) {
  for (const std::string& feature : lost) {
    if (feature == "skip_permissions" && setup.input.policy.permissions.value != Permissions::skip) continue;
    const std::string_view result = feature == "skip_permissions"    ? "it will ask for permission"
                                    : feature == "inner_sandbox_off" ? "its own sandbox stays as it is"
                                                                     : "some of what its manifest adds is left out";
    print_warning(fmt::format("{} as installed does not know {}: {}", setup.harness->display, visible(join(missing, ", ")), result), colour_of(context));
  }
}

}  // namespace

Result<bool> check_harness_flags(const Context& context, const Setup& setup, const Plan& plan, const ChosenBackend& chosen) {
  Manifest& harness = *setup.harness;
  if (harness.help.empty() || plan.command.empty()) return false;
  const std::string key = key_of(context, harness, plan);
  std::optional<Flags> missing = key.empty() ? std::nullopt : recall(context, harness, key);
  if (!missing) {
    Result<Flags> answer = ask(context, setup, chosen);
    if (!answer) {
      print_note(fmt::format("{} could not be asked which options it knows: {}", harness.display, visible(answer.failure().message)), colour_of(context));
      return false;
    }
    missing = std::move(*answer);
    if (!key.empty()) remember(context, harness, key, *missing);
  }
  Reduced reduced = without_flags(std::move(harness), *missing);
  harness = std::move(reduced.manifest);
  tell(context, setup, *missing, reduced.lost);
  return !reduced.lost.empty();
}

}  // namespace paddock
