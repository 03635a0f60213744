// Many path patterns matched at once, one path component after the other: an automaton whose state
// is the set of pattern positions that may come next. Pure; same language as path_matches, except
// that a pattern which ends in "/" matches directories only.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace paddock {

using StateSet = std::uint32_t;             // a handle of PatternStates
inline constexpr StateSet no_states = 0;    // nothing below can match

enum class Match {
  none,
  self,        // the path itself
  everything,  // by a trailing "**": the path and all below
};

struct Step {
  StateSet below = no_states;  // for what lies in it, if it is a directory; without patterns that matched it
  Match match = Match::none;
};

enum class EntryKind { directory, other };

class PatternStates {
 public:
  // Absolute patterns; ones beyond 4096 bytes or 256 components match nothing.
  explicit PatternStates(const std::vector<std::string>& patterns);
  PatternStates(const PatternStates&) = delete;  // sets hold views of the components' texts
  PatternStates& operator=(const PatternStates&) = delete;

  StateSet at_root() const { return at_root_; }  // of "/"
  Step step(StateSet from, const char* name, std::size_t length, EntryKind kind);
  Match match(StateSet from, const char* name, std::size_t length, EntryKind kind) const;
  StateSet united(StateSet a, StateSet b);

  // What holds in every directory below one with that state, however deep: by "**".
  StateSet lasting(StateSet of) const { return sets_[of].lasting; }
  bool is_subset(StateSet a, StateSet b) const;
  // The only names that can match there; null when any may (the directory has to be listed).
  const std::vector<std::string>* only_names(StateSet of) const;

 private:
  enum class Kind { literal, prefix, suffix, any, glob, deep };
  struct Component {
    Kind kind = Kind::literal;
    std::string text;  // without its star, of prefix and suffix
    bool last = false;
    bool directories_only = false;
    std::uint32_t pattern = 0;
  };
  using States = std::vector<std::uint32_t>;  // indices of components_, sorted
  struct Set {
    States states;
    StateSet lasting = no_states;
    std::bitset<256> first_bytes;  // of the literals
    std::unordered_map<std::string_view, States> literals;
    States globs;
    std::vector<std::string> names;
    bool lists = false;
  };

  void add_pattern(std::string_view pattern, std::uint32_t number);
  void add_closed(States& states, std::uint32_t state) const;
  StateSet intern(States states);
  bool component_matches(const Component& component, const char* name, std::string_view text) const;
  // Calls hit(state) for each state that this name satisfies.
  template <typename Hit>
  void for_each_hit(const Set& set, const char* name, std::size_t length, Hit hit) const;
  Match match_of(std::uint32_t state, EntryKind kind) const;

  std::vector<Component> components_;
  std::vector<Set> sets_;
  std::map<States, StateSet> known_;
  StateSet at_root_ = no_states;
};

}  // namespace paddock
