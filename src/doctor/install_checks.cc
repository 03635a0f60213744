#include <fmt/core.h>

#include "base/text.h"
#include "doctor/checks.h"

namespace paddock::doctor {

Answers install_warden(const Facts& facts) {
  const InstallFacts& install = facts.install;
  const std::string again = "install Paddock again, paddock and paddock-warden together";
  if (!install.has_warden) return {failure("not found", "every sandbox needs it: " + install.warden, again)};
  if (!install.warden_problem.empty()) return {failure("does not run: " + install.warden, install.warden_problem, again)};
  const std::string said(trim(install.warden_said));
  const std::string wanted = "paddock-warden " + install.version;
  if (said != wanted && !said.starts_with(wanted + " ")) {
    return {failure("of another version: " + install.warden, fmt::format("this is paddock {}, and it says: {}", install.version, said), again)};
  }
  Answer answer = ok(fmt::format("{} at {}", install.version, install.warden));
  answer.facts = {{"program", install.warden}, {"version", install.version}};
  return {answer};
}

Answers install_program(const Facts& facts) {
  const InstallFacts& install = facts.install;
  Answer answer = ok(fmt::format("{} at {}", install.version, install.program));
  if (install.is_open_to_others) {
    answer = warning(answer.summary, "other users can change it, and so what every sandbox of yours is", "install it where only root or you can write");
  } else if (install.is_in_workspace) {
    answer = warning(answer.summary, "it lies in the project that you are in: sandboxes hold it read-only, but what you build or check out here replaces it", "install it outside: paddock install");
  }
  answer.facts = {{"program", install.program}, {"version", install.version}};
  return {answer};
}

Answers config_user(const Facts& facts) {
  if (facts.config_problem.empty()) return {ok(facts.config_file)};
  return {failure("cannot be used: " + facts.config_file, facts.config_problem, "mend that line; until then no sandbox starts")};
}

}  // namespace paddock::doctor
