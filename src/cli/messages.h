// What people see on stderr. The only place that prints there.
#pragma once

#include <string_view>

#include "base/result.h"

namespace paddock {

enum class Colour { no, yes };

void print_error(const Error& failure, Colour colour);
void print_warning(std::string_view text, Colour colour);
void print_note(std::string_view text, Colour colour);
void print_danger(std::string_view text, Colour colour);  // running without a sandbox
void print_question(std::string_view text);               // stderr, without a line end
// A failure of a start that another program reads about: the first line begins with its marker.
void print_marked(std::string_view marker, const Error& failure);
void print_out(std::string_view text);                    // stdout

// 2, 125, 126, 127 or 1.
int exit_code_of(const Error& failure);

}  // namespace paddock
