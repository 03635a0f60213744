#include "host/host_user.h"

#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "host/host_file.h"

namespace paddock {
namespace {

// Groups whose members can become root, read every file or drive the machine. Sources: Debian's
// SystemGroups page, and the daemons' own documents (docker, lxd, libvirt, incus).
constexpr std::string_view powerful_groups[] = {
    "root",    "adm", "disk",   "docker", "incus", "incus-admin", "kmem", "kvm",
    "libvirt", "lxd", "podman", "shadow", "staff", "sudo",        "systemd-journal", "wheel"};

bool is_powerful(std::string_view name) {
  return std::find(std::begin(powerful_groups), std::end(powerful_groups), name) != std::end(powerful_groups);
}

// Calls visit(fields) for each line with `wanted` fields until it returns false.
template <typename Visit>
void for_each_record(std::string_view text, std::size_t wanted, Visit visit) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    std::string_view fields[8];
    std::size_t count = 0;
    std::string_view rest = line;
    while (count < 8) {
      const auto colon = rest.find(':');
      fields[count++] = rest.substr(0, colon);
      if (colon == std::string_view::npos) break;
      rest.remove_prefix(colon + 1);
    }
    if (count == wanted && !visit(fields)) return;
  }
}

bool is_shell(const std::string& path) {
  return path::is_absolute(path) && path::name(path) != "nologin" && path::name(path) != "false";
}

}  // namespace

std::optional<AccountEntry> find_account(std::string_view passwd, uid_t uid) {
  std::optional<AccountEntry> found;
  for_each_record(passwd, 7, [&](const std::string_view* fields) {
    if (parse_unsigned(fields[2]) != uid || fields[0].empty()) return true;
    found = AccountEntry{std::string(fields[0]), std::string(fields[5]), std::string(fields[6])};
    return false;
  });
  return found;
}

GroupNames find_groups(std::string_view group, gid_t gid, const std::vector<gid_t>& supplementary) {
  GroupNames names;
  for_each_record(group, 4, [&](const std::string_view* fields) {
    const auto number = parse_unsigned(fields[2]);
    if (!number) return true;
    if (*number == gid && names.own.empty()) names.own = fields[0];
    const bool is_member = *number == gid || std::find(supplementary.begin(), supplementary.end(), *number) !=
                                                supplementary.end();
    if (is_member && is_powerful(fields[0])) names.powerful.emplace_back(fields[0]);
    return true;
  });
  return names;
}

bool is_identity_map(std::string_view uid_map) {
  std::vector<std::string> numbers;
  for (std::string& word : split(trim(uid_map), ' ')) {
    if (!word.empty()) numbers.push_back(std::move(word));
  }
  return numbers == std::vector<std::string>{"0", "0", "4294967295"};
}

bool is_kernel_root(uid_t uid, const UserFiles& files) {
  if (uid != 0) return false;
  const std::optional<std::string> map = read_or_nothing(files.uid_map);
  if (!map || is_identity_map(*map)) return true;
  struct stat status {};
  return ::stat(files.of_the_kernel.c_str(), &status) != 0 || status.st_uid == 0;
}

HostUser describe_user(const UserFacts& facts, const UserFiles& files) {
  HostUser user;
  user.uid = facts.uid;
  user.gid = facts.gid;
  const auto account = find_account(read_or_nothing(files.passwd).value_or(""), facts.uid);
  GroupNames groups = find_groups(read_or_nothing(files.group).value_or(""), facts.gid, facts.supplementary);
  user.name = account ? account->name : "user";
  user.group = groups.own.empty() ? "group" : groups.own;
  user.powerful_groups = std::move(groups.powerful);
  user.home = "/";
  if (path::is_absolute(facts.home) && is_directory(facts.home)) {
    user.home = path::normal(facts.home);
  } else if (account && path::is_absolute(account->home)) {
    user.home = path::normal(account->home);
  }
  user.shell = "/bin/sh";
  if (is_shell(facts.shell) && is_executable_file(facts.shell)) {
    user.shell = facts.shell;
  } else if (account && is_shell(account->shell)) {
    user.shell = account->shell;
  }
  user.real_root = is_kernel_root(facts.uid, files);
  return user;
}

UserFacts ask_kernel_for_user(std::string home, std::string shell) {
  UserFacts facts{::geteuid(), ::getegid(), {}, std::move(home), std::move(shell)};
  const int count = ::getgroups(0, nullptr);
  if (count <= 0) return facts;
  facts.supplementary.resize(static_cast<std::size_t>(count));
  const int filled = ::getgroups(count, facts.supplementary.data());
  facts.supplementary.resize(static_cast<std::size_t>(std::max(filled, 0)));
  return facts;
}

}  // namespace paddock
