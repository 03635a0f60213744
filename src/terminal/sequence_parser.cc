#include "terminal/sequence_parser.h"

#include <algorithm>
#include <cctype>

#include "terminal/characters.h"

namespace paddock::terminal {

Encoding encoding_of(std::string_view locale) {
  const std::size_t dot = locale.find('.');
  if (dot == std::string_view::npos) return Encoding::utf8;
  std::string set;
  for (const char c : locale.substr(dot + 1, locale.find('@', dot) - dot - 1)) {
    if (std::isalnum(static_cast<unsigned char>(c))) set += static_cast<char>(std::tolower(c));
  }
  return set == "utf8" ? Encoding::utf8 : Encoding::bytes;
}

Token SequenceParser::next(std::string_view& input) {
  while (!input.empty()) {
    const Token token = step(input);
    if (token.kind != TokenKind::none) return token;
  }
  return {};
}

Token SequenceParser::step(std::string_view& input) {
  switch (state_) {
    case State::ground: return ground(input);
    case State::character: return character(input);
    case State::escape:
    case State::csi: return in_sequence(input);
    case State::osc:
    case State::ignored: return string(input);
    case State::osc_escape:
    case State::ignored_escape: return string_escape(input);
  }
  return {};
}

void SequenceParser::enter(State state) {
  state_ = state;
  kept_.clear();
  over_long_ = false;
  digits_ = 0;
  previous_ = 0;
}

void SequenceParser::enter_string(char introducer) {
  enter(introducer == ']' ? State::osc : State::ignored);
}

// The token's bytes stay in kept_ until the next call enters another state or adds to it; every way
// into a sequence clears it first.
Token SequenceParser::complete(TokenKind kind, StringEnd end) {
  state_ = State::ground;
  if (over_long_) kind = TokenKind::dropped;
  return {kind, kept_, end};
}

Token SequenceParser::cancelled() {
  enter(State::ground);
  return {TokenKind::dropped, {}, StringEnd::terminator};
}

void SequenceParser::keep(char byte, std::size_t bytes_max) {
  if (kept_.size() < bytes_max) {
    kept_ += byte;
  } else {
    over_long_ = true;
  }
}

Token SequenceParser::ground(std::string_view& input) {
  const auto byte = static_cast<unsigned char>(input.front());
  const std::size_t length = text_prefix(input, encoding_);
  if (length > 0) {
    const Token token{TokenKind::text, input.substr(0, length), StringEnd::terminator};
    input.remove_prefix(length);
    return token;
  }
  if (byte == control_escape) {
    // Most sequences stand whole in the input and need no copy.
    if (const std::size_t whole = plain_csi_prefix(input); whole > 0) {
      const Token token{TokenKind::csi, input.substr(2, whole - 2), StringEnd::terminator};
      input.remove_prefix(whole);
      return token;
    }
    enter(State::escape);
    input.remove_prefix(1);
    return {};
  }
  if (byte < 0x80) {
    const Token token{TokenKind::control, input.substr(0, 1), StringEnd::terminator};
    input.remove_prefix(1);
    return token;
  }
  if (encoding_ == Encoding::utf8) {
    enter(State::character);
    return {};
  }
  input.remove_prefix(1);
  return c1(byte);
}

// One more byte of a character that text_prefix() did not take. A byte that cannot belong to it ends
// it, and is looked at again unless it was the first.
Token SequenceParser::character(std::string_view& input) {
  const auto byte = static_cast<unsigned char>(input.front());
  const bool first = kept_.empty();
  if (!first && byte < 0x80) {
    enter(State::ground);
    return {TokenKind::text, replacement_character, StringEnd::terminator};
  }
  kept_ += input.front();
  switch (character_state(kept_)) {
    case CharacterState::unfinished: input.remove_prefix(1); return {};
    case CharacterState::whole: break;
    case CharacterState::invalid:
      if (first) input.remove_prefix(1);
      enter(State::ground);
      return {TokenKind::text, replacement_character, StringEnd::terminator};
  }
  input.remove_prefix(1);
  if (kept_[0] == '\xc2' && byte < 0xa0) return c1(byte);
  return complete(TokenKind::text);
}

// A C1 control is ESC and the byte 0x40 below it. Source: ECMA-48 §5.3.
Token SequenceParser::c1(unsigned char code) {
  enter(State::escape);
  return escape(static_cast<unsigned char>(code - 0x40));
}

// Inside an escape or CSI sequence: controls act at once, and what cannot belong to it ends it.
Token SequenceParser::in_sequence(std::string_view& input) {
  const auto byte = static_cast<unsigned char>(input.front());
  if (byte >= 0x80) return cancelled();  // not taken: it is text, or an introducer
  const std::string_view taken = input.substr(0, 1);
  input.remove_prefix(1);
  if (byte == control_cancel || byte == control_substitute) return cancelled();
  if (byte == control_escape) {
    const bool between = state_ == State::escape && kept_.empty();
    enter(State::escape);
    return {between ? TokenKind::none : TokenKind::dropped, {}, StringEnd::terminator};
  }
  if (byte < 0x20) return {TokenKind::control, taken, StringEnd::terminator};
  if (byte == control_delete) return {};
  return state_ == State::escape ? escape(byte) : csi(byte);
}

Token SequenceParser::escape(unsigned char byte) {
  if (kept_.empty()) {
    switch (byte) {
      case '[': enter(State::csi); return {};
      case ']':
      case 'P':  // DCS
      case 'X':  // SOS
      case '^':  // PM
      case '_':  // APC
      case 'k':  // the title of screen(1), a string too
        enter_string(static_cast<char>(byte));
        return {};
      case '\\': enter(State::ground); return {};  // ST of nothing
      default: break;
    }
  }
  keep(static_cast<char>(byte), escape_bytes_max);
  if (byte < 0x30) return {};
  return complete(TokenKind::escape);
}

Token SequenceParser::csi(unsigned char byte) {
  if (byte < 0x40) {
    keep_parameter(static_cast<char>(byte));
    return {};
  }
  keep(static_cast<char>(byte), csi_bytes_max);
  return complete(TokenKind::csi);
}

// Numbers are kept without leading zeros and with at most csi_digits_max digits, so that no terminal
// can read another value than the filter did by overflow.
void SequenceParser::keep_parameter(char byte) {
  if (byte < '0' || byte > '9') {
    digits_ = 0;
  } else if (digits_ == 1 && kept_.back() == '0') {
    kept_.back() = byte;
    return;
  } else if (++digits_ > csi_digits_max) {
    return;
  }
  keep(byte, csi_bytes_max);
}

Token SequenceParser::string(std::string_view& input) {
  while (!input.empty()) {
    const auto byte = static_cast<unsigned char>(input.front());
    const bool osc = state_ == State::osc;
    input.remove_prefix(1);
    if (byte == control_escape) {
      state_ = osc ? State::osc_escape : State::ignored_escape;
      return {};
    }
    if (byte == control_cancel || byte == control_substitute) return cancelled();
    if (byte == control_bell && osc) return complete(TokenKind::osc, StringEnd::bell);
    if (byte == 0x9c && encoding_ == Encoding::bytes) return osc ? complete(TokenKind::osc) : cancelled();
    if (byte == 0x9c && previous_ == 0xc2) {
      if (!osc) return cancelled();
      if (!over_long_) kept_.pop_back();
      return complete(TokenKind::osc);
    }
    previous_ = byte;
    if (osc && byte >= 0x20 && byte != control_delete) keep(static_cast<char>(byte), osc_bytes_max);
  }
  return {};
}

Token SequenceParser::string_escape(std::string_view& input) {
  const bool osc = state_ == State::osc_escape;
  if (input.front() == '\\') {
    input.remove_prefix(1);
    return osc ? complete(TokenKind::osc) : cancelled();
  }
  enter(State::escape);  // that ESC began another sequence
  return {TokenKind::dropped, {}, StringEnd::terminator};
}

}  // namespace paddock::terminal
