// Reading a TOML file against what it may say. Whatever is asked of a table becomes known; at the
// end every key that nobody asked for is a problem, with the nearest known word. All problems of a
// file come in one error, in the order of its lines: nothing is ignored and nothing is guessed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/toml_document.h"
#include "policy/words.h"

namespace paddock {

inline constexpr std::size_t toml_list_max = 8192;    // items of one list
inline constexpr std::size_t toml_problems_max = 20;  // shown at once

struct TomlText {
  std::string text;
  unsigned line = 0;
};

struct TomlProblem {
  unsigned line = 0;
  std::string what;
  std::string hint;
};

// What one file may say and what is wrong with it so far.
class TomlReport {
 public:
  explicit TomlReport(std::string_view where, ErrorCode code) : where_(where), code_(code) {}

  void problem(unsigned line, std::string what, std::string hint = {});
  // `table` is "filesystem", or empty for the top level.
  void known(std::string_view table, std::string_view key);
  void unknown(std::string_view table, const TomlEntry& entry);
  // The one error, or nothing: call it when everything was read.
  Result<void> result();

 private:
  struct Name {
    std::string table;
    std::string key;
  };
  struct Unknown {
    Name name;
    unsigned line;
    bool is_table;
  };
  std::string suggestion(const Unknown& unknown) const;

  std::string where_;
  ErrorCode code_;
  std::vector<Name> known_;
  std::vector<Unknown> unknown_;
  std::vector<TomlProblem> problems_;
};

// One table of the file, absent ones included. Borrowed values and the report outlive it.
class TomlTable {
 public:
  TomlTable(const TomlValue* table, std::string name, TomlReport& report);
  ~TomlTable();  // reports the keys that were not asked for
  TomlTable(const TomlTable&) = delete;
  TomlTable& operator=(const TomlTable&) = delete;

  // The value, now known and consumed; null when absent.
  const TomlValue* take(std::string_view key);
  bool has(std::string_view key) const;

  std::optional<TomlText> text(std::string_view key);
  std::vector<TomlText> texts(std::string_view key);
  std::optional<bool> boolean(std::string_view key);
  // The table below, read even if it is absent, so that its keys are known words.
  const TomlValue* table(std::string_view key);
  std::vector<const TomlValue*> tables(std::string_view key);  // [[key]] or a list of inline tables
  // A table whose keys are free names and whose values are strings.
  std::vector<std::pair<TomlText, std::string>> named_texts(std::string_view key);
  std::vector<std::pair<std::string, std::vector<std::string>>> named_lists(std::string_view key);
  // A word of this format that this version does not do yet.
  void later(std::string_view key);

  template <typename T>
  std::optional<T> word(std::string_view key) {
    const std::optional<TomlText> said = text(key);
    if (!said) return std::nullopt;
    const std::optional<T> value = value_of<T>(said->text);
    if (!value) not_one_of(key, *said, all_words<T>());
    return value;
  }

  unsigned line_of(std::string_view key) const;  // of a key that is there
  void problem(unsigned line, std::string what, std::string hint = {});
  void not_one_of(std::string_view key, const TomlText& said, const std::vector<std::string>& words);

 private:
  const TomlEntry* find(std::string_view key) const;
  bool is_good_text(std::string_view key, const TomlValue& value);
  void wrong_type(std::string_view key, const TomlValue& value, std::string_view wanted);
  std::vector<TomlText> texts_of(std::string_view key, const TomlValue& value);

  const TomlValue* table_;
  std::string name_;
  TomlReport& report_;
  std::vector<std::string> asked_;
};

// `; did you mean "X"?`, or the whole list when nothing is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace paddock
