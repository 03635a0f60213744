#include "policy/tighten.h"

#include <algorithm>
#include <utility>

#include "policy/fields.h"
#include "policy/order.h"
#include "policy/shown.h"

namespace paddock {

namespace {

// The same thing said, whoever said it.
bool same(const PathRule& a, const PathRule& b) { return a.path == b.path && a.base == b.base && a.optional == b.optional; }
bool same(const PatternRule& a, const PatternRule& b) { return a.pattern == b.pattern && a.base == b.base && a.negated == b.negated; }
bool same(const VariableRule& a, const VariableRule& b) { return a.name == b.name && a.value == b.value; }
bool same(const NamedRule& a, const NamedRule& b) { return a.name == b.name; }

template <typename T>
bool holds(const std::vector<T>& list, const T& one) {
  return std::ranges::any_of(list, [&](const T& other) { return same(other, one); });
}

template <typename T>
bool opens_something(const T&) { return false; }
bool opens_something(const PatternRule& rule) { return rule.negated; }

class Tightening {
 public:
  explicit Tightening(Policy standing) { out_.policy = std::move(standing); }

  Tightened take(const Policy& asked) && {
    for_each_field([this](auto field, auto wish) { tighten(field, wish); }, out_.policy, asked);
    return std::move(out_);
  }

 private:
  void ignore(std::string_view key, std::string asked, std::string kept, const Origin& origin) {
    out_.ignored.push_back({std::string(key), std::move(asked), std::move(kept), origin});
  }

  template <typename T, typename A>
  void tighten(Field<Sense::ordered, T> field, Field<Sense::ordered, A> asked) {
    if (!asked.value.stated) return;
    if (!field.value.stated) return void(field.value = asked.value);
    const auto low = meet(field.value.value, asked.value.value);
    if (low != asked.value.value) ignore(field.key, std::string(word_of(asked.value.value)), std::string(word_of(low)), asked.value.origin);
    if (low != field.value.value) field.value.state(low, asked.value.origin);
  }

  template <typename T, typename A>
  void tighten(Field<Sense::permission, T> field, Field<Sense::permission, A> asked) {
    if (!asked.value.stated || (field.value.stated && field.value.value == asked.value.value)) return;
    if (field.value.stated && !field.value.value) return ignore(field.key, "true", "false", asked.value.origin);
    field.value = asked.value;
  }

  template <typename T, typename A>
  void tighten(Field<Sense::maximum, T> field, Field<Sense::maximum, A> asked) {
    if (!asked.value.stated || (field.value.stated && field.value.value == asked.value.value)) return;
    if (!field.value.stated || asked.value.value < field.value.value) return void(field.value = asked.value);
    ignore(field.key, shown_limit(field.key, asked.value.value), shown_limit(field.key, field.value.value), asked.value.origin);
  }

  template <typename T, typename A>
  void tighten(Field<Sense::opens, T> field, Field<Sense::opens, A> asked) {
    for (const auto& rule : asked.value) {
      if (!holds(field.value, rule)) ignore(field.key, shown(rule), {}, rule.origin);
    }
  }

  template <typename T, typename A>
  void tighten(Field<Sense::closes, T> field, Field<Sense::closes, A> asked) {
    for (const auto& rule : asked.value) {
      if (holds(field.value, rule)) continue;
      if (opens_something(rule)) ignore(field.key, shown(rule), {}, rule.origin);
      else field.value.push_back(rule);
    }
  }

  Tightened out_;
};

template <typename A, typename B>
bool is_beyond(Field<Sense::ordered, A> a, Field<Sense::ordered, B> b) {
  return b.value.stated && (!a.value.stated || !at_most(a.value.value, b.value.value));
}

template <typename A, typename B>
bool is_beyond(Field<Sense::permission, A> a, Field<Sense::permission, B> b) {
  return b.value.stated && !b.value.value && (!a.value.stated || a.value.value);
}

template <typename A, typename B>
bool is_beyond(Field<Sense::maximum, A> a, Field<Sense::maximum, B> b) {
  return b.value.stated && (!a.value.stated || a.value.value > b.value.value);
}

template <typename A, typename B>
bool is_beyond(Field<Sense::opens, A> a, Field<Sense::opens, B> b) {
  return !std::ranges::all_of(a.value, [&](const auto& rule) { return holds(b.value, rule); });
}

template <typename A, typename B>
bool is_beyond(Field<Sense::closes, A> a, Field<Sense::closes, B> b) {
  return std::ranges::any_of(a.value, [&](const auto& rule) { return opens_something(rule) && !holds(b.value, rule); }) ||
         std::ranges::any_of(b.value, [&](const auto& rule) { return !opens_something(rule) && !holds(a.value, rule); });
}

}  // namespace

Tightened tighten(Policy standing, const Policy& asked) { return Tightening(std::move(standing)).take(asked); }

std::vector<std::string> beyond(const Policy& a, const Policy& b) {
  std::vector<std::string> keys;
  for_each_field([&](auto in_a, auto in_b) { if (is_beyond(in_a, in_b)) keys.emplace_back(in_a.key); }, a, b);
  return keys;
}

}  // namespace paddock
