#include "terminal/payload_modes.h"

#include "terminal/filtered_for_tests.h"

namespace paddock::terminal {
namespace {

TEST(PayloadModes, NothingSetIsNothingUndone) {
  EXPECT_EQ(reset_of("plain \x1b[1mbold\x1b[22m \x1b[31mred\x1b[39m \x1b[2K\x1b[H\x1b[c done\r\n"), "");
}

TEST(PayloadModes, UndoesExactlyWhatIsSet) {
  const std::pair<std::string, std::string> cases[] = {
      {"\x1b[?1049h", "\x1b[?1049l"},
      {"\x1b[?1049h\x1b[?1049l", ""},
      {"\x1b[?47h", "\x1b[?47l"},
      {"\x1b[?25l", "\x1b[?25h"},
      {"\x1b[?1000h\x1b[?1006h", "\x1b[?1000l\x1b[?1006l"},
      {"\x1b[?1000;1006h\x1b[?1000;1006l", ""},
      {"\x1b[?2004;1004h", "\x1b[?1004l\x1b[?2004l"},
      {"\x1b[?1h\x1b=", "\x1b[?1l\x1b>"},
      {"\x1b[?7l\x1b[4h", "\x1b[?7h\x1b[4l"},
      {"\x1b[?2026h", "\x1b[?2026l"},
      {"\x1b[>1u\x1b[>3u", "\x1b[<2u"},
      {"\x1b[=1u", "\x1b[=0;1u"},
      {"\x1b[>1u\x1b[<u", ""},
      {"\x1b[>4;2m", "\x1b[>4m"},
      {"\x1b[>4;2m\x1b[>4m", ""},
      {"\x1b[2;20r", "\x1b" "7\x1b[r\x1b" "8"},
      {"\x1b[2;20r\x1b[r", ""},
      {"\x1b[?6h", "\x1b[?6l\x1b[9999H"},
      {"\x1b(0", "\x1b(B"},
      {"\x1b(0\x1b(B", ""},
      {"\x0e", "\x0f"},
      {"\x1b[31m", "\x1b[m"},
      {"\x1b[38;5;1m\x1b[39m", ""},
      {"\x1b[38;2;1;4;7m\x1b[39;0m", ""},
      {"\x1b[4;5 q", ""},
      {"\x1b[4 q", "\x1b[0 q"},
      {"\x1b[?12l", "\x1b[0 q"},
      {"\x1b[3g", "\x1b[?5W"},
      {"\x1b[?1049h\x1b[?25l\x1b" "c", ""},
  };
  for (const auto& [input, undone] : cases) EXPECT_EQ(reset_of(input), undone) << testing::PrintToString(input);
}

TEST(PayloadModes, UndoesTheKeyboardOfEachScreenOnThatScreen) {
  EXPECT_EQ(reset_of("\x1b[>1u\x1b[?1049h\x1b[>3u\x1b[?25l"), "\x1b[<1u\x1b[?1049l\x1b[<1u\x1b[?25h");
}

TEST(PayloadModes, UndoesWhatASavedCursorBringsBack) {
  EXPECT_EQ(reset_of("\x1b[31m\x1b" "7\x1b[m\x1b" "8"), "\x1b[m");
  EXPECT_EQ(reset_of("\x1b[31m\x1b[?1049h\x1b[m"), "\x1b[?1049l\x1b[m");
}

TEST(PayloadModes, SetsAgainWhatWasUndone) {
  OutputFilter filter;
  std::string out;
  filter.feed("\x1b[?1049h\x1b[>1u\x1b[?25l\x1b[?1000h\x1b[?1006h\x1b[31m\x1b=\x1b[>4;2m\x1b]0;t\a", out);
  EXPECT_EQ(filter.restore_sequence(), "\x1b[?1049h\x1b[>1u\x1b[?25l\x1b[?1006h\x1b[?1000h\x1b=\x1b[>4;2m");
  filter.exchange_payload(redone(filter.payload()));
  EXPECT_EQ(filter.reset_sequence(), "\x1b[<1u\x1b[?1049l\x1b[?1000l\x1b[?1006l\x1b[?25h\x1b>\x1b[>4m");
}

TEST(PayloadModes, StaysWithinTheNamedLength) {
  PayloadModes all;
  all.changed = (1u << modes.size()) - 1;
  all.alternate_screen = 1049;
  all.main_keyboard.depth = all.alternate_keyboard.depth = keyboard_depth_max;
  all.main_keyboard.flags.fill(31);
  all.alternate_keyboard = all.main_keyboard;
  all.main_keyboard.base = all.alternate_keyboard.base = 31;
  all.modify_other_keys = 2;
  all.application_keypad = all.scroll_region = all.shifted = all.hyperlink = all.palette = all.progress =
      all.tab_stops = all.title = true;
  all.charsets = 15;
  all.rendition = 1;
  all.cursor_style = 6;
  all.colours = 0x3ff;
  all.titles_pushed = title_depth_max;
  EXPECT_LE(undo_sequence(all).size(), undo_bytes_max);
  EXPECT_LE(redo_sequence(all).size(), undo_bytes_max);
}

}  // namespace
}  // namespace paddock::terminal
