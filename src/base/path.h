// Lexical work on paths. Nothing here touches the disk.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paddock::path {

// Absolute, without "." and empty components; ".." is taken lexically. `base` is absolute.
std::string normal(std::string_view given, std::string_view base = "/");
std::string join(std::string_view directory, std::string_view name);
std::string parent(std::string_view given);  // of "/" is "/"
std::string name(std::string_view given);    // last component, empty for "/"
// True for the directory itself and everything below it.
bool is_within(std::string_view given, std::string_view directory);
// "sub/x" for ("/a/sub/x", "/a"); empty for the directory itself. Only when is_within.
std::string relative(std::string_view given, std::string_view directory);
// "/", "/a", "/a/b" for "/a/b".
std::vector<std::string> ancestors_and_self(std::string_view given);
bool is_absolute(std::string_view given);
// "~" and "~/x" with that home; anything else unchanged.
std::string expand_home(std::string_view given, std::string_view home);
// The path as one name, "%2Fhome%2Fu"; what is too long for that goes on in a directory of its own, whose name
// begins with "+". Two paths never have the same, nor does one's lie in another's.
std::string as_name(std::string_view given);

}  // namespace paddock::path
