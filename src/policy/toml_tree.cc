#include "policy/toml_tree.h"

#include <cstring>

namespace paddock {
namespace {

// Kind, line, and the value: a text or a key after its length, a list or a table after the number of its
// parts, an entry of a table as key, line and value.
class Writer {
 public:
  void value(const TomlValue& from) {
    number(static_cast<unsigned char>(from.kind));
    number(from.line);
    switch (from.kind) {
      case TomlKind::text: return text(from.text);
      case TomlKind::integer: return number(from.integer);
      case TomlKind::real: return number(from.real);
      case TomlKind::boolean: return number(from.boolean);
      case TomlKind::moment: return;
      case TomlKind::list:
        number(static_cast<unsigned>(from.items.size()));
        for (const TomlValue& item : from.items) value(item);
        return;
      case TomlKind::table:
        number(static_cast<unsigned>(from.entries.size()));
        for (const TomlEntry& entry : from.entries) {
          text(entry.key);
          number(entry.line);
          value(entry.value);
        }
        return;
    }
  }
  std::string take() && { return std::move(bytes_); }

 private:
  template <typename T>
  void number(T from) {
    bytes_.append(reinterpret_cast<const char*>(&from), sizeof from);
  }
  void text(const std::string& from) {
    number(static_cast<unsigned>(from.size()));
    bytes_ += from;
  }

  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  void value(TomlValue& to) {
    to.kind = static_cast<TomlKind>(number<unsigned char>());
    to.line = number<unsigned>();
    switch (to.kind) {
      case TomlKind::text: to.text = text(); return;
      case TomlKind::integer: to.integer = number<std::int64_t>(); return;
      case TomlKind::real: to.real = number<double>(); return;
      case TomlKind::boolean: to.boolean = number<bool>(); return;
      case TomlKind::moment: return;
      case TomlKind::list:
        to.items.resize(number<unsigned>());
        for (TomlValue& item : to.items) value(item);
        return;
      case TomlKind::table:
        to.entries.resize(number<unsigned>());
        for (TomlEntry& entry : to.entries) {
          entry.key = text();
          entry.line = number<unsigned>();
          value(entry.value);
        }
        return;
    }
  }

 private:
  template <typename T>
  T number() {
    T to;
    std::memcpy(&to, rest_.data(), sizeof to);
    rest_.remove_prefix(sizeof to);
    return to;
  }
  std::string_view text() {
    const auto size = number<unsigned>();
    const std::string_view to = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return to;
  }

  std::string_view rest_;
};

}  // namespace

std::string write_tree(const TomlValue& value) {
  Writer writer;
  writer.value(value);
  return std::move(writer).take();
}

TomlValue read_tree(std::string_view tree) {
  TomlValue value;
  Reader(tree).value(value);
  return value;
}

}  // namespace paddock
