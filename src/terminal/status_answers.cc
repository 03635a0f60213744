#include "terminal/status_answers.h"

namespace paddock::terminal {

void StatusAnswers::feed(std::string_view bytes) {
  for (const char c : bytes) {
    if (c == '\x1b') {
      matched_ = 1;
    } else if (matched_ == 1 && c == '[') {
      matched_ = 2;
    } else if (matched_ == 2 && (c == '0' || c == '3')) {
      matched_ = 3;
    } else {
      if (matched_ == 3 && c == 'n') ++seen_;
      matched_ = 0;
    }
  }
}

}  // namespace paddock::terminal
