#include "harness/help.h"

#include <algorithm>

namespace paddock {
namespace {

bool is_part_of_a_flag(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }

bool names(std::string_view text, std::string_view flag) {
  for (auto at = text.find(flag); at != std::string_view::npos; at = text.find(flag, at + 1)) {
    const auto end = at + flag.size();
    const bool begins = at == 0 || !is_part_of_a_flag(text[at - 1]);
    const bool ends = end == text.size() || !is_part_of_a_flag(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

bool is_one_of(const std::vector<std::string>& all, const std::string& word) { return std::ranges::find(all, word) != all.end(); }

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

// A flag goes together with the words up to the next one: its values.
bool drop(std::vector<std::string>& words, const std::vector<std::string>& missing) {
  std::vector<std::string> kept;
  bool dropping = false;
  for (std::string& word : words) {
    if (is_option(word)) dropping = is_one_of(missing, word.substr(0, word.find('=')));
    if (!dropping) kept.push_back(std::move(word));
  }
  const bool dropped = kept.size() != words.size();
  words = std::move(kept);
  return dropped;
}

bool drop(std::vector<Addition>& additions, const std::vector<std::string>& missing) {
  bool dropped = false;
  for (Addition& addition : additions) dropped = drop(addition.words, missing) || dropped;
  std::erase_if(additions, [](const Addition& addition) { return addition.words.empty(); });
  return dropped;
}

}  // namespace

std::vector<std::string> missing_flags(const HelpCheck& check, std::string_view text) {
  std::vector<std::string> missing;
  for (const std::string& flag : check.flags) {
    if (!names(text, flag)) missing.push_back(flag);
  }
  return missing;
}

Reduced without_flags(Manifest manifest, const std::vector<std::string>& missing) {
  Reduced reduced{std::move(manifest), {}};
  if (missing.empty()) return reduced;
  if (drop(reduced.manifest.skip_permissions, missing)) reduced.lost.emplace_back("skip_permissions");
  if (drop(reduced.manifest.inner_sandbox_off, missing)) reduced.lost.emplace_back("inner_sandbox_off");
  if (drop(reduced.manifest.confined, missing)) reduced.lost.emplace_back("confined");
  return reduced;
}

}  // namespace paddock
