#include "harness/state_reader.h"

#include "base/text.h"
#include "policy/value.h"

namespace paddock {

template <>
std::span<const Word<StateClass>> words_of<StateClass>() {
  static constexpr Word<StateClass> words[] = {
      {StateClass::state, "state"}, {StateClass::cache, "cache"}, {StateClass::config, "config"}};
  return words;
}

template <>
std::span<const Word<StateAccess>> words_of<StateAccess>() {
  static constexpr Word<StateAccess> words[] = {{StateAccess::read_write, "rw"}, {StateAccess::read_only, "ro"}};
  return words;
}

template <>
std::span<const Word<CodeInside>> words_of<CodeInside>() {
  static constexpr Word<CodeInside> words[] = {{CodeInside::protected_part, "protected"},
                                               {CodeInside::private_directory, "private"}};
  return words;
}

namespace {

enum class Export { always, moved };
enum class Kind { file, directory };
enum class Absent { hold, check };

}  // namespace

template <>
std::span<const Word<Export>> words_of<Export>() {
  static constexpr Word<Export> words[] = {{Export::always, "always"}, {Export::moved, "moved"}};
  return words;
}

template <>
std::span<const Word<Kind>> words_of<Kind>() {
  static constexpr Word<Kind> words[] = {{Kind::file, "file"}, {Kind::directory, "directory"}};
  return words;
}

template <>
std::span<const Word<Absent>> words_of<Absent>() {
  static constexpr Word<Absent> words[] = {{Absent::hold, "hold"}, {Absent::check, "check"}};
  return words;
}

bool is_path_below(std::string_view path) {
  if (path.empty() || path.size() >= path_bytes_max) return false;
  for (const std::string& part : split(path, '/')) {
    if (part.empty() || part == "." || part == "..") return false;
  }
  return true;
}

bool is_home_or_full_path(std::string_view path) {
  if (path.starts_with("~/")) return is_path_below(path.substr(2));
  return path.starts_with("/") && is_path_below(path.substr(1));
}

namespace {

bool has_pattern(std::string_view path) { return path.find_first_of("*?[") != std::string_view::npos; }

std::vector<std::string> names(TomlTable& table, std::string_view key) {
  std::vector<std::string> all;
  for (TomlText& said : table.texts(key)) {
    if (!is_path_below(said.text)) {
      table.problem(said.line, "\"" + std::string(key) + "\": \"" + said.text + "\" must be a name inside the directory");
    }
    all.push_back(std::move(said.text));
  }
  return all;
}

CodePath read_code(const TomlValue& value, TomlReport& report) {
  TomlTable table(&value, "state.code", report);
  CodePath code;
  if (const auto path = table.text("path")) code.path = path->text;
  if (!is_path_below(code.path)) table.problem(value.line, "\"code\" needs a \"path\": a name inside the directory");
  const auto kind = table.word<Kind>("kind");
  if (!table.has("kind")) table.problem(value.line, "\"code\" needs a \"kind\": file or directory");
  code.is_directory = kind == Kind::directory;
  const auto absent = table.word<Absent>("absent");
  code.hold_absent = absent == Absent::hold;
  code.inside = table.word<CodeInside>("inside").value_or(CodeInside::protected_part);
  const auto content = table.text("content");
  if (content) code.content = content->text;
  if (code.hold_absent && has_pattern(code.path)) {
    table.problem(value.line, "\"" + code.path + "\": a pattern cannot be held; write absent = \"check\"");
  }
  if (content && (code.is_directory || !code.hold_absent)) {
    table.problem(content->line, "\"content\" is for a file with absent = \"hold\"");
  }
  if (code.inside == CodeInside::private_directory && !code.is_directory) {
    table.problem(value.line, "inside = \"private\" is for a directory");
  }
  return code;
}

WatchedFile read_watch(const TomlValue& value, TomlReport& report) {
  TomlTable table(&value, "state.watch", report);
  WatchedFile watched;
  if (const auto path = table.text("path")) watched.path = path->text;
  if (!is_path_below(watched.path)) table.problem(value.line, "\"watch\" needs a \"path\": a name inside the directory");
  watched.format = "json";
  if (const auto format = table.text("format"); format && format->text != "json") {
    table.not_one_of("format", *format, {"json"});
  }
  for (TomlText& key : table.texts("keys")) watched.keys.push_back(std::move(key.text));
  for (TomlText& key : table.texts("restore")) watched.restore.push_back(std::move(key.text));
  return watched;
}

void read_place(TomlTable& table, unsigned line, StatePath& state) {
  if (const auto path = table.text("path")) state.path = path->text;
  if (!is_home_or_full_path(state.path)) table.problem(line, "[[state]] needs a \"path\" that begins with ~/ or /");
  if (const auto name = table.text("override")) {
    if (!is_variable_name(name->text)) table.problem(name->line, "\"override\" must be the name of a variable");
    state.override = name->text;
  }
  if (const auto child = table.text("override_child")) {
    if (!is_path_below(child->text)) table.problem(child->line, "\"override_child\" must be a name");
    state.override_child = child->text;
  }
  const auto exported = table.word<Export>("export");
  state.exported = exported == Export::always;
  state.exported_if_moved = exported == Export::moved;
  for (const std::string_view key : {"export", "override_child"}) {
    if (table.has(key) && !table.has("override")) {
      table.problem(table.line_of(key), "\"" + std::string(key) + "\" needs \"override\", the variable that it is about");
    }
  }
}

StatePath read_state(const TomlValue& value, TomlReport& report) {
  TomlTable table(&value, "state", report);
  StatePath state;
  read_place(table, value.line, state);
  state.state_class = table.word<StateClass>("class").value_or(StateClass::state);
  state.access = table.word<StateAccess>("access").value_or(StateAccess::read_write);
  state.create = table.boolean("create").value_or(true);
  state.secrets = names(table, "secrets");
  for (const TomlValue* one : table.tables("code")) state.code.push_back(read_code(*one, report));
  state.data = names(table, "data");
  state.transcripts = names(table, "transcripts");
  for (const TomlValue* one : table.tables("watch")) state.watch.push_back(read_watch(*one, report));
  return state;
}

}  // namespace

void read_states(TomlTable& top, TomlReport& report, Manifest& manifest) {
  for (const TomlValue* one : top.tables("state")) manifest.state.push_back(read_state(*one, report));
}

}  // namespace paddock
