// A page of plain text under headings, 80 columns wide. What is put on it is made visible here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/explain.h"

namespace paddock {

inline constexpr std::size_t page_columns = 80;

class Page {
 public:
  explicit Page(Ink ink) : ink_(ink) {}

  void title(std::string_view text);
  void heading(std::string_view text);               // after an empty line
  // Broken between words; what follows the first line is set in by two more.
  void text(std::size_t indent, std::string_view text);
  // "name  value  origin", the columns aligned as long as they fit.
  void row(std::string_view name, std::string_view value, std::string_view origin = {});
  // One line, whatever its length: a path or a command that a person may copy.
  void line(std::size_t indent, std::string_view text);
  // Names after each other, as many to a line as fit.
  void names(std::size_t indent, const std::vector<std::string>& names);

  std::string take() && { return std::move(text_); }

 private:
  void put(std::size_t indent, std::string_view visible_text);
  std::string bold(std::string_view text) const;

  Ink ink_;
  std::string text_;
};

}  // namespace paddock
