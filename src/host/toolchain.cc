#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "base/entries.h"
#include "host/executable.h"
#include "host/host_file.h"
#include "host/link_chain.h"
#include "host/tool_root.h"

namespace paddock {
namespace {

constexpr std::size_t linked_programs_max = 1024;  // of one directory
constexpr std::size_t path_entries_max = 256;

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// What the links in a directory of unrelated programs lead to. A link that leads out of sight stays
// a dangling one inside.
void add_linked_programs(const std::string& directory, const std::string& home, KnownFiles& files, std::vector<std::string>& roots) {
  const Fd fd = open_directory(AT_FDCWD, directory.c_str());
  if (!fd.valid()) return;
  std::vector<char> buffer(16 * 1024);
  std::size_t links = 0;
  for_each_entry(fd.get(), buffer, [&](const char* name, unsigned char type) {
    if (type != DT_LNK) return true;
    LinkChain chain = follow_links(path::join(directory, name), files);
    if (!chain.real || is_system_path(*chain.real)) return true;
    append(roots, roots_of_program(*chain.real, home));
    append(roots, chain.links);
    return ++links < linked_programs_max;
  });
}

}  // namespace

std::vector<std::string> find_toolchain_roots(const std::string& search_path, const std::string& given_home, KnownFiles& files) {
  const std::string home = files.real_path(given_home).value_or(given_home);
  std::vector<std::string> roots;
  std::vector<std::string> entries = split(search_path, ':');
  if (entries.size() > path_entries_max) entries.resize(path_entries_max);
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  for (const std::string& entry : entries) {
    if (!path::is_absolute(entry) || is_system_path(path::normal(entry))) continue;
    LinkChain chain = follow_links(entry, files);
    if (!chain.real) continue;
    const std::vector<std::string> found = roots_of_directory(*chain.real, home);
    if (found.empty()) continue;
    append(roots, found);
    std::erase_if(chain.links, [](const std::string& link) { return is_system_path(link); });
    append(roots, chain.links);
    if (is_common_bin(*chain.real, home)) add_linked_programs(*chain.real, home, files, roots);
  }
  keep_outermost(roots);
  return roots;
}

}  // namespace paddock
