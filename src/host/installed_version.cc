#include "host/installed_version.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"
#include "host/host_file.h"

namespace paddock {

std::vector<std::string> words_of_versions(std::string_view text) {
  std::vector<std::string> words;
  for (const std::string& line : split(text, '\n')) {
    std::string word;
    for (const char c : line.substr(0, line.find('#')) + " ") {
      if (c != ' ' && c != '\t' && c != '\r' && c != ':') {
        word += c;
      } else if (!word.empty()) {
        words.push_back(std::move(word));
        word.clear();
      }
    }
  }
  return words;
}

bool is_earlier_version(const std::string& a, const std::string& b) {
  const auto digits = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digits(a[i]) || !digits(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    const auto end_a = std::min(a.find_first_not_of("0123456789", i), a.size());
    const auto end_b = std::min(b.find_first_not_of("0123456789", j), b.size());
    if (end_a - i != end_b - j) return end_a - i < end_b - j;
    const int order = a.compare(i, end_a - i, b, j, end_b - j);
    if (order != 0) return order < 0;
    i = end_a, j = end_b;
  }
  return a.size() - i < b.size() - j;
}

std::optional<std::string> installed_version(const std::string& versions, const std::string& request, std::string_view prefix) {
  if (request.empty() || request.find('/') != std::string::npos || request == "." || request == "..") return {};
  const std::string plain = !prefix.empty() && request.starts_with(prefix) ? request.substr(prefix.size()) : request;
  for (const std::string& name : {request, plain}) {
    if (is_directory(path::join(versions, name))) return path::join(versions, name);
  }
  std::string best;
  for (const std::string& name : list_directory(versions)) {
    if (name.starts_with(plain + ".") && (best.empty() || is_earlier_version(best, name))) best = name;
  }
  if (best.empty()) return {};
  return path::join(versions, best);
}

}  // namespace paddock
