#include "policy/ceiling.h"

#include <algorithm>
#include <utility>

#include "base/path.h"
#include "base/text.h"
#include "policy/fields.h"
#include "policy/order.h"
#include "policy/shown.h"

namespace paddock {

namespace {

std::string absolute(const std::string& text, const std::string& base, const Places& places) {
  const std::string expanded = path::expand_home(text, places.home);
  if (path::is_absolute(expanded)) return path::normal(expanded);
  const std::string& from = base.empty() ? places.workspace : base;
  return from.empty() ? std::string() : path::normal(expanded, from);
}

std::string listed(const std::vector<PathRule>& rules) {
  std::vector<std::string> names;
  for (const PathRule& rule : rules) names.push_back(shown(rule));
  return names.empty() ? "nothing" : join(names, ", ");
}

std::string listed(const std::vector<std::string>& names) { return names.empty() ? "nothing" : join(names, ", "); }

// One policy on its way under one ceiling.
class Lowering {
 public:
  Lowering(Policy policy, const Ceiling& ceiling, const Places& places) : ceiling_(ceiling), places_(places) { out_.policy = std::move(policy); }

  UnderCeiling take() && {
    for_each_field([this](auto field, auto most) { lower(field, most); }, out_.policy, ceiling_.most);
    return std::move(out_);
  }

 private:
  void breach(std::string_view key, std::string asked, std::string allowed, const Origin& origin, const Origin& by) {
    out_.breaches.push_back({std::string(key), std::move(asked), std::move(allowed), origin, by});
  }

  template <typename T, typename C>
  void lower(Field<Sense::ordered, T> field, Field<Sense::ordered, C> most) {
    if (!field.value.stated || !most.value.stated || at_most(field.value.value, most.value.value)) return;
    breach(field.key, std::string(word_of(field.value.value)), std::string(word_of(most.value.value)), field.value.origin, most.value.origin);
    field.value.state(meet(field.value.value, most.value.value), most.value.origin);
  }

  template <typename T, typename C>
  void lower(Field<Sense::permission, T> field, Field<Sense::permission, C> most) {
    if (!field.value.stated || !most.value.stated || !field.value.value || most.value.value) return;
    breach(field.key, "true", "false", field.value.origin, most.value.origin);
    field.value = most.value;
  }

  template <typename T, typename C>
  void lower(Field<Sense::maximum, T> field, Field<Sense::maximum, C> most) {
    if (!most.value.stated || (field.value.stated && field.value.value <= most.value.value)) return;
    if (field.value.stated) {
      breach(field.key, shown_limit(field.key, field.value.value), shown_limit(field.key, most.value.value), field.value.origin, most.value.origin);
    }
    field.value = most.value;
  }

  template <typename T, typename C>
  void lower(Field<Sense::opens, T> field, Field<Sense::opens, C>) {
    std::erase_if(field.value, [&](const auto& rule) { return is_refused(field.key, rule); });
  }

  template <typename T, typename C>
  void lower(Field<Sense::closes, T> field, Field<Sense::closes, C> most) {
    std::erase_if(field.value, [&](const auto& rule) { return is_refused(field.key, rule); });
    field.value.insert(field.value.end(), most.value.begin(), most.value.end());
  }

  bool is_refused(std::string_view key, const PathRule& rule) {
    const std::string place = absolute(rule.path, rule.base, places_);
    const bool is_write = key == "filesystem.write";
    const FilesystemPolicy& closed = ceiling_.most.filesystem;
    const PatternRule* covered = covering(closed.mask, place, places_);
    if (covered == nullptr && is_write) covered = covering(closed.protect, place, places_);
    if (covered != nullptr) {
      breach(key, shown(rule), "not below " + shown(*covered), rule.origin, covered->origin);
      return true;
    }
    const Sourced<std::vector<PathRule>>& allowed = is_write ? ceiling_.write : ceiling_.read;
    if (!allowed.stated || covering(allowed.value, place, places_) != nullptr) return false;
    if (!is_write && ceiling_.write.stated && covering(ceiling_.write.value, place, places_) != nullptr) return false;
    breach(key, shown(rule), listed(allowed.value), rule.origin, allowed.origin);
    return true;
  }

  bool is_refused(std::string_view key, const VariableRule& rule) {
    const auto& allowed = ceiling_.variables;
    if (!allowed.stated || std::ranges::find(allowed.value, rule.name) != allowed.value.end()) return false;
    breach(key, shown(rule), listed(allowed.value), rule.origin, allowed.origin);
    return true;
  }

  // A name that is given up (`without`), or one that is required, which is always fine.
  bool is_refused(std::string_view key, const NamedRule& rule) {
    if (key != "isolation.without") return false;
    const auto& needed = ceiling_.most.required;
    const auto required = std::ranges::find(needed, rule.name, &NamedRule::name);
    if (required != needed.end()) {
      breach(key, rule.name, "not " + rule.name, rule.origin, required->origin);
      return true;
    }
    const auto& allowed = ceiling_.without;
    if (!allowed.stated || std::ranges::find(allowed.value, rule.name) != allowed.value.end()) return false;
    breach(key, rule.name, listed(allowed.value), rule.origin, allowed.origin);
    return true;
  }

  // "!name" in `protect` would take a protection of the ceiling out as well.
  bool is_refused(std::string_view key, const PatternRule& rule) {
    if (!rule.negated) return false;
    const std::string out = path::normal(rule.pattern);
    for (const PatternRule& kept : ceiling_.most.filesystem.protect) {
      const std::string name = path::normal(kept.pattern);
      if (out != name && !path_matches(out, name)) continue;
      breach(key, shown(rule), "not " + shown(rule), rule.origin, kept.origin);
      return true;
    }
    return false;
  }

  const Ceiling& ceiling_;
  const Places& places_;
  UnderCeiling out_;
};

}  // namespace

UnderCeiling under(Policy policy, const Ceiling& ceiling, const Places& places) {
  return Lowering(std::move(policy), ceiling, places).take();
}

std::vector<Breach> breaches(const Policy& policy, const Ceiling& ceiling, const Places& places) {
  return under(policy, ceiling, places).breaches;
}

const NamedRule* forbidding(const Ceiling& ceiling, std::string_view relaxation) {
  for (const NamedRule& rule : ceiling.forbid) {
    if (name_matches(rule.name, relaxation)) return &rule;
  }
  return nullptr;
}

const PatternRule* covering(const std::vector<PatternRule>& rules, std::string_view path, const Places& places) {
  for (const PatternRule& rule : rules) {
    std::string pattern = rule.pattern.starts_with("**/") ? "/" + rule.pattern : absolute(rule.pattern, rule.base, places);
    if (rule.negated || pattern.empty()) continue;
    while (pattern.size() > 3 && pattern.ends_with("/**")) pattern.resize(pattern.size() - 3);
    for (const std::string& prefix : path::ancestors_and_self(path)) {
      if (prefix == pattern || path_matches(pattern, prefix)) return &rule;
    }
  }
  return nullptr;
}

const PathRule* covering(const std::vector<PathRule>& rules, std::string_view path, const Places& places) {
  for (const PathRule& rule : rules) {
    const std::string place = absolute(rule.path, rule.base, places);
    if (!place.empty() && path::is_within(path, place)) return &rule;
  }
  return nullptr;
}

std::string in_words(const Breach& breach) {
  return breach.key + ": " + breach.asked + " (" + breach.origin.where + ") is beyond the ceiling of this machine, which allows " + breach.allowed +
         " (" + breach.ceiling.where + ")";
}

}  // namespace paddock
