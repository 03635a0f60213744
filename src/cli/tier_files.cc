#include "cli/tier_files.h"

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "cli/grants.h"
#include "cli/setup.h"
#include "policy/ceiling_load.h"

namespace paddock {
namespace {

Result<std::optional<Ceiling>> read_ceiling_tier() {
  const auto text = TRY(read_ceiling_file(std::string(ceiling_path)).context("the ceiling of this machine"));
  if (!text) return std::optional<Ceiling>{};
  return std::optional<Ceiling>(TRY(read_ceiling(*text, ceiling_path, guarantee_names())));
}

Result<std::optional<PolicyFile>> read_settings(const Context& context, const std::string& name, OriginKind kind, const std::string& base_directory) {
  const auto text = TRY(read_config_file(context, name));
  if (!text) return std::optional<PolicyFile>{};
  PolicyFile file = TRY(read_policy(*text, visible(path::join(context.directories.config, name)), kind, base_directory));
  TRY(check_given_up(file.policy, guarantee_names(), ErrorCode::cannot_start));
  return std::optional<PolicyFile>(std::move(file));
}

Result<PolicyFile> read_repository(const RepositoryFile& file) {
  PolicyFile read = TRY(read_policy(file.text, {.where = visible(file.path),
                                                .kind = OriginKind::repository_config,
                                                .base_directory = path::parent(file.path),
                                                .name = std::string(repository_file_name)}));
  TRY(check_given_up(read.policy, guarantee_names(), ErrorCode::cannot_start));
  return read;
}

// One run of the steps below over a TierFiles.
class Reading {
 public:
  Reading(const Context& context, const SandboxChoice& choice) : context_(context), choice_(choice) {}

  Result<void> read_machine_and_user() {
    auto ceiling = TRY(read_ceiling_tier());
    note("ceiling", std::string(ceiling_path), ceiling.has_value());
    if (ceiling) out_.tiers.ceiling = std::move(*ceiling);
    auto user = TRY(read_settings(context_, "config.toml", OriginKind::user_config, context_.directories.config));
    note("user", path::join(context_.directories.config, "config.toml"), user.has_value());
    if (user) out_.tiers.user = std::move(*user);
    return {};
  }

  Result<void> find_workspace() {
    if (choice_.sandbox == Confinement::off) return {};
    auto workspace = choose_workspace(choice_.workspace.value, context_.directory, context_.host->user().home, *context_.host);
    const bool may_do_without = choice_.sandbox != Confinement::on && out_.tiers.user.sandbox_enabled.stated && !out_.tiers.user.sandbox_enabled.value;
    if (!workspace && may_do_without) return {};
    out_.workspace = TRY(std::move(workspace)).root;
    return {};
  }

  Result<void> read_project_and_repository() {
    if (out_.workspace.empty()) {
      out_.files.push_back({"project", {}, TierState::not_looked_at});
      out_.files.push_back({"repository", {}, TierState::not_looked_at});
      return {};
    }
    const std::string name = "projects/" + project_settings_name(out_.workspace);
    auto project = TRY(read_settings(context_, name, OriginKind::project_config, out_.workspace));
    note("project", path::join(context_.directories.config, name), project.has_value());
    if (project) out_.tiers.project = std::move(*project);
    out_.repository = TRY(read_repository_file(out_.workspace));
    note("repository", path::join(out_.workspace, repository_file_name), out_.repository.has_value());
    if (out_.repository) out_.tiers.repository = TRY(read_repository(*out_.repository));
    return {};
  }

  // A grant is only looked for when something hangs on it.
  Result<TierFiles> merge() && {
    out_.merged = TRY(merge_as(context_, out_, Standing::ungranted, choice_));
    if (out_.merged.ignored.empty() || !TRY(is_granted(context_, out_.repository->path, out_.repository->text))) return std::move(out_);
    out_.merged = TRY(merge_as(context_, out_, Standing::granted, choice_));
    out_.files.back().state = TierState::granted;
    return std::move(out_);
  }

 private:
  void note(std::string tier, std::string path, bool is_there) {
    out_.files.push_back({std::move(tier), std::move(path), is_there ? TierState::read : TierState::absent});
  }

  const Context& context_;
  const SandboxChoice& choice_;
  TierFiles out_;
};

}  // namespace

Result<TierFiles> read_tiers(const Context& context, const SandboxChoice& choice) {
  Reading reading(context, choice);
  TRY(reading.read_machine_and_user());
  TRY(reading.find_workspace());
  TRY(reading.read_project_and_repository());
  return std::move(reading).merge();
}

Result<MergedTiers> merge_as(const Context& context, const TierFiles& files, Standing standing, const SandboxChoice& choice) {
  return merge_tiers(files.tiers, standing, choice, {profile_reader(context), guarantee_names(), {context.host->user().home, files.workspace}});
}

Result<BackendSettings> read_backend_settings(const Context& context) {
  const SandboxChoice choice;
  Reading reading(context, choice);
  TRY(reading.read_machine_and_user());
  return TRY(std::move(reading).merge()).merged.backends;
}

Result<std::optional<std::string>> read_config_file(const Context& context, const std::string& name) {
  const OwnDirectory kind = kind_of_directory(context.directories.config, context.host->user().home);
  auto file = TRY(read_own_file(context.directories.config, kind, name).context("reading the configuration"));
  if (!file) return std::optional<std::string>{};
  if (!file->link_target.empty()) context.linked_settings->push_back(file->link_target);
  return std::optional<std::string>(std::move(file->text));
}

std::string in_words(const Ignored& ignored) {
  return fmt::format("{}: {} {} is ignored{}", ignored.origin.where, ignored.key, ignored.asked, ignored.kept.empty() ? "" : fmt::format(", {} stays", ignored.kept));
}

std::vector<std::string> tier_lines(const MergedTiers& merged, bool is_granted) {
  std::vector<std::string> lines;
  for (const Ignored& one : merged.ungrantable) lines.push_back(visible(in_words(one)) + ": only you say so, in settings of your own");
  if (!is_granted) {
    for (const Ignored& one : merged.ignored) lines.push_back(visible(in_words(one)) + ": a project's file may only tighten; to grant it: paddock trust");
  }
  for (const Breach& one : merged.lowered) lines.push_back(visible(in_words(one)));
  if (lines.size() <= tier_lines_max) return lines;
  const std::size_t more = lines.size() - tier_lines_max;
  lines.resize(tier_lines_max);
  lines.push_back(fmt::format("and {} more: paddock config", more));
  return lines;
}

}  // namespace paddock
