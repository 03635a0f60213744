#include "base/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

namespace paddock {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i != 0) result += separator;
    result += parts[i];
  }
  return result;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view space = " \t\r\n\f\v";
  const auto first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::string shell_word(std::string_view text) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string shell_words(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const std::string& word : words) quoted.push_back(shell_word(word));
  return join(quoted, " ");
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || status != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

namespace {

// "1.5" times `scale`, rounded down; nothing unless it is a plain decimal that fits.
std::optional<std::uint64_t> scaled(std::string_view number, std::uint64_t scale) {
  const auto dot = number.find('.');
  const auto whole = parse_unsigned(number.substr(0, dot));
  if (!whole || *whole > std::numeric_limits<std::uint64_t>::max() / scale) return {};
  std::uint64_t value = *whole * scale;
  if (dot == std::string_view::npos) return value;
  const std::string_view digits = number.substr(dot + 1);
  const auto fraction = parse_unsigned(digits);
  if (!fraction || digits.size() > 6) return {};
  std::uint64_t part = *fraction * scale;
  for (std::size_t i = 0; i < digits.size(); ++i) part /= 10;
  if (part > std::numeric_limits<std::uint64_t>::max() - value) return {};
  return value + part;
}

}  // namespace

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  if (text.empty()) return {};
  std::string_view number = text;
  if (number.ends_with("iB")) number.remove_suffix(2);
  else if (number.ends_with("B")) number.remove_suffix(1);
  if (number.empty()) return {};
  constexpr std::string_view units = "KMGT";
  const auto unit = units.find(static_cast<char>(std::toupper(number.back())));
  std::uint64_t scale = 1;
  if (unit != std::string_view::npos) {
    number.remove_suffix(1);
    scale = std::uint64_t{1} << (10 * (unit + 1));
  }
  return scaled(number, scale);
}

std::optional<std::uint64_t> parse_duration_ms(std::string_view text) {
  struct Unit { std::string_view suffix; std::uint64_t ms; };
  constexpr Unit units[] = {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
  std::uint64_t scale = 1000;
  for (const Unit& unit : units) {
    if (!text.ends_with(unit.suffix)) continue;
    scale = unit.ms;
    text.remove_suffix(unit.suffix.size());
    break;
  }
  const auto value = scaled(text, scale);
  if (!value || *value == 0) return {};
  return value;
}

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= best_distance || distance >= std::max(word.size(), candidate.size())) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

}  // namespace paddock
