#include "host/pattern_states.h"

#include <fnmatch.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace paddock {
namespace {

constexpr std::size_t pattern_bytes_max = 4096;
constexpr std::size_t pattern_components_max = 256;
constexpr std::string_view special = "*?[\\";

bool is_plain(std::string_view text) { return text.find_first_of(special) == std::string_view::npos; }

}  // namespace

PatternStates::PatternStates(const std::vector<std::string>& patterns) {
  sets_.reserve(64);
  intern({});  // no_states
  States start;
  for (std::uint32_t i = 0; i < patterns.size(); ++i) {
    const std::size_t first = components_.size();
    add_pattern(patterns[i], i);
    if (components_.size() > first) start.push_back(static_cast<std::uint32_t>(first));
  }
  States closed;
  for (const std::uint32_t state : start) add_closed(closed, state);
  at_root_ = intern(std::move(closed));
}

void PatternStates::add_pattern(std::string_view pattern, std::uint32_t number) {
  if (pattern.size() > pattern_bytes_max || !pattern.starts_with('/')) return;
  std::vector<Component> added;
  for (std::string& text : split(pattern, '/')) {
    if (text.empty() || text == ".") continue;
    const std::string_view rest = std::string_view(text).substr(1);
    Component component;
    component.pattern = number;
    if (text == "**") {
      if (!added.empty() && added.back().kind == Kind::deep) continue;  // "**/**" says nothing more
      component.kind = Kind::deep;
    } else if (is_plain(text)) {
      component.text = text;
    } else if (text == "*") {
      component.kind = Kind::any;
    } else if (text.front() == '*' && is_plain(rest)) {
      component.kind = Kind::suffix;
      component.text = rest;
    } else if (text.back() == '*' && is_plain(std::string_view(text).substr(0, text.size() - 1))) {
      component.kind = Kind::prefix;
      component.text = text.substr(0, text.size() - 1);
    } else {
      component.kind = Kind::glob;
      component.text = text;
    }
    added.push_back(std::move(component));
  }
  if (added.empty() || added.size() > pattern_components_max) return;
  added.back().last = true;
  added.back().directories_only = pattern.ends_with('/');
  std::move(added.begin(), added.end(), std::back_inserter(components_));
}

// "**" stands for no component too, so that the one after it may come next as well.
void PatternStates::add_closed(States& states, std::uint32_t state) const {
  const auto at = std::lower_bound(states.begin(), states.end(), state);
  if (at == states.end() || *at != state) states.insert(at, state);
  if (components_[state].kind == Kind::deep && !components_[state].last) add_closed(states, state + 1);
}

StateSet PatternStates::intern(States states) {
  if (const auto found = known_.find(states); found != known_.end()) return found->second;
  const auto handle = static_cast<StateSet>(sets_.size());
  known_.emplace(states, handle);
  sets_.emplace_back();
  States lasting;
  Set set;
  for (const std::uint32_t state : states) {
    const Component& component = components_[state];
    if (component.kind == Kind::deep) {
      add_closed(lasting, state);
      set.lists = true;
      if (component.last) set.globs.push_back(state);
    } else if (component.kind == Kind::literal) {
      set.first_bytes.set(static_cast<unsigned char>(component.text.front()));
      set.literals[component.text].push_back(state);
    } else {
      set.lists = true;
      set.globs.push_back(state);
    }
  }
  for (const auto& [name, unused] : set.literals) set.names.emplace_back(name);
  set.states = std::move(states);
  set.lasting = set.states == lasting ? handle : intern(std::move(lasting));
  sets_[handle] = std::move(set);
  return handle;
}

bool PatternStates::component_matches(const Component& component, const char* name, std::string_view text) const {
  switch (component.kind) {
    case Kind::literal: return text == component.text;
    case Kind::prefix: return text.starts_with(component.text);
    case Kind::suffix: return text.ends_with(component.text);
    case Kind::any:
    case Kind::deep: return true;
    case Kind::glob: return ::fnmatch(component.text.c_str(), name, 0) == 0;
  }
  return false;
}

template <typename Hit>
void PatternStates::for_each_hit(const Set& set, const char* name, std::size_t length, Hit hit) const {
  const std::string_view text(name, length);
  if (length > 0 && set.first_bytes[static_cast<unsigned char>(*name)]) {
    const auto found = set.literals.find(text);
    if (found != set.literals.end()) {
      for (const std::uint32_t state : found->second) hit(state);
    }
  }
  for (const std::uint32_t state : set.globs) {
    if (component_matches(components_[state], name, text)) hit(state);
  }
}

Match PatternStates::match_of(std::uint32_t state, EntryKind kind) const {
  const Component& component = components_[state];
  if (component.directories_only && component.last && kind != EntryKind::directory) return Match::none;
  if (component.last) return component.kind == Kind::deep ? Match::everything : Match::self;
  const Component& next = components_[state + 1];
  const bool covers = next.kind == Kind::deep && next.last && (!next.directories_only || kind == EntryKind::directory);
  return covers ? Match::everything : Match::none;
}

Match PatternStates::match(StateSet from, const char* name, std::size_t length, EntryKind kind) const {
  Match best = Match::none;
  for_each_hit(sets_[from], name, length, [&](std::uint32_t state) { best = std::max(best, match_of(state, kind)); });
  return best;
}

Step PatternStates::step(StateSet from, const char* name, std::size_t length, EntryKind kind) {
  Step result;
  States hits;
  for_each_hit(sets_[from], name, length, [&](std::uint32_t state) { hits.push_back(state); });
  if (hits.empty()) return {sets_[from].lasting, Match::none};
  States next = sets_[sets_[from].lasting].states;
  std::vector<std::uint32_t> matched;
  for (const std::uint32_t state : hits) {
    const Match match = match_of(state, kind);
    if (match != Match::none) {
      matched.push_back(components_[state].pattern);
    } else if (!components_[state].last) {
      add_closed(next, state + 1);
    }
    result.match = std::max(result.match, match);
  }
  std::erase_if(next, [&](std::uint32_t state) {
    return std::find(matched.begin(), matched.end(), components_[state].pattern) != matched.end();
  });
  result.below = intern(std::move(next));
  return result;
}

StateSet PatternStates::united(StateSet a, StateSet b) {
  States both;
  std::set_union(sets_[a].states.begin(), sets_[a].states.end(), sets_[b].states.begin(), sets_[b].states.end(),
                 std::back_inserter(both));
  return intern(std::move(both));
}

bool PatternStates::is_subset(StateSet a, StateSet b) const {
  return std::includes(sets_[b].states.begin(), sets_[b].states.end(), sets_[a].states.begin(), sets_[a].states.end());
}

const std::vector<std::string>* PatternStates::only_names(StateSet of) const {
  return sets_[of].lists ? nullptr : &sets_[of].names;
}

}  // namespace paddock
