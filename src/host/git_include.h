// Reads configuration files with what they include (git-config(1), "CONDITIONAL INCLUDES"): bounded in
// depth and number, starts no process, and treats what it reads as text only.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/git_config.h"
#include "host/known_files.h"
#include "plan/host_view.h"

namespace paddock {

inline constexpr int git_include_depth_max = 10;  // MAX_INCLUDE_DEPTH of git's config.c
inline constexpr int git_config_files_max = 100;

// What the conditions of an include are compared with.
struct GitConditions {
  std::string home;           // for "~/"
  std::string git_dir;        // links resolved; empty: no repository, and no condition holds
  std::string git_dir_as_given;  // the same by the path that the user goes by, or empty
  std::string common_dir;     // whose config names the remotes
};

enum class Includes { followed_by_condition, followed_always };

class GitConfigReader {
 public:
  using Visit = std::function<void(const GitConfigEntry& entry)>;

  // `known`: where texts that were read before are found again; may be null, else outlives this.
  explicit GitConfigReader(GitConditions conditions, Includes includes = Includes::followed_by_condition, KnownFiles* known = nullptr)
      : conditions_(std::move(conditions)), includes_(includes), known_(known) {}

  // Each entry in the order in which it takes effect; an absent file has none.
  void read(const std::string& file, const Visit& visit) { read(file, visit, 0); }

  // The files that were read as includes, as named; and what could not be understood, in words.
  const std::vector<std::string>& included() const { return included_; }
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  void read(const std::string& file, const Visit& visit, int depth);
  void follow(const GitConfigEntry& entry, const std::string& file, const Visit& visit, int depth);
  bool condition_holds(const GitConfigEntry& entry, const std::string& file);
  bool remote_matches(const std::string& pattern);
  const std::string& branch();

  GitConditions conditions_;
  Includes includes_;
  KnownFiles* known_;
  int files_ = 0;
  std::optional<std::vector<std::string>> remote_urls_;
  std::optional<std::string> branch_;
  std::vector<std::string> included_;
  std::vector<std::string> problems_;
};

// "gitdir:" with the pattern of one condition; `file` is where it stands.
enum class Letters { as_written, without_case };
bool git_dir_matches(std::string pattern, const std::string& file, const GitConditions& conditions, Letters letters);

}  // namespace paddock
