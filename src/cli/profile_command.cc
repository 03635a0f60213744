#include <fmt/core.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/config_report.h"
#include "cli/messages.h"
#include "cli/setup.h"
#include "policy/profile.h"

namespace paddock {
namespace {

Result<int> list(const Context& context, const Arguments& arguments) {
  const ProfileReader reader = profile_reader(context);
  if (arguments.has("--json")) {
    std::vector<ListedProfile> all;
    for (const std::string& name : profile_names(reader)) {
      const Result<PolicyFile> file = read_profile(name, reader);
      all.push_back({name, file ? file->description : std::string(), file ? std::string() : file.failure().message, is_shipped_profile(name)});
    }
    print_out(profiles_as_json(all));
    return 0;
  }
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

Result<int> show(const Context& context, const Arguments& arguments, const std::string& name) {
  const ProfileReader reader = profile_reader(context);
  const PolicyFile file = TRY(read_profile(name, reader));
  const Policy policy = TRY(load_profile(name, reader));
  TRY(check_given_up(policy, guarantee_names()));
  const ProfileShown profile{name, file.description, file.extends.value, rows_of(policy)};
  print_out(arguments.has("--json") ? profile_as_json(profile) : profile_in_words(profile));
  return 0;
}

}  // namespace

Result<int> profile_command(const Context& context, const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.rest;
  const bool is_show = !words.empty() && words[0] == "show";
  if (arguments.has("--json") && !is_show && !words.empty() && words[0] != "list") return error(ErrorCode::usage, "--json goes with list and show", "paddock profile show NAME --json");
  if (words.size() == 1 && words[0] == "list") return list(context, arguments);
  if (words.size() == 2 && words[0] == "check") return check(context, words[1]);
  if (words.size() == 2 && words[0] == "show") return show(context, arguments, words[1]);
  return error(ErrorCode::usage, "profile needs: list, show NAME, or check NAME", "paddock profile list");
}

}  // namespace paddock
