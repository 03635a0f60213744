#include "cli/grants.h"

#include <dirent.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include <fmt/core.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/text.h"
#include "cli/settings_file.h"

namespace paddock {
namespace {

// A grant's file: four lines, the last of which is the path and may hold line ends itself.
constexpr std::string_view first_line = "paddock grant 1";

std::string directory_of(const Context& context) { return path::join(context.directories.data, "trust"); }

// One file for each path and content, so that a start looks for one name.
std::string name_of(const std::string& path, const std::string& sha256) { return sha256_hex(path + '\0' + sha256); }

Result<std::optional<Grant>> find_grant(const Context& context, const std::string& name) {
  const OwnDirectory kind = kind_of_directory(context.directories.data, context.host->user().home);
  const auto file = TRY(read_own_file(context.directories.data, kind, "trust/" + name).context("reading a grant"));
  if (!file) return std::optional<Grant>{};
  if (!file->link_target.empty()) context.linked_settings->push_back(file->link_target);
  return std::optional<Grant>(TRY(read_grant(file->text, path::join(directory_of(context), name))));
}

Result<std::vector<std::string>> names_in(const std::string& directory) {
  std::vector<std::string> names;
  DIR* open = ::opendir(directory.c_str());
  if (open == nullptr && errno == ENOENT) return names;
  if (open == nullptr) return system_error("cannot list " + visible(directory), errno);
  while (const dirent* entry = ::readdir(open)) {
    const std::string name = entry->d_name;
    if (name.size() == 64 && names.size() < grants_max) names.push_back(name);
  }
  ::closedir(open);
  return names;
}

std::string now() {
  const timespec time = wall_clock();
  tm parts{};
  ::gmtime_r(&time.tv_sec, &parts);
  char text[32];
  return std::string(text, ::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts));
}

}  // namespace

std::string write_grant(const Grant& grant) { return fmt::format("{}\n{}\n{}\n{}\n", first_line, grant.sha256, grant.when, grant.path); }

Result<Grant> read_grant(const std::string& text, const std::string& where) {
  std::vector<std::string> lines = split(text, '\n');
  const bool is_whole = lines.size() >= 5 && lines[0] == first_line && lines[1].size() == 64 && lines.back().empty();
  if (!is_whole) return error(ErrorCode::cannot_start, visible(where) + " is no grant", "remove it, and grant again: paddock trust");
  Grant grant{{}, lines[1], lines[2]};
  lines.pop_back();
  lines.erase(lines.begin(), lines.begin() + 3);
  grant.path = join(lines, "\n");
  return grant;
}

Result<bool> is_granted(const Context& context, const std::string& path, std::string_view content) {
  const std::string sha256 = sha256_hex(content);
  const auto grant = TRY(find_grant(context, name_of(path, sha256)));
  return grant && grant->path == path && grant->sha256 == sha256;
}

Result<void> add_grant(const Context& context, const std::string& path, std::string_view content) {
  const Grant grant{path, sha256_hex(content), now()};
  const std::string directory = directory_of(context);
  TRY(make_private_directories(directory));
  if (TRY(names_in(directory)).size() >= grants_max) {
    return error(ErrorCode::cannot_start, fmt::format("there are {} grants already", grants_max), "paddock trust --list shows them, paddock trust --revoke PATH takes one back");
  }
  return write_file(path::join(directory, name_of(path, grant.sha256)), write_grant(grant));
}

Result<std::vector<Grant>> list_grants(const Context& context) {
  std::vector<Grant> grants;
  for (const std::string& name : TRY(names_in(directory_of(context)))) {
    auto grant = TRY(find_grant(context, name));
    if (grant) grants.push_back(std::move(*grant));
  }
  std::ranges::sort(grants, [](const Grant& a, const Grant& b) { return std::tie(a.path, a.when) < std::tie(b.path, b.when); });
  return grants;
}

Result<unsigned> revoke_grants(const Context& context, const std::string& path) {
  unsigned revoked = 0;
  for (const Grant& grant : TRY(list_grants(context))) {
    if (grant.path != path) continue;
    const std::string place = path::join(directory_of(context), name_of(path, grant.sha256));
    if (::unlink(place.c_str()) != 0) return system_error("cannot take back the grant " + visible(place), errno);
    ++revoked;
  }
  return revoked;
}

}  // namespace paddock
