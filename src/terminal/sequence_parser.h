// SequenceParser cuts a stream of terminal output into text, control characters and whole control
// sequences, however the stream was split. It decides nothing, keeps at most `osc_bytes_max` bytes
// and performs no input or output.
// Source: ECMA-48 §5, the DEC ANSI parser (vt100.net/emu/dec_ansi_parser), XTerm Control Sequences.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace paddock::terminal {

// How the user's terminal reads bytes above 0x7f: as UTF-8, where a C1 control is a character of two
// bytes, or one by one, where 0x80-0x9f are C1 controls wherever they stand.
enum class Encoding { utf8, bytes };

// The encoding that a locale name such as "de_DE.ISO-8859-1" asks for. A name without a character
// set ("", "C", "POSIX", "en_GB") is UTF-8: that is what terminals speak today.
Encoding encoding_of(std::string_view locale);

inline constexpr std::size_t csi_bytes_max = 256;
inline constexpr std::size_t escape_bytes_max = 3;
inline constexpr std::size_t osc_bytes_max = std::size_t{128} << 10;  // a clipboard of 96 KiB
inline constexpr std::size_t csi_digits_max = 5;  // further digits of one number are left out

enum class TokenKind {
  none,     // the input is used up
  text,     // printable characters, line feeds, carriage returns, tabs and backspaces
  control,  // one other C0 control character or DEL
  escape,   // what follows ESC: intermediates and the final byte
  csi,      // what follows CSI: parameters, intermediates and the final byte
  osc,      // what stands between OSC and its terminator; no C0 controls
  dropped,  // a sequence that is malformed, too long, cancelled, or a DCS, SOS, PM or APC string
};

enum class StringEnd { bell, terminator };

struct Token {
  TokenKind kind = TokenKind::none;
  std::string_view bytes;  // valid until the next call, as long as the input is
  StringEnd end = StringEnd::terminator;
};

class SequenceParser {
 public:
  explicit SequenceParser(Encoding encoding) : encoding_(encoding) {}

  // Takes the next token off the front of `input`; what is incomplete is kept for the next input.
  // In UTF-8, text tokens are valid UTF-8: what is not becomes U+FFFD.
  Token next(std::string_view& input);

 private:
  enum class State { ground, character, escape, csi, osc, osc_escape, ignored, ignored_escape };

  Token step(std::string_view& input);
  Token ground(std::string_view& input);
  Token character(std::string_view& input);
  Token c1(unsigned char code);
  Token in_sequence(std::string_view& input);
  Token escape(unsigned char byte);
  Token csi(unsigned char byte);
  Token string(std::string_view& input);
  Token string_escape(std::string_view& input);
  void enter(State state);
  void enter_string(char introducer);
  void keep(char byte, std::size_t bytes_max);
  void keep_parameter(char byte);
  Token complete(TokenKind kind, StringEnd end = StringEnd::terminator);
  Token cancelled();

  Encoding encoding_;
  State state_ = State::ground;
  std::string kept_;              // the sequence or the character so far
  bool over_long_ = false;        // the rest of the sequence is read and left out
  std::size_t digits_ = 0;        // of the number at the end of kept_, in a CSI sequence
  unsigned char previous_ = 0;    // in a string: the byte before, to find U+009C
};

}  // namespace paddock::terminal
