#include <algorithm>

#include "base/text.h"
#include "policy/toml_reader.h"

namespace paddock {

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  if (const auto near = nearest(word, known)) return "; did you mean \"" + *near + "\"?";
  return "; one of: " + join(known, ", ");
}

void TomlReport::problem(unsigned line, std::string what, std::string hint) {
  problems_.push_back({line, std::move(what), std::move(hint)});
}

void TomlReport::known(std::string_view table, std::string_view key) {
  for (const Name& name : known_) {
    if (name.table == table && name.key == key) return;
  }
  known_.push_back({std::string(table), std::string(key)});
}

void TomlReport::unknown(std::string_view table, const TomlEntry& entry) {
  unknown_.push_back({{std::string(table), entry.key}, entry.line, entry.value.kind == TomlKind::table});
}

std::string TomlReport::suggestion(const Unknown& unknown) const {
  std::vector<std::string> here;
  std::vector<std::string> elsewhere;
  for (const Name& name : known_) {
    const bool same = name.table == unknown.name.table;
    if (!same && name.key == unknown.name.key) {
      return name.table.empty() ? "; it belongs at the top of the file"
                                : "; \"" + name.key + "\" belongs in [" + name.table + "]";
    }
    if (same || name.table.empty()) here.push_back(name.key);
    else elsewhere.push_back(name.key);
  }
  if (const auto near = nearest(unknown.name.key, here)) return "; did you mean \"" + *near + "\"?";
  if (const auto near = nearest(unknown.name.key, elsewhere)) {
    const auto at = std::find_if(known_.begin(), known_.end(), [&](const Name& name) { return name.key == *near; });
    return "; did you mean \"" + *near + "\" in [" + at->table + "]?";
  }
  std::vector<std::string> own;
  for (const Name& name : known_) {
    if (name.table == unknown.name.table) own.push_back(name.key);
  }
  return own.empty() ? "" : "; known here: " + join(own, ", ");
}

Result<void> TomlReport::result() {
  for (const Unknown& one : unknown_) {
    const std::string place = one.name.table.empty() ? "at the top of the file" : "in [" + one.name.table + "]";
    problem(one.line, (one.is_table ? "unknown table \"" : "unknown key \"") + one.name.key + "\" " + place +
                          suggestion(one));
  }
  unknown_.clear();
  if (problems_.empty()) return {};
  std::stable_sort(problems_.begin(), problems_.end(),
                   [](const TomlProblem& a, const TomlProblem& b) { return a.line < b.line; });
  std::string message;
  std::string hint;
  // One line each, whatever stands in the file: a key may hold a line end.
  for (std::size_t i = 0; i < problems_.size() && i < toml_problems_max; ++i) {
    if (i != 0) message += '\n';
    message += where_ + ":" + std::to_string(problems_[i].line) + ": " + visible(problems_[i].what);
    if (hint.empty()) hint = problems_[i].hint;
  }
  if (problems_.size() > toml_problems_max) {
    message += "\nand " + std::to_string(problems_.size() - toml_problems_max) + " more";
  }
  return error(code_, std::move(message), std::move(hint));
}

}  // namespace paddock
