#include "cli/messages.h"

#include <unistd.h>

#include <fmt/core.h>

#include "base/file.h"
#include "base/text.h"

namespace paddock {
namespace {

// Best effort: a closed stderr must not change what happens.
void print(int fd, std::string_view text) { (void)write_all(fd, text).ok(); }

std::string painted(std::string_view text, const char* code, Colour colour) {
  return colour == Colour::yes ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

}  // namespace

void print_error(const Error& failure, Colour colour) {
  std::string text = fmt::format("{} {}\n", painted("paddock: error:", "1;31", colour), visible_lines(failure.message));
  if (!failure.hint.empty()) text += fmt::format("  {} {}\n", painted("try:", "1", colour), visible_lines(failure.hint));
  print(2, text);
}

void print_warning(std::string_view text, Colour colour) { print(2, fmt::format("{} {}\n", painted("paddock: warning:", "1;33", colour), visible_lines(text))); }
void print_note(std::string_view text, Colour colour) { print(2, fmt::format("{} {}\n", painted("paddock:", "2", colour), visible_lines(text))); }
void print_danger(std::string_view text, Colour colour) { print(2, painted(fmt::format("paddock: {}", visible_lines(text)), "1;31", colour) + "\n"); }
void print_question(std::string_view text) { print(2, fmt::format("paddock: {}", visible(text))); }
void print_marked(std::string_view marker, const Error& failure) {
  std::string text = fmt::format("{} {}\n", visible(marker), visible_lines(failure.message));
  if (!failure.hint.empty()) text += fmt::format("  try: {}\n", visible_lines(failure.hint));
  print(2, text);
}

void print_out(std::string_view text) { print(1, text); }

int exit_code_of(const Error& failure) {
  switch (failure.code) {
    case ErrorCode::usage: return 2;
    case ErrorCode::cannot_start: return 125;
    case ErrorCode::not_executable: return 126;
    case ErrorCode::not_found: return 127;
    case ErrorCode::answer_no: return 1;
  }
  return 125;
}

}  // namespace paddock
