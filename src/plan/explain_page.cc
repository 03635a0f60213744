#include "plan/explain_page.h"

#include <fmt/core.h>

#include "base/text.h"

namespace paddock {
namespace {

// Columns of visible text, near enough: one for each character.
std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (const char c : text) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return columns;
}

std::string padded(std::string_view text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  return std::string(text) + std::string(used < columns ? columns - used : 0, ' ');
}

// Pieces put after each other with `between`, on lines that are not wider than the page.
std::vector<std::string> filled(const std::vector<std::string>& pieces, std::string_view between, std::size_t indent, std::size_t hang) {
  std::vector<std::string> lines;
  std::string line;
  for (const std::string& piece : pieces) {
    const std::size_t left = indent + (lines.empty() ? 0 : hang);
    if (!line.empty() && left + columns_of(line) + between.size() + columns_of(piece) > page_columns) lines.push_back(std::exchange(line, {}));
    if (!line.empty()) line += between;
    line += piece;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

std::string Page::bold(std::string_view text) const {
  return ink_ == Ink::coloured ? fmt::format("\x1b[1m{}\x1b[0m", text) : std::string(text);
}

void Page::put(std::size_t indent, std::string_view visible_text) { text_ += std::string(indent, ' ') + std::string(visible_text) + "\n"; }

void Page::title(std::string_view text) { put(0, bold(visible(text))); }

void Page::heading(std::string_view text) {
  text_ += "\n";
  put(0, bold(visible(text)));
}

void Page::text(std::size_t indent, std::string_view text) {
  constexpr std::size_t hang = 2;
  std::size_t left = indent;
  for (const std::string& line : filled(split(visible(text), ' '), " ", indent, hang)) {
    put(left, line);
    left = indent + hang;
  }
}

void Page::row(std::string_view name, std::string_view value, std::string_view origin) {
  constexpr std::size_t indent = 2, name_columns = 12, value_columns = 12;
  std::string line = padded(visible(name), name_columns) + " " + visible(value);
  if (!origin.empty()) line = padded(line, name_columns + 1 + value_columns) + " " + visible(origin);
  put(indent, line);
}

void Page::line(std::size_t indent, std::string_view text) { put(indent, visible(text)); }

void Page::names(std::size_t indent, const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < names.size(); ++i) shown.push_back(visible(names[i]) + (i + 1 == names.size() ? "" : ","));
  for (const std::string& line : filled(shown, " ", indent, 0)) put(indent, line);
}

}  // namespace paddock
