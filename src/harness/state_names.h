// Where a state directory of a manifest lies, and what the names in it are. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/manifest.h"

namespace paddock {

// The directory as the harness would find it on the host: its variable's, where that is an absolute path.
bool is_moved(const StatePath& state, const std::map<std::string, std::string>& environment);
std::string place_of(const StatePath& state, const std::map<std::string, std::string>& environment, const std::string& home);

// The first names of everything that the manifest speaks of, patterns among them.
std::vector<std::string> known_names(const StatePath& state, const Manifest& harness);
bool is_known_name(const std::vector<std::string>& known, std::string_view name);

enum class NameClass { secret, code, data, transcript, unknown };  // unknown counts as code

// The class of the first name `name` in that directory: the strictest of those that hold it.
NameClass class_of(const StatePath& state, const Manifest& harness, std::string_view name);
std::string_view word_of(NameClass name_class);

}  // namespace paddock
