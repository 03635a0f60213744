// Policies drawn at random from a seed, for tests of what holds for all of them. A new field of Policy is
// drawn too: the generator goes through fields_of.
#pragma once

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "policy/fields.h"
#include "policy/words.h"

namespace paddock {

// How often a property is tried: `usual`, times PADDOCK_TEST_SCALE.
inline unsigned trials(unsigned usual) {
  const char* scale = std::getenv("PADDOCK_TEST_SCALE");
  const double factor = scale == nullptr ? 1 : std::strtod(scale, nullptr);
  return factor > 0 ? static_cast<unsigned>(usual * factor) + 1 : usual;
}

struct Vocabulary {
  std::vector<std::string> paths = {"/data", "/data/a", "~/x", "sub", "~/x?"};
  std::vector<std::string> patterns = {"secrets", "secrets/key", "**/.env", "*.pem", "deploy/", "!.envrc", "!deploy"};
  std::vector<std::string> variables = {"A", "B", "TOKEN"};
  std::vector<std::string> guarantees = {"calls_filtered", "abstract_hidden", "protect_absent"};
};

class RandomPolicy {
 public:
  RandomPolicy(unsigned seed, Vocabulary vocabulary, OriginKind kind, std::string where)
      : random_(seed), words_(std::move(vocabulary)), kind_(kind), where_(std::move(where)) {}

  // Every field stated with a chance of one half, lists of up to three entries.
  Policy next() {
    Policy policy;
    for_each_field([this](auto field) { draw(field); }, policy);
    return policy;
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  const std::string& any(const std::vector<std::string>& all) { return all[below(all.size())]; }
  Origin origin() { return {kind_, where_ + ":" + std::to_string(below(99) + 1)}; }

  template <typename T>
  void draw(Field<Sense::ordered, Sourced<T>> field) {
    if (below(2) == 0) field.value.state(words_of<T>()[below(words_of<T>().size())].value, origin());
  }
  void draw(Field<Sense::permission, Sourced<bool>> field) {
    if (below(2) == 0) field.value.state(below(2) == 0, origin());
  }
  void draw(Field<Sense::maximum, Sourced<std::uint64_t>> field) {
    if (below(2) == 0) field.value.state((below(4) + 1) << 30, origin());
  }
  template <Sense S, typename T>
  void draw(Field<S, std::vector<T>> field) {
    for (std::size_t count = below(4); count != 0; --count) field.value.push_back(entry(T{}));
    if (field.key != "filesystem.mask") return;
    if constexpr (std::is_same_v<T, PatternRule>) std::erase_if(field.value, [](const T& rule) { return rule.negated; });
  }

  PathRule entry(PathRule) {
    std::string path = any(words_.paths);
    const bool optional = path.ends_with('?');
    if (optional) path.pop_back();
    return {path, "/home/u/p", optional, origin()};
  }
  PatternRule entry(PatternRule) {
    std::string pattern = any(words_.patterns);
    const bool negated = pattern.starts_with('!');
    return {negated ? pattern.substr(1) : pattern, "", negated, origin()};
  }
  VariableRule entry(VariableRule) {
    VariableRule rule{any(words_.variables), {}, origin()};
    if (below(2) == 0) rule.value = "v" + std::to_string(below(3));
    return rule;
  }
  NamedRule entry(NamedRule) { return {any(words_.guarantees), origin()}; }

  std::mt19937 random_;
  Vocabulary words_;
  OriginKind kind_;
  std::string where_;
};

}  // namespace paddock
