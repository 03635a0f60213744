#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "doctor/checks.h"

namespace paddock::doctor {
namespace {

std::string names_of(const std::vector<const NamedFile*>& files) {
  std::vector<std::string> names;
  for (const NamedFile* file : files) names.push_back(file->variable);
  return join(names, ", ");
}

// The variables that lead nowhere, as one fault.
Detail gone(const std::vector<const NamedFile*>& files) {
  std::vector<std::string> names;
  for (const NamedFile* file : files) names.push_back(file->variable);
  return {names_of(files), fmt::format("{} set, and what {} is not there: {}", files.size() == 1 ? "is" : "are", files.size() == 1 ? "it names" : "they name", files.front()->path),
          "correct it, or: unset " + join(names, " ")};
}

// Those that are not the same inside: the variable is not passed, or its file not visible.
Detail kept_out(const std::vector<const NamedFile*>& files) {
  std::vector<std::string> hidden;
  std::string fix = "paddock run";
  for (const NamedFile* file : files) {
    if (!file->is_visible && std::ranges::find(hidden, file->path) == hidden.end()) hidden.push_back(file->path);
    if (!file->is_passed) fix += " --env " + file->variable;
  }
  for (const std::string& path : hidden) fix += " --ro " + shell_word(path);
  const std::string with = hidden.empty() ? "" : ", and so does " + join(hidden, ", ");
  return {names_of(files), fmt::format("set outside and not inside{}: programs in the sandbox do not trust what you trust", with), fix + " …"};
}

bool is_own_address(std::string_view address) { return address.starts_with("127.") || address == "::1"; }

}  // namespace

Answers network_certificates(const Facts& facts) {
  const NetworkFacts& network = facts.network;
  if (network.bundles.empty()) return {failure("no certificate authorities", "no bundle lies where programs look for one: TLS fails, inside as outside", install_command(facts.settings.distribution, "ca-certificates"))};
  Answer answer = ok(network.bundles.front());
  std::vector<const NamedFile*> absent, outside;
  for (const NamedFile& file : network.certificates) {
    if (!file.exists) absent.push_back(&file);
    else if (!file.is_visible || !file.is_passed) outside.push_back(&file);
  }
  std::vector<Detail> faults;
  if (!outside.empty()) faults.push_back(kept_out(outside));
  if (!absent.empty()) faults.push_back(gone(absent));
  if (!faults.empty()) {
    answer.status = Status::warn;
    answer.cause = faults.front().what + ": " + faults.front().why;
    answer.fix = faults.front().fix;
    answer.details.assign(faults.begin() + 1, faults.end());
  }
  answer.facts = {{"bundle", network.bundles.front()}};
  return {answer};
}

Answers network_dns(const Facts& facts) {
  const NetworkFacts& network = facts.network;
  if (network.resolver.empty()) {
    return {warning("/etc/resolv.conf leads nowhere", "programs find no name server, inside as outside", "with systemd-resolved: sudo ln -sf /run/systemd/resolve/stub-resolv.conf /etc/resolv.conf")};
  }
  if (network.name_servers.empty()) return {warning("no name server in " + network.resolver, "programs ask this machine itself, and fail where nothing answers", "add a line: nameserver ADDRESS")};
  const bool is_own = std::ranges::all_of(network.name_servers, is_own_address);
  Answer answer = ok(fmt::format("{}{}", join(network.name_servers, ", "), is_own ? " (on this machine: reached while the network is shared)" : ""));
  answer.facts = {{"file", network.resolver}, {"servers", join(network.name_servers, " ")}};
  return {answer};
}

Answers network_proxy(const Facts& facts) {
  std::vector<std::string> set, kept_out;
  for (const auto& [name, is_passed] : facts.network.proxies) {
    set.push_back(name);
    if (!is_passed) kept_out.push_back(name);
  }
  if (set.empty()) return {ok("none is set")};
  if (kept_out.empty()) return {ok("passed: " + join(set, ", "))};
  return {warning("set and not passed: " + join(kept_out, ", "), "in a network that is only reached by a proxy, nothing inside reaches it (a value with a login is passed only by name)", "paddock run --env " + join(kept_out, " --env ") + " …")};
}

}  // namespace paddock::doctor
