#include "host/git_include.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "host/host_file.h"

namespace paddock {
namespace {

std::string lowered(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// A pattern that ends in "/" stands for everything below.
std::string with_everything_below(std::string pattern) {
  if (pattern.ends_with('/')) pattern += "**";
  return pattern;
}

// Matching `**` backtracks; a person's pattern has one or two of them.
bool is_reasonable(std::string_view pattern) {
  int wide = 0;
  for (auto at = pattern.find("**"); at != std::string_view::npos; at = pattern.find("**", at + 2)) ++wide;
  return wide <= 4;
}

// Of the path that is compared: a directory of the user's, in which no character is special.
std::string literal(std::string_view directory) {
  std::string pattern;
  for (const char c : directory) {
    if (std::string_view("*?[\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

std::optional<std::string> after(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return {};
  return std::string(text.substr(prefix.size()));
}

}  // namespace

bool git_dir_matches(std::string pattern, const std::string& file, const GitConditions& conditions, Letters letters) {
  if (conditions.git_dir.empty()) return false;
  if (pattern.starts_with("~/")) {
    pattern = literal(real_path_of(conditions.home).value_or(conditions.home)) + pattern.substr(1);
  } else if (pattern.starts_with("./")) {
    pattern = literal(path::parent(real_path_of(file).value_or(file))) + pattern.substr(1);
  } else if (!path::is_absolute(pattern)) {
    pattern.insert(0, "**/");
  }
  pattern = with_everything_below(std::move(pattern));
  if (!is_reasonable(pattern)) return false;
  if (letters == Letters::without_case) pattern = lowered(std::move(pattern));
  for (std::string text : {conditions.git_dir, conditions.git_dir_as_given}) {
    if (letters == Letters::without_case) text = lowered(std::move(text));
    if (!text.empty() && path_matches(pattern, text)) return true;
  }
  return false;
}

void GitConfigReader::read(const std::string& file, const Visit& visit, int depth) {
  if (++files_ > git_config_files_max || file == "/dev/null") return;
  Result<std::optional<std::string>> content = known_ == nullptr ? std::nullopt : known_->read(file, git_config_bytes_max);
  if (!*content) content = read_file_if_any(file, git_config_bytes_max);
  if (!content) {
    problems_.push_back(std::move(content).failure().message);
    return;
  }
  if (!*content) return;
  const GitConfig config = parse_git_config(**content);
  for (const GitConfigEntry& entry : config.entries) {
    visit(entry);
    const bool is_include = entry.section == "include" || entry.section == "includeif";
    if (is_include && entry.name == "path" && entry.value) follow(entry, file, visit, depth);
  }
  if (config.bad_line != 0) {
    problems_.push_back(file + ", line " + std::to_string(config.bad_line) + ", cannot be understood");
  }
}

void GitConfigReader::follow(const GitConfigEntry& entry, const std::string& file, const Visit& visit, int depth) {
  const bool applies = includes_ == Includes::followed_always || entry.section == "include" || condition_holds(entry, file);
  if (!applies || entry.value->empty()) return;
  if (depth >= git_include_depth_max) {
    problems_.push_back(file + " includes more than " + std::to_string(git_include_depth_max) + " files deep");
    return;
  }
  const std::string given = path::expand_home(*entry.value, conditions_.home);
  if (given.starts_with('~') || given.starts_with("%(")) return;  // another user's home, git's own prefix
  const std::string target = path::is_absolute(given) ? given : path::join(path::parent(file), given);
  included_.push_back(target);
  read(target, visit, depth + 1);
}

bool GitConfigReader::condition_holds(const GitConfigEntry& entry, const std::string& file) {
  const std::string& condition = entry.subsection;
  if (const auto pattern = after(condition, "gitdir:")) {
    return git_dir_matches(*pattern, file, conditions_, Letters::as_written);
  }
  if (const auto pattern = after(condition, "gitdir/i:")) {
    return git_dir_matches(*pattern, file, conditions_, Letters::without_case);
  }
  if (const auto pattern = after(condition, "onbranch:")) {
    const std::string wanted = with_everything_below(*pattern);
    return !branch().empty() && is_reasonable(wanted) && path_matches(wanted, branch());
  }
  if (const auto pattern = after(condition, "hasconfig:remote.*.url:")) return remote_matches(*pattern);
  return false;
}

bool GitConfigReader::remote_matches(const std::string& pattern) {
  if (!remote_urls_) {
    remote_urls_.emplace();
    const std::string file = path::join(conditions_.common_dir, "config");
    std::optional<std::string> content;
    if (!conditions_.common_dir.empty()) content = read_or_nothing(file, git_config_bytes_max);
    for (const GitConfigEntry& entry : parse_git_config(content.value_or("")).entries) {
      if (entry.section == "remote" && entry.name == "url" && entry.value) remote_urls_->push_back(*entry.value);
    }
  }
  if (!is_reasonable(pattern)) return false;
  return std::any_of(remote_urls_->begin(), remote_urls_->end(),
                     [&](const std::string& url) { return path_matches(pattern, url); });
}

const std::string& GitConfigReader::branch() {
  if (branch_) return *branch_;
  branch_.emplace();
  if (conditions_.git_dir.empty()) return *branch_;
  constexpr std::size_t head_bytes_max = 4096;
  const auto head = read_or_nothing(path::join(conditions_.git_dir, "HEAD"), head_bytes_max);
  if (const auto name = after(trim(head.value_or("")), "ref: refs/heads/")) *branch_ = *name;
  return *branch_;
}

}  // namespace paddock
