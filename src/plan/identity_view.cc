#include "plan/identity_view.h"

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "plan/git_view.h"
#include "plan/system_view.h"

namespace paddock {

std::vector<std::string> claim_git_identity(MountTable& table, const HostView& host, const IdentityInput& input) {
  const std::string place = path::join(input.home, ".gitconfig");
  if (table.is_visible(place)) return {};
  std::string text = "# Made for this run: the allowed keys of your git configuration.\n";
  for (const auto& [key, value] : host.git_identity(input.layout)) text += git_config_line(key, value);
  // The owner of the workspace may look foreign inside; exactly this one is trusted.
  text += git_config_line("safe.directory", input.workspace);
  if (input.layout.root != input.workspace) text += git_config_line("safe.directory", input.layout.root);
  claim_made(table, MountKind::data, place, std::move(text), 0644, "git identity");
  std::vector<std::string> notes;
  const GitFacts facts = host.git_facts(input.layout);
  if (facts.signs_commits || facts.signs_tags) notes.push_back("commit signing is off inside: the keys are not there");
  if (facts.credential_helpers) notes.push_back("git credential helpers do not run inside");
  if (!facts.filters.empty() && host.look(path::join(input.layout.root, ".gitattributes")).kind == FileKind::file) {
    notes.push_back(fmt::format("git filters ({}) are not set up inside: files that .gitattributes gives to one are seen and added as they are stored", visible(join(facts.filters, ", "))));
  }
  return notes;
}

}  // namespace paddock
