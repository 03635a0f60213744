#include "base/path.h"

namespace paddock::path {
namespace {

void append_components(std::vector<std::string_view>& out, std::string_view given) {
  while (!given.empty()) {
    const auto slash = given.find('/');
    const std::string_view part = given.substr(0, slash);
    if (part == "..") {
      if (!out.empty()) out.pop_back();
    } else if (!part.empty() && part != ".") {
      out.push_back(part);
    }
    if (slash == std::string_view::npos) break;
    given.remove_prefix(slash + 1);
  }
}

}  // namespace

bool is_absolute(std::string_view given) { return !given.empty() && given.front() == '/'; }

std::string normal(std::string_view given, std::string_view base) {
  std::vector<std::string_view> parts;
  if (!is_absolute(given)) append_components(parts, base);
  append_components(parts, given);
  if (parts.empty()) return "/";
  std::string result;
  for (const std::string_view part : parts) result.append("/").append(part);
  return result;
}

std::string join(std::string_view directory, std::string_view name) {
  std::string result(directory);
  if (name.empty()) return result;
  if (result.empty() || result.back() != '/') result += '/';
  return result.append(name);
}

std::string parent(std::string_view given) {
  const auto slash = given.rfind('/');
  if (slash == std::string_view::npos || slash == 0) return "/";
  return std::string(given.substr(0, slash));
}

std::string name(std::string_view given) {
  const auto slash = given.rfind('/');
  return std::string(slash == std::string_view::npos ? given : given.substr(slash + 1));
}

bool is_within(std::string_view given, std::string_view directory) {
  if (directory == "/") return is_absolute(given);
  return given.starts_with(directory) &&
         (given.size() == directory.size() || given[directory.size()] == '/');
}

std::string relative(std::string_view given, std::string_view directory) {
  std::string_view rest = given.substr(directory == "/" ? 0 : directory.size());
  if (!rest.empty() && rest.front() == '/') rest.remove_prefix(1);
  return std::string(rest);
}

std::vector<std::string> ancestors_and_self(std::string_view given) {
  std::vector<std::string> result{"/"};
  for (std::size_t at = 1; at < given.size();) {
    auto slash = given.find('/', at);
    if (slash == std::string_view::npos) slash = given.size();
    result.emplace_back(given.substr(0, slash));
    at = slash + 1;
  }
  return result;
}

std::string expand_home(std::string_view given, std::string_view home) {
  if (given == "~") return std::string(home);
  if (given.starts_with("~/")) return join(home, given.substr(2));
  return std::string(given);
}

std::string as_name(std::string_view given) {
  constexpr std::size_t part_bytes_max = 200;  // a name has at most 255
  std::string encoded;
  for (const char c : given) {
    if (c == '/') encoded += "%2F";
    else if (c == '%') encoded += "%25";
    else encoded += c;
  }
  std::string name;
  for (std::size_t at = 0; at < encoded.size(); at += part_bytes_max) name += (at == 0 ? "" : "/+") + encoded.substr(at, part_bytes_max);
  return name;
}

}  // namespace paddock::path
