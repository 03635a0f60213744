#include "terminal/csi_filter.h"

#include <algorithm>

#include <fmt/core.h>

#include "terminal/csi_rules.h"
#include "terminal/rendition.h"

namespace paddock::terminal {
namespace {

enum class Verdict { drop, pass, rewritten };

Verdict pass_if(bool wanted) { return wanted ? Verdict::pass : Verdict::drop; }

Verdict query(FilterState& state) {
  if (state.options.queries == Queries::drop) return Verdict::drop;
  ++state.counts.queries;
  return Verdict::pass;
}

Verdict status_report(const CsiSequence& sequence, FilterState& state) {
  const int number = sequence.parameter(0);
  if (sequence.count != 1 || (number != 5 && number != 6)) return Verdict::drop;
  const Verdict verdict = query(state);
  if (verdict == Verdict::pass && number == 5) ++state.counts.status_requests;
  return verdict;
}

// Notes one mode of a list; whether it passes.
bool note_one_mode(ModeSpace space, int number, ModeState to, FilterState& state) {
  PayloadModes& payload = state.payload;
  if (space == ModeSpace::dec && is_alternate_screen(number)) {
    note_alternate_screen(payload, number, to);
    return true;
  }
  if (space == ModeSpace::dec && number == cursor_blink_mode && payload.cursor_style == 0) payload.cursor_style = -1;
  if (space == ModeSpace::dec && number == save_cursor_mode) {
    to == ModeState::on ? note_cursor_saved(payload) : note_cursor_restored(payload);
  }
  if (space == ModeSpace::dec && (number == cursor_blink_mode || number == save_cursor_mode)) return true;
  const auto index = mode_index(space, number);
  if (!index) return false;
  if (modes[*index].reports == ModeReports::yes && to == ModeState::on) {
    if (state.options.queries == Queries::drop) return false;
    ++state.counts.reports;
  }
  note_mode(payload, *index, to);
  return true;
}

// Of a list of modes those pass that the table holds.
Verdict change_modes(const CsiSequence& sequence, ModeState to, FilterState& state, std::string& out) {
  const ModeSpace space = sequence.prefix == '?' ? ModeSpace::dec : ModeSpace::ansi;
  std::string list;
  std::size_t passed = 0;
  for (std::size_t i = 0; i < sequence.count; ++i) {
    if (!note_one_mode(space, sequence.parameter(i), to, state)) continue;
    if (passed++ > 0) list += ';';
    list += std::to_string(sequence.parameter(i));
  }
  if (passed == 0) return Verdict::drop;
  if (passed == sequence.count) return Verdict::pass;
  ++state.counts.dropped;
  out += fmt::format("\x1b[{}{}{}", space == ModeSpace::dec ? "?" : "", list, sequence.final_byte);
  return Verdict::rewritten;
}

// Reports of sizes and the title stack pass; moving, resizing and naming the window do not, nor do
// reports of its state, its place and its titles.
Verdict window(const CsiSequence& sequence, FilterState& state) {
  PayloadModes& payload = state.payload;
  switch (sequence.parameter(0)) {
    case 14:
    case 16:
    case 18: return query(state);
    case 22:
      if (sequence.count > 2 || payload.titles_pushed >= title_depth_max) return Verdict::drop;
      ++payload.titles_pushed;
      return Verdict::pass;
    case 23:
      // What lies below its own titles is the user's.
      if (sequence.count > 2 || payload.titles_pushed == 0) return Verdict::drop;
      --payload.titles_pushed;
      return Verdict::pass;
    default: return Verdict::drop;
  }
}

// Only modifyOtherKeys (4), or all back to their initial values.
Verdict modify_keys(const CsiSequence& sequence, PayloadModes& payload) {
  if (sequence.count > 2 || (sequence.count > 0 && sequence.parameter(0) != 4)) return Verdict::drop;
  payload.modify_other_keys = sequence.parameter(1);
  return Verdict::pass;
}

Verdict keyboard_push(const CsiSequence& sequence, PayloadModes& payload) {
  KeyboardStack& keyboard = keyboard_of_screen(payload);
  if (sequence.count > 1 || keyboard.depth == keyboard_depth_max) return Verdict::drop;
  keyboard.flags[keyboard.depth++] = static_cast<std::uint8_t>(sequence.parameter(0) & 0x1f);
  return Verdict::pass;
}

// Never more than was pushed: what lies below is the user's shell's.
Verdict keyboard_pop(const CsiSequence& sequence, FilterState& state, std::string& out) {
  KeyboardStack& keyboard = keyboard_of_screen(state.payload);
  const int wanted = std::max(sequence.parameter(0, 1), 1);
  const int count = std::min<int>(wanted, keyboard.depth);
  if (sequence.count > 1 || count == 0) return Verdict::drop;
  keyboard.depth = static_cast<std::uint8_t>(keyboard.depth - count);
  if (count == wanted) return Verdict::pass;
  out += fmt::format("\x1b[<{}u", count);
  return Verdict::rewritten;
}

// `CSI = flags ; how u`, how: 1 replaces, 2 adds, 3 takes away.
Verdict keyboard_set(const CsiSequence& sequence, PayloadModes& payload) {
  KeyboardStack& keyboard = keyboard_of_screen(payload);
  const int how = sequence.parameter(1, 1);
  if (sequence.count > 2 || how < 1 || how > 3) return Verdict::drop;
  std::uint8_t& top = keyboard.depth > 0 ? keyboard.flags[keyboard.depth - 1u] : keyboard.base;
  const int flags = sequence.parameter(0) & 0x1f;
  top = static_cast<std::uint8_t>(how == 1 ? flags : how == 2 ? top | flags : top & ~flags);
  return Verdict::pass;
}

Verdict judge(const CsiSequence& sequence, FilterState& state, std::string& out) {
  PayloadModes& payload = state.payload;
  const int first = sequence.parameter(0);
  switch (action_of(sequence)) {
    case CsiAction::drop: return Verdict::drop;
    case CsiAction::pass: return Verdict::pass;
    case CsiAction::query: return query(state);
    case CsiAction::device_attributes: return first == 0 && sequence.count < 2 ? query(state) : Verdict::drop;
    case CsiAction::status_report: return status_report(sequence, state);
    case CsiAction::dec_status_report:
      return sequence.count == 1 && (first == 6 || first == 996) ? query(state) : Verdict::drop;
    case CsiAction::set_mode: return change_modes(sequence, ModeState::on, state, out);
    case CsiAction::reset_mode: return change_modes(sequence, ModeState::off, state, out);
    case CsiAction::rendition:
      payload.rendition = rendition_after(payload.rendition, sequence);
      return Verdict::pass;
    case CsiAction::save_cursor: note_cursor_saved(payload); return Verdict::pass;
    case CsiAction::restore_cursor: note_cursor_restored(payload); return Verdict::pass;
    case CsiAction::scroll_region:
      payload.scroll_region = first > 1 || sequence.parameter(1) > 0;
      return Verdict::pass;
    case CsiAction::cursor_style:
      if (first > 6 || sequence.count > 1) return Verdict::drop;
      payload.cursor_style = first;
      return Verdict::pass;
    case CsiAction::tab_stops: payload.tab_stops = true; return Verdict::pass;
    case CsiAction::scroll_down: return pass_if(sequence.count < 2);
    case CsiAction::window: return window(sequence, state);
    case CsiAction::modify_keys: return modify_keys(sequence, payload);
    case CsiAction::keyboard_push: return keyboard_push(sequence, payload);
    case CsiAction::keyboard_pop: return keyboard_pop(sequence, state, out);
    case CsiAction::keyboard_set: return keyboard_set(sequence, payload);
  }
  return Verdict::drop;
}

}  // namespace

void filter_csi(std::string_view body, FilterState& state, std::string& out) {
  const auto sequence = parse_csi(body);
  Verdict verdict = Verdict::drop;
  // Sub-parameters (':') are for SGR alone.
  const bool plain = sequence && (!sequence->sub_parameters || action_of(*sequence) == CsiAction::rendition);
  if (plain) verdict = judge(*sequence, state, out);
  if (verdict == Verdict::drop) ++state.counts.dropped;
  if (verdict != Verdict::pass) return;
  out += "\x1b[";
  out += body;
}

}  // namespace paddock::terminal
