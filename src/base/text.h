// Small pure functions on text: splitting, joining, quoting for people and for shells.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paddock {

std::vector<std::string> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string_view trim(std::string_view text);  // without ASCII white space at both ends

// One POSIX shell word that stands for exactly these bytes (no NUL): plain, or in single quotes.
std::string shell_word(std::string_view text);
std::string shell_words(const std::vector<std::string>& words);

// For a person's screen: control characters, C1, bidi controls and invalid UTF-8 shown as \x1b, \u202e.
// Source of the bidi set: Unicode UAX #9 explicit formatting characters.
std::string visible(std::string_view text);
// The same for each of several lines, which stay lines.
std::string visible_lines(std::string_view text);

// A whole decimal number without sign, space or rest; nothing on overflow.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);

// "8G" -> bytes (K, M, G, T are powers of 1024; a bare number is refused below `bare_minimum`).
std::optional<std::uint64_t> parse_bytes(std::string_view text);
// "90", "90s", "15m", "2h", "1d", "1.5h" -> milliseconds; nothing for zero, negative or overflow.
std::optional<std::uint64_t> parse_duration_ms(std::string_view text);

// The word of `known` nearest to `word` (edit distance at most a third of its length), if any.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known);

// Shell-style match over path components: `*` and `?` and [set] within one, `**` over any number.
// Neither argument is normalised; both use '/'. Linear in memory; patterns are at most 4096 bytes.
bool path_matches(std::string_view pattern, std::string_view path);
// As fnmatch(3) without flags, on one component.
bool name_matches(std::string_view pattern, std::string_view name);

}  // namespace paddock
