// What a person granted to repositories' files with `paddock trust`: for one path and one content each, kept
// among Paddock's own data, which no sandbox sees.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/context.h"

namespace paddock {

inline constexpr std::size_t grants_max = 4096;

struct Grant {
  std::string path;    // of the file, absolute
  std::string sha256;  // of its content
  std::string when;    // "2025-01-31T12:00:00Z"
};

// The text of one grant's file, and back. Errors name `where`.
Result<Grant> read_grant(const std::string& text, const std::string& where);
std::string write_grant(const Grant& grant);

// One look-up: opens one file. Errors: it is there and cannot be trusted or understood.
Result<bool> is_granted(const Context& context, const std::string& path, std::string_view content);

Result<void> add_grant(const Context& context, const std::string& path, std::string_view content);

// All, by path and then by time.
Result<std::vector<Grant>> list_grants(const Context& context);

// Every grant of that path; the number of them.
Result<unsigned> revoke_grants(const Context& context, const std::string& path);

}  // namespace paddock
