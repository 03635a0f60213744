#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include <fmt/core.h>

#include "base/path.h"
#include "base/sha256.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/config_report.h"
#include "cli/grants.h"
#include "cli/messages.h"
#include "cli/setup.h"

namespace paddock {
namespace {

constexpr std::string_view hint = "paddock trust [PATH], paddock trust --list, paddock trust --revoke [PATH]";

// The directory that a person named: a project, or the file in it.
std::string directory_named(const Context& context, const std::vector<std::string>& words) {
  if (words.empty()) return context.directory;
  const std::string place = path::normal(words.front(), context.directory);
  return path::name(place) == repository_file_name ? path::parent(place) : place;
}

// Every value, for the person decides on exactly this; elsewhere a variable's value is never shown.
std::vector<std::string> wishes(const TierFiles& files, const MergedTiers& merged) {
  std::vector<std::string> lines;
  for (const Ignored& one : merged.ignored) {
    std::string asked = one.asked;
    for (const VariableRule& rule : files.tiers.repository.policy.variables) {
      if (one.key == "environment" && rule.origin == one.origin && rule.value && asked == rule.name + "=...") asked = rule.name + "=" + *rule.value;
    }
    lines.push_back(fmt::format("{}: {} {}", one.origin.where, one.key, asked));
  }
  return lines;
}

void print_lines(std::string_view heading, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  print_out(fmt::format("\n{}\n", heading));
  for (const std::string& line : lines) print_out("  " + visible(line) + "\n");
}

// A line from the terminal; nothing at its end.
std::string read_answer() {
  std::string answer;
  char letter = 0;
  while (answer.size() < 64) {
    const ssize_t n = ::read(0, &letter, 1);
    if (n < 0 && errno == EINTR) continue;
    if (n != 1 || letter == '\n') break;
    answer += letter;
  }
  return std::string(trim(answer));
}

Result<bool> confirmed(const Arguments& arguments) {
  if (arguments.has("--yes")) return true;
  if (::isatty(0) != 1 || ::isatty(2) != 1) {
    return error(ErrorCode::usage, "a grant is given at a terminal, or with --yes", "read the above, then: paddock trust --yes");
  }
  print_question("grant this content of the file? [y/N] ");
  const std::string answer = read_answer();
  return answer == "y" || answer == "Y" || answer == "yes";
}

Result<int> grant(const Context& context, const Arguments& arguments) {
  Context there = context;
  there.directory = context.host->real_path(directory_named(context, arguments.rest)).value_or(directory_named(context, arguments.rest));
  const SandboxChoice choice;
  const TierFiles files = TRY(read_tiers(there, choice));
  if (!files.repository) {
    return error(ErrorCode::answer_no, fmt::format("there is no {} in {}", repository_file_name, visible(files.workspace.empty() ? there.directory : files.workspace)), "nothing is asked, and nothing has to be granted");
  }
  const MergedTiers before = TRY(merge_as(there, files, Standing::ungranted, choice));
  const MergedTiers after = TRY(merge_as(there, files, Standing::granted, choice));
  const std::string& place = files.repository->path;
  print_out(fmt::format("{}\nsha256 {}\n", visible(place), sha256_hex(files.repository->text)));
  std::vector<std::string> never;
  for (const Ignored& one : before.ungrantable) never.push_back(in_words(one) + ": only you say so, in settings of your own");
  print_lines("No grant gives:", never);
  if (before.ignored.empty()) {
    print_out("\nIt asks for nothing beyond what you allow: nothing has to be granted.\n");
    return 0;
  }
  print_lines("It asks, beyond what you allow:", wishes(files, before));
  std::vector<std::string> changes = differences(before.policy, after.policy);
  if (before.profile != after.profile) changes.insert(changes.begin(), fmt::format("profile: {} -> {}", before.profile, after.profile));
  print_lines("Granted, this would change:", changes);
  std::vector<std::string> lowered;
  for (const Breach& one : after.lowered) lowered.push_back(in_words(one));
  print_lines("The ceiling stands over it:", lowered);
  print_out("\n");
  if (files.files.back().state == TierState::granted) {
    print_out("This content is granted already.\n");
    return 0;
  }
  if (!TRY(confirmed(arguments))) {
    print_out("Not granted.\n");
    return 1;
  }
  TRY(add_grant(context, place, files.repository->text));
  print_out("Granted. Any change of the file ends it; paddock trust --revoke takes it back.\n");
  return 0;
}

std::string state_of(const Grant& grant) {
  const auto file = read_repository_file(path::parent(grant.path));
  if (!file || !*file) return "absent";
  return sha256_hex((*file)->text) == grant.sha256 ? "current" : "changed";
}

Result<int> list(const Context& context, const Arguments& arguments) {
  std::vector<ListedGrant> all;
  for (Grant& one : TRY(list_grants(context))) {
    const std::string state = state_of(one);
    all.push_back({std::move(one), state});
  }
  print_out(arguments.has("--json") ? grants_as_json(all) : grants_in_words(all));
  return 0;
}

// The file may be gone, and the directory too.
Result<int> revoke(const Context& context, const Arguments& arguments) {
  std::string directory = directory_named(context, arguments.rest);
  directory = context.host->real_path(directory).value_or(directory);
  const auto workspace = choose_workspace({}, directory, context.host->user().home, *context.host);
  unsigned revoked = 0;
  for (const std::string& root : {directory, workspace ? workspace->root : directory}) revoked += TRY(revoke_grants(context, path::join(root, repository_file_name)));
  if (revoked == 0) return error(ErrorCode::answer_no, fmt::format("nothing is granted to {}", visible(path::join(workspace ? workspace->root : directory, repository_file_name))), "paddock trust --list");
  print_out(fmt::format("{} grant{} taken back\n", revoked, revoked == 1 ? "" : "s"));
  return 0;
}

}  // namespace

Result<int> trust_command(const Context& context, const Arguments& arguments) {
  const bool lists = arguments.has("--list"), revokes = arguments.has("--revoke");
  if (arguments.rest.size() > 1 || (lists && !arguments.rest.empty())) return error(ErrorCode::usage, fmt::format("one word too many: {}", visible(arguments.rest.back())), std::string(hint));
  if (lists && revokes) return error(ErrorCode::usage, "--list and --revoke exclude each other", std::string(hint));
  if (arguments.has("--yes") && (lists || revokes)) return error(ErrorCode::usage, "--yes is for granting", std::string(hint));
  if (arguments.has("--json") && !lists) return error(ErrorCode::usage, "--json goes with --list", std::string(hint));
  if (lists) return list(context, arguments);
  return revokes ? revoke(context, arguments) : grant(context, arguments);
}

}  // namespace paddock
