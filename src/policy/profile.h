// Profiles: named policies, shipped with the program or the user's own, which may extend others.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/load.h"
#include "policy/policy.h"

namespace paddock {

inline constexpr std::string_view default_profile = "balanced";
inline constexpr std::size_t profile_chain_max = 8;  // profiles that extend one another

struct ProfileText {
  std::string text;
  std::string where;           // of errors: "~/.config/paddock/profiles/mine.toml"
  std::string base_directory;  // absolute: where its relative read and write paths start
};

// Where the user's own profiles come from. An empty function stands for none.
struct ProfileReader {
  std::function<Result<std::optional<ProfileText>>(const std::string& name)> read;  // nothing when there is none
  std::function<std::vector<std::string>()> names;                                  // for lists and suggestions
};

// Letters, digits, "-", "_" and ".", beginning with a letter, digit or "_", at most 64: never a path.
bool is_profile_name(std::string_view name);
bool is_shipped_profile(std::string_view name);
std::vector<std::string> profile_names(const ProfileReader& reader);  // shipped ones first

// One profile as it is written, without what it extends. Origins read "profile NAME", with the line
// for the user's own. A user's profile of a shipped name is an error; so is an unknown name, which
// lists all. All errors are usage errors.
Result<PolicyFile> read_profile(std::string_view name, const ProfileReader& reader);

// With what it extends, over built_in_policy: every scalar except the limits is stated.
Result<Policy> load_profile(std::string_view name, const ProfileReader& reader);

// What holds where no profile says anything: closed, the same values as strict.
Policy built_in_policy();

}  // namespace paddock
