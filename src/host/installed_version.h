// The directories of installed versions of a tool, and which of them a request means.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paddock {

// Versions as a file or variable names them: separated by blanks or colons, comments (#) left out.
std::vector<std::string> words_of_versions(std::string_view text);

// "10" before "9": runs of digits compare as numbers.
bool is_earlier_version(const std::string& a, const std::string& b);

// The entry of `versions` (a directory) that `request` names: itself, itself without `prefix` ("v20.1.0"),
// or the latest of which it is the beginning ("3.11" of "3.11.4"). A request that is a path names none.
std::optional<std::string> installed_version(const std::string& versions, const std::string& request, std::string_view prefix);

}  // namespace paddock
