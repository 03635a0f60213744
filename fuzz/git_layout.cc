// A hostile repository on a real disk. The input is a list of files, "PATH\0CONTENT\0…", made below a temporary
// directory, links where the content begins with "link:". Reading its layout ends, and what is believed of it stays
// within it: a repository outside, which does not name this tree, is never taken for its own.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/path.h"
#include "base/text.h"
#include "host/git_layout.h"

namespace {

namespace fs = std::filesystem;

constexpr std::size_t files_max = 32;

struct Tree {
  fs::path root;
  Tree() {
    // In memory where that is possible: thousands of trees are made and removed.
    std::string name = ::access("/dev/shm", W_OK) == 0 ? "/dev/shm/paddock-fuzz-XXXXXX" : "/tmp/paddock-fuzz-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    root = name;
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() {
    std::error_code ignored;
    fs::remove_all(root, ignored);
  }
};

// Only below `root`: the fuzzer writes nowhere else.
bool is_harmless(const std::string& name) {
  return !name.empty() && name.size() < 200 && name.front() != '/' && name.find("..") == std::string::npos;
}

void make(const fs::path& root, const std::string& name, const std::string& content) {
  if (!is_harmless(name)) return;
  std::error_code error;
  const fs::path place = root / name;
  // Nothing is written through a link that an earlier file made.
  if (fs::weakly_canonical(place.parent_path(), error).string().rfind(root.string(), 0) != 0 || error) return;
  if (name.back() == '/') return void(fs::create_directories(place, error));
  fs::create_directories(place.parent_path(), error);
  if (fs::is_symlink(place, error)) return;
  if (content.starts_with("link:") && content.find('\0') == std::string::npos) return fs::create_symlink(content.substr(5), place, error);
  std::ofstream(place, std::ios::binary) << content;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace paddock;
  const Tree tree;
  const fs::path project = tree.root / "project";
  fs::create_directories(project);
  // Somebody else's repository, which every pointer may name.
  for (const char* part : {"other/.git/objects/info", "other/.git/refs", "other/.git/hooks"}) fs::create_directories(tree.root / part);
  std::ofstream(tree.root / "other/.git/HEAD") << "ref: refs/heads/main\n";
  const std::vector<std::string> parts = split(std::string_view(reinterpret_cast<const char*>(bytes), size), '\0');
  for (std::size_t i = 0; i + 1 < parts.size() && i / 2 < files_max; i += 2) make(project, parts[i], parts[i + 1]);
  const GitLayout layout = find_git_layout(project.string(), "/nonexistent-home");
  const std::string foreign = (tree.root / "other").string();
  // A `.git` that is a link is followed as git does, shown read-only and told of as a relaxation.
  if (layout.kind != GitKind::none && layout.kind != GitKind::broken && layout.kind != GitKind::linked_directory) {
    if (path::is_within(layout.git_dir, foreign) || path::is_within(layout.common_dir, foreign)) std::abort();
  }
  if (layout.kind == GitKind::broken && (layout.problem.empty() || !layout.git_dir.empty())) std::abort();
  return 0;
}
