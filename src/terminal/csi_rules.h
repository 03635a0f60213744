// Which CSI sequences may reach the user's terminal: one table. What is not in it does not pass.
// Left out on purpose: window manipulation and title reports (t), media copy (i), terminal parameters
// (x), presentation state (CSI $ w), checksums of the screen (CSI * y), locator, macros, status line,
// conformance level (it can turn answers into C1 controls), saving and restoring of modes (CSI ? s r,
// whose effect cannot be followed), soft fonts.
// Source: XTerm Control Sequences, "Functions using CSI".
#pragma once

#include "terminal/csi_sequence.h"

namespace paddock::terminal {

enum class CsiAction {
  drop,
  pass,                // draws or moves, and nothing else
  query,               // the terminal answers with a fixed form that names no text of the payload's
  device_attributes,   // DA: a query, with parameter 0 only
  status_report,       // DSR: a query where the parameter is 5 or 6
  dec_status_report,   // DSR: a query where the parameter is 6 (cursor) or 996 (colour scheme)
  set_mode,
  reset_mode,
  rendition,           // SGR
  save_cursor,         // SCOSC (or left and right margins)
  restore_cursor,      // SCORC
  scroll_region,       // DECSTBM
  cursor_style,        // DECSCUSR
  tab_stops,           // TBC
  scroll_down,         // SD, which with five parameters starts highlight tracking
  window,              // XTWINOPS
  modify_keys,         // XTMODKEYS
  keyboard_push,
  keyboard_pop,
  keyboard_set,
};

CsiAction action_of(const CsiSequence& sequence);

}  // namespace paddock::terminal
