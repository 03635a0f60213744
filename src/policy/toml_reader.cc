#include "policy/toml_reader.h"

#include <algorithm>

#include "base/text.h"

namespace paddock {

TomlTable::TomlTable(const TomlValue* table, std::string name, TomlReport& report)
    : table_(table), name_(std::move(name)), report_(report) {}

TomlTable::~TomlTable() {
  if (table_ == nullptr) return;
  for (const TomlEntry& entry : table_->entries) {
    if (std::find(asked_.begin(), asked_.end(), entry.key) == asked_.end()) report_.unknown(name_, entry);
  }
}

const TomlEntry* TomlTable::find(std::string_view key) const {
  if (table_ == nullptr) return nullptr;
  for (const TomlEntry& entry : table_->entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

bool TomlTable::has(std::string_view key) const { return find(key) != nullptr; }

unsigned TomlTable::line_of(std::string_view key) const {
  const TomlEntry* entry = find(key);
  return entry != nullptr ? entry->line : 0;
}

const TomlValue* TomlTable::take(std::string_view key) {
  asked_.emplace_back(key);
  report_.known(name_, key);
  const TomlEntry* entry = find(key);
  return entry != nullptr ? &entry->value : nullptr;
}

void TomlTable::problem(unsigned line, std::string what, std::string hint) {
  report_.problem(line, std::move(what), std::move(hint));
}

void TomlTable::wrong_type(std::string_view key, const TomlValue& value, std::string_view wanted) {
  problem(value.line, "\"" + std::string(key) + "\" must be " + std::string(wanted) + ", not " +
                          std::string(name_of(value.kind)));
}

void TomlTable::not_one_of(std::string_view key, const TomlText& said, const std::vector<std::string>& words) {
  std::string what = "\"" + std::string(key) + "\" cannot be \"" + said.text + "\"; one of: " + join(words, ", ");
  if (const auto near = nearest(said.text, words)) what += " (did you mean \"" + *near + "\"?)";
  problem(said.line, std::move(what));
}

// No string of a file may hold a NUL (TOML can escape one): it would end the path early in a system call.
bool TomlTable::is_good_text(std::string_view key, const TomlValue& value) {
  if (value.text.find('\0') == std::string::npos) return true;
  problem(value.line, "\"" + std::string(key) + "\" must not hold a NUL character");
  return false;
}

std::optional<TomlText> TomlTable::text(std::string_view key) {
  const TomlValue* value = take(key);
  if (value == nullptr) return std::nullopt;
  if (value->kind != TomlKind::text) {
    wrong_type(key, *value, "a string");
    return std::nullopt;
  }
  if (!is_good_text(key, *value)) return std::nullopt;
  return TomlText{value->text, value->line};
}

std::vector<TomlText> TomlTable::texts_of(std::string_view key, const TomlValue& value) {
  std::vector<TomlText> all;
  if (value.kind != TomlKind::list) {
    wrong_type(key, value, "a list of strings");
    return all;
  }
  if (value.items.size() > toml_list_max) {
    problem(value.line, "\"" + std::string(key) + "\" has more than " + std::to_string(toml_list_max) + " entries");
    return all;
  }
  for (const TomlValue& item : value.items) {
    if (item.kind != TomlKind::text) wrong_type(key, item, "a list of strings");
    else if (is_good_text(key, item)) all.push_back({item.text, item.line});
  }
  return all;
}

std::vector<TomlText> TomlTable::texts(std::string_view key) {
  const TomlValue* value = take(key);
  return value != nullptr ? texts_of(key, *value) : std::vector<TomlText>();
}

std::optional<bool> TomlTable::boolean(std::string_view key) {
  const TomlValue* value = take(key);
  if (value == nullptr) return std::nullopt;
  if (value->kind != TomlKind::boolean) {
    wrong_type(key, *value, "true or false");
    return std::nullopt;
  }
  return value->boolean;
}

const TomlValue* TomlTable::table(std::string_view key) {
  const TomlValue* value = take(key);
  if (value == nullptr || value->kind == TomlKind::table) return value;
  wrong_type(key, *value, "a table, [" + std::string(key) + "] with keys of its own");
  return nullptr;
}

std::vector<const TomlValue*> TomlTable::tables(std::string_view key) {
  std::vector<const TomlValue*> all;
  const TomlValue* value = take(key);
  if (value == nullptr) return all;
  if (value->kind != TomlKind::list) {
    wrong_type(key, *value, "a list of tables, each under [[" + std::string(key) + "]]");
    return all;
  }
  for (const TomlValue& item : value->items) {
    if (item.kind == TomlKind::table) all.push_back(&item);
    else wrong_type(key, item, "a list of tables");
  }
  return all;
}

std::vector<std::pair<TomlText, std::string>> TomlTable::named_texts(std::string_view key) {
  std::vector<std::pair<TomlText, std::string>> all;
  const TomlValue* names = table(key);
  if (names == nullptr) return all;
  for (const TomlEntry& entry : names->entries) {
    if (entry.value.kind != TomlKind::text) {
      wrong_type(std::string(key) + "." + entry.key, entry.value, "a string (in quotes)");
    } else if (is_good_text(entry.key, entry.value)) {
      all.push_back({{entry.key, entry.line}, entry.value.text});
    }
  }
  return all;
}

std::vector<std::pair<std::string, std::vector<std::string>>> TomlTable::named_lists(std::string_view key) {
  std::vector<std::pair<std::string, std::vector<std::string>>> all;
  const TomlValue* names = table(key);
  if (names == nullptr) return all;
  for (const TomlEntry& entry : names->entries) {
    std::vector<std::string> words;
    for (TomlText& one : texts_of(entry.key, entry.value)) words.push_back(std::move(one.text));
    all.emplace_back(entry.key, std::move(words));
  }
  return all;
}

void TomlTable::later(std::string_view key) {
  if (take(key) == nullptr) return;
  const std::string said = name_.empty() ? std::string(key) : name_ + "." + std::string(key);
  problem(line_of(key), "\"" + said + "\" is not available in this version");
}

}  // namespace paddock
