// Doctor's findings for a person and for a program. Pure; everything from outside is made visible here.
#pragma once

#include <string>
#include <vector>

#include "doctor/check.h"

namespace paddock::doctor {

enum class Ink { plain, coloured };
enum class Marks { ascii, unicode };

struct PageStyle {
  std::size_t columns = 80;  // 40 at least are used
  Ink ink = Ink::plain;
  Marks marks = Marks::ascii;
};

// Groups under headings, one line a check where it fits, what is wrong with cause and fix below it, and the answer
// last. `distribution` is told at the top.
std::string in_words(const std::vector<Finding>& findings, const Facts& facts, const PageStyle& style);

// One object with a line end: schema "paddock.doctor/1". Every key of a check is always there.
std::string as_json(const std::vector<Finding>& findings, const Facts& facts);

}  // namespace paddock::doctor
