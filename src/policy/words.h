// The words of policies: each enumeration's values as people write them, in one table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/policy.h"

namespace paddock {

template <typename T>
struct Word {
  T value;
  std::string_view text;
};

// Specialised in words.cc for every enumeration of policy.h.
template <typename T>
std::span<const Word<T>> words_of();

template <typename T>
std::string_view word_of(T value) {
  for (const Word<T>& word : words_of<T>()) {
    if (word.value == value) return word.text;
  }
  return "?";
}

template <typename T>
std::optional<T> value_of(std::string_view text) {
  for (const Word<T>& word : words_of<T>()) {
    if (word.text == text) return word.value;
  }
  return std::nullopt;
}

template <typename T>
std::vector<std::string> all_words() {
  std::vector<std::string> all;
  for (const Word<T>& word : words_of<T>()) all.emplace_back(word.text);
  return all;
}

}  // namespace paddock
