#include "terminal/osc_filter.h"

#include <algorithm>

#include "terminal/characters.h"
#include "terminal/osc_rules.h"

namespace paddock::terminal {
namespace {

void append_osc(std::string_view content, StringEnd end, std::string& out) {
  out += "\x1b]";
  out += content;
  out += end == StringEnd::bell ? "\a" : "\x1b\\";
}

// The title that the user had is put on the terminal's stack before the first that the payload sets.
void title(std::string_view number, std::string_view text, StringEnd end, FilterState& state, std::string& out) {
  if (!state.payload.title) out += "\x1b[22;0t";
  state.payload.title = true;
  const std::string shown = printable(text, state.options.encoding, title_bytes_max);
  append_osc(std::string(number) + ';' + shown, end, out);
}

// Colours are set or asked for; each '?' is a query of its own.
bool colours(int number, std::string_view rest, FilterState& state) {
  if (rest.size() > colour_bytes_max || !is_colour_list(rest)) return false;
  const auto asked = static_cast<std::uint64_t>(std::count(rest.begin(), rest.end(), '?'));
  if (asked > 0 && state.options.queries == Queries::drop) return false;
  state.counts.queries += asked;
  if (number == 104) {
    if (rest.empty()) state.payload.palette = false;
  } else if (number >= 110) {
    state.payload.colours &= static_cast<std::uint16_t>(~(1u << (number - 110)));
  } else if (number == 4) {
    state.payload.palette |= sets_palette(rest);
  } else {
    state.payload.colours |= colours_set(number - 10, rest);
  }
  return true;
}

bool hyperlink(std::string_view rest, FilterState& state) {
  const std::size_t at = rest.find(';');
  if (at == std::string_view::npos || rest.size() > hyperlink_bytes_max || !is_graphic_ascii(rest)) return false;
  const std::string_view target = rest.substr(at + 1);
  if (target.empty()) {
    state.payload.hyperlink = false;
    return true;
  }
  if (state.options.hyperlinks == Hyperlinks::drop || !is_web_target(target)) return false;
  state.payload.hyperlink = true;
  return true;
}

bool clipboard(std::string_view rest, FilterState& state) {
  const std::size_t at = rest.find(';');
  if (at == std::string_view::npos) return false;
  const std::string_view content = rest.substr(at + 1);
  if (content.find('?') != std::string_view::npos) {
    ++state.counts.clipboard_reads;
    return false;
  }
  ++state.counts.clipboard_writes;
  return state.options.clipboard_write == ClipboardWrite::pass && is_selection(rest.substr(0, at)) &&
         is_base64(content);
}

// 9;4 is progress; 9 and another number is ConEmu's, which starts programs among other things.
bool notification(int number, std::string_view rest, FilterState& state) {
  if (number == 9 && is_progress(rest)) {
    state.payload.progress = !rest.starts_with("4;0");
    return true;
  }
  if (rest.size() > notification_bytes_max || printable(rest, state.options.encoding, rest.size()) != rest)
    return false;
  if (number == 9 && begins_with_number(rest)) return false;
  if (number == 777 && !rest.starts_with("notify;")) return false;
  if (number == 99 && !is_plain_notification(rest)) return false;
  ++state.counts.notifications;
  return state.options.notifications == Notifications::pass;
}

}  // namespace

void filter_osc(std::string_view content, StringEnd end, FilterState& state, std::string& out) {
  const std::size_t at = std::min(content.find(';'), content.size());
  const std::string_view word = content.substr(0, at);
  const std::string_view rest = content.substr(std::min(at + 1, content.size()));
  const int number = osc_number(word);
  bool passes = false;
  switch (number) {
    case 0:
    case 1:
    case 2: title(word, rest, end, state, out); return;
    case 8: passes = hyperlink(rest, state); break;
    case 9:
    case 99:
    case 777: passes = notification(number, rest, state); break;
    case 52: passes = clipboard(rest, state); break;
    default:
      if (is_colour_number(number)) passes = colours(number, rest, state);
  }
  if (!passes) {
    ++state.counts.dropped;
    return;
  }
  append_osc(content, end, out);
}

}  // namespace paddock::terminal
