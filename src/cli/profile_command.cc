#include <fmt/core.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/messages.h"
#include "cli/setup.h"
#include "policy/profile.h"

namespace paddock {
namespace {

Result<int> list(const Context& context) {
  const ProfileReader reader = profile_reader(context);
  for (const std::string& name : profile_names(reader)) {
    const Result<PolicyFile> file = read_profile(name, reader);
    print_out(fmt::format("{:<12} {}\n", visible(name), file ? visible(file->description) : "cannot be read: " + visible_lines(file.failure().message)));
  }
  return 0;
}

Result<int> check(const Context& context, const std::string& name) {
  const Policy policy = TRY(load_profile(name, profile_reader(context)));
  TRY(check_given_up(policy, guarantee_names()));
  print_out(fmt::format("{}: fine\n", visible(name)));
  return 0;
}

}  // namespace

Result<int> profile_command(const Context& context, const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.rest;
  if (words.size() == 1 && words[0] == "list") return list(context);
  if (words.size() == 2 && words[0] == "check") return check(context, words[1]);
  return error(ErrorCode::usage, "profile needs: list, or check NAME", "paddock profile list");
}

}  // namespace paddock
