// Keys in a JSON file that somebody else writes too: which have changed, and the file with some of them as they
// were. Pure. A key is names parted by dots, "projects.*.mcpServers"; `*` stands for every name, and a name may
// end in a condition, "*[type=wellknown]": only objects with that member. "!a.b" names what refuses something:
// that is put back also where it is gone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paddock {

inline constexpr std::size_t changed_keys_max = 16;

// Whether a program could take the text for an object of settings: a whole JSON object, or nothing at all.
bool is_json_object(std::string_view text);

// The paths of the keys that differ, "projects./w.mcpServers". Absent and empty are the same. A text that is no
// JSON object counts as one without keys. At most changed_keys_max.
std::vector<std::string> changed_keys(const std::string& before, const std::string& after, const std::vector<std::string>& keys);

struct PutBack {
  std::string text;                // `after` with those values as they were
  std::vector<std::string> names;  // which; empty: nothing had to be put back, and the text is `after`
};

// For keys that others act on. Those that are gone stay so, and everything else stays as it is, in its order; of
// members with one name the last stays, as JavaScript reads them, since another reader takes the first.
// `after` is a JSON object or empty.
PutBack put_back(const std::string& before, const std::string& after, const std::vector<std::string>& keys);

// The parts of an object that these keys name, for a later put_back or changed_keys: nothing else of it.
std::string only_keys(const std::string& text, const std::vector<std::string>& keys);

// The text with the values of these keys as `kept` has them, and no others: what an only_keys has kept is put
// into a whole text again.
std::string with_keys_of(const std::string& text, const std::string& kept, const std::vector<std::string>& keys);

}  // namespace paddock
