#include "doctor/check.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/text.h"
#include "doctor/machines_for_tests.h"

namespace paddock::doctor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

// The findings that are not fine, as "id status".
std::vector<std::string> faults(const Facts& facts) {
  std::vector<std::string> all;
  for (const Finding& finding : examine(facts)) {
    if (finding.answer.status == Status::warn || finding.answer.status == Status::fail) all.push_back(finding.id + " " + std::string(word_of(finding.answer.status)));
  }
  return all;
}

Answer answer(const Facts& facts, std::string_view id) {
  for (const Finding& finding : examine(facts)) {
    if (finding.id == id) return finding.answer;
  }
  ADD_FAILURE() << id << " is not there";
  return {};
}

TEST(HealthyMachine, IsFineThroughout) {
  EXPECT_THAT(faults(healthy()), IsEmpty());
  EXPECT_TRUE(is_fit(examine(healthy())));
}

TEST(Table, NamesEachCheckOnce) {
  std::set<std::string_view> ids;
  for (const Check& check : checks()) EXPECT_TRUE(ids.insert(check.id).second) << check.id;
}

TEST(Table, HasTheRequiredOnesThatDoctorPromises) {
  std::vector<std::string_view> required;
  for (const Check& check : checks()) {
    if (check.need == Need::required) required.push_back(check.id);
  }
  EXPECT_THAT(required, ElementsAre("backend.default", "git.program", "storage.state"));
}

TEST(Table, EveryFaultSaysWhy) {
  // Of every machine below, taken together.
  Facts broken = healthy();
  broken.kernel = {"5.4.0", 0, EOPNOTSUPP, false, false, false, false};
  broken.namespaces = {EPERM, {}};
  broken.backends = {bubblewrap_that_fails("no", "yes")};
  broken.git = {};
  broken.terminal = {true, "", false, 5, 20, "C", "tmux", "3.3a", "off"};
  broken.network = {};
  broken.install.has_warden = false;
  for (DirectoryFacts& directory : broken.directories) directory.error = EACCES;
  for (const Finding& finding : examine(broken)) {
    const bool is_wrong = finding.answer.status == Status::warn || finding.answer.status == Status::fail;
    EXPECT_EQ(finding.answer.cause.empty(), !is_wrong) << finding.id;
    EXPECT_FALSE(finding.answer.summary.empty()) << finding.id;
  }
  EXPECT_FALSE(is_fit(examine(broken)));
}

// The matrix of broken distributions.

TEST(Ubuntu, WithItsRestrictionNamesTheProfile) {
  Facts facts = healthy();
  facts.settings.distribution = {DistributionFamily::debian, "ubuntu", "Ubuntu 24.04.1 LTS", "24.04"};
  facts.settings.sysctls["kernel.apparmor_restrict_unprivileged_userns"] = "1";
  facts.namespaces.user = EPERM;
  facts.backends = {bubblewrap_that_fails("AppArmor restricts …", "profile")};
  EXPECT_THAT(faults(facts), UnorderedElementsAre("backend.default fail", "backend.bubblewrap fail", "userns.allowed fail", "userns.apparmor fail"));
  EXPECT_THAT(answer(facts, "userns.allowed").cause, HasSubstr("AppArmor"));
  EXPECT_THAT(answer(facts, "userns.apparmor").fix, HasSubstr("bwrap-userns-restrict"));
}

TEST(Ubuntu, WithAProfileForBwrapIsFine) {
  Facts facts = healthy();
  facts.settings.sysctls["kernel.apparmor_restrict_unprivileged_userns"] = "1";
  facts.namespaces = {EPERM, {}};  // this program has no profile, bwrap has one
  EXPECT_THAT(faults(facts), IsEmpty());
}

TEST(Debian, WithNamespacesOffNamesItsSwitch) {
  Facts facts = healthy();
  facts.settings.sysctls["kernel.unprivileged_userns_clone"] = "0";
  facts.namespaces = {EPERM, {}};
  facts.backends = {bubblewrap_that_fails("off", "on")};
  EXPECT_EQ(answer(facts, "userns.allowed").fix, "sudo sysctl -w kernel.unprivileged_userns_clone=1");
}

TEST(Machine, WithoutUserNamespacesNamesTheLimit) {
  Facts facts = healthy();
  facts.settings.sysctls["user.max_user_namespaces"] = "0";
  facts.namespaces = {ENOSPC, {}};
  facts.backends = {bubblewrap_that_fails("off", "sudo sysctl -w user.max_user_namespaces=15000")};
  EXPECT_THAT(answer(facts, "userns.allowed").cause, HasSubstr("user.max_user_namespaces is 0"));
  EXPECT_EQ(answer(facts, "backend.default").fix, "sudo sysctl -w user.max_user_namespaces=15000");
  EXPECT_EQ(answer(facts, "userns.kinds").status, Status::skip);
}

TEST(Machine, WithoutNetworkNamespacesIsFitForTheDefault) {
  Facts facts = healthy();
  facts.settings.sysctls["user.max_net_namespaces"] = "0";
  facts.namespaces.kinds["net"] = ENOSPC;
  std::erase(facts.backends[0].report.held, Guarantee::network_none);
  facts.backends[0].report.missing.push_back({"network_none", "network namespaces are off", "sysctl"});
  EXPECT_THAT(faults(facts), UnorderedElementsAre("backend.bubblewrap warn", "userns.kinds warn"));
  EXPECT_THAT(answer(facts, "userns.kinds").cause, HasSubstr("user.max_net_namespaces is 0"));
  EXPECT_TRUE(is_fit(examine(facts)));
}

TEST(Machine, WithoutPidNamespacesIsNot) {
  Facts facts = healthy();
  facts.namespaces.kinds["pid"] = ENOSPC;
  facts.namespaces.kinds["net"] = ENOSPC;
  const Answer kinds = answer(facts, "userns.kinds");
  EXPECT_EQ(kinds.status, Status::fail);
  EXPECT_EQ(kinds.summary, "refused: net, pid");
  EXPECT_EQ(kinds.details.size(), 2u);
}

TEST(Container, WithoutANewProcNamesWhatCoversItAndTheWayOut) {
  Facts facts = healthy();
  facts.settings.container = "docker";
  facts.settings.covered_proc = {"/proc/kcore"};
  std::erase(facts.backends[0].report.held, Guarantee::processes_hidden);
  facts.backends[0].unmet = {{"processes_hidden", "a new /proc cannot be mounted", "--without processes_hidden"}};
  facts.backends[0].report.missing = facts.backends[0].unmet;
  EXPECT_THAT(faults(facts), UnorderedElementsAre("backend.default fail", "backend.bubblewrap fail", "userns.proc fail"));
  EXPECT_THAT(answer(facts, "userns.proc").fix, HasSubstr("--without processes_hidden"));
}

TEST(Machine, WithoutBubblewrapNamesThePackage) {
  Facts facts = healthy();
  facts.backends = {bubblewrap_that_fails("bwrap is not installed", "sudo apt install bubblewrap")};
  facts.backends[0].report.program.clear();
  EXPECT_EQ(answer(facts, "backend.default").fix, "sudo apt install bubblewrap");
  EXPECT_EQ(answer(facts, "backend.bubblewrap").summary, "not usable");
  EXPECT_EQ(answer(facts, "userns.allowed").status, Status::ok) << "the kernel is not what is missing";
}

TEST(Machine, WithABackendThatHangsShowsTheRest) {
  Facts facts = healthy();
  facts.backends = {bubblewrap_that_fails("it gave no answer: the sandbox did not come up in 5 s", "probe_timeout")};
  EXPECT_THAT(faults(facts), UnorderedElementsAre("backend.default fail", "backend.bubblewrap fail"));
}

TEST(Machine, WithSeveralBackendsTakesTheOneThatHolds) {
  Facts facts = healthy();
  facts.backends.insert(facts.backends.begin(), bubblewrap_that_fails("no", ""));
  facts.backends[0].name = "native";
  EXPECT_EQ(answer(facts, "backend.default").status, Status::ok);
  facts.backends[1].is_listed = false;
  EXPECT_EQ(answer(facts, "backend.default").status, Status::fail);
}

TEST(Kernel, IsJudgedByItsVersion) {
  Facts facts = healthy();
  facts.kernel.release = "5.10.0-30-amd64";
  EXPECT_EQ(answer(facts, "kernel.version").status, Status::fail);
  facts.kernel.release = "5.11.0";
  EXPECT_EQ(answer(facts, "kernel.version").status, Status::ok);
  facts.kernel.release = "weird";
  EXPECT_EQ(answer(facts, "kernel.version").status, Status::warn);
}

TEST(Kernel, IsJudgedByItsLandlock) {
  Facts facts = healthy();
  facts.kernel.landlock_abi = 4;
  EXPECT_THAT(answer(facts, "kernel.landlock").cause, HasSubstr("abstract sockets"));
  facts.kernel.landlock_abi = 0;
  facts.kernel.landlock_error = EOPNOTSUPP;
  EXPECT_THAT(answer(facts, "kernel.landlock").fix, HasSubstr("lsm="));
  facts.kernel.landlock_error = ENOSYS;
  EXPECT_THAT(answer(facts, "kernel.landlock").fix, HasSubstr("5.13"));
}

TEST(Git, IsRequired) {
  Facts facts = healthy();
  facts.git = {};
  EXPECT_EQ(answer(facts, "git.program").fix, "sudo apt install git");
  EXPECT_FALSE(is_fit(examine(facts)));
}

TEST(Git, IsJudgedByItsVersion) {
  Facts facts = healthy();
  for (const auto& [said, status] : {std::pair{"git version 2.39.5", Status::ok}, {"git version 2.31.0", Status::ok}, {"git version 2.30.9", Status::warn},
                                     {"git version 2.39.5 (Apple Git-154)", Status::ok}, {"git version 2.45.1.windows.1", Status::ok}, {"\x1b[31mno", Status::warn}, {"", Status::warn}}) {
    facts.git.said = said;
    EXPECT_EQ(answer(facts, "git.version").status, status) << said;
  }
}

TEST(Git, IsAskedOfTheRepositoryAround) {
  Facts facts = healthy();
  facts.git.is_foreign = true;
  EXPECT_THAT(answer(facts, "git.safe_directory").fix, HasSubstr("--add safe.directory /home/u/project"));
  facts.git.is_trusted = true;
  EXPECT_EQ(answer(facts, "git.safe_directory").status, Status::ok);
  facts.git.email.clear();
  EXPECT_THAT(answer(facts, "git.identity").summary, HasSubstr("user.email is not set"));
  facts.git.lfs_wanted = facts.git.lfs_around = true;
  EXPECT_THAT(answer(facts, "git.lfs").fix, HasSubstr("install git-lfs"));
  facts.git.lfs_program = "/usr/bin/git-lfs";
  EXPECT_THAT(answer(facts, "git.lfs").fix, HasSubstr("lfs install --local"));
  facts.git.lfs_own = true;
  EXPECT_EQ(answer(facts, "git.lfs").status, Status::ok);
}

TEST(Storage, RequiresAWritableStateDirectory) {
  Facts facts = healthy();
  facts.directories[0].error = EROFS;
  EXPECT_FALSE(is_fit(examine(facts)));
  EXPECT_THAT(answer(facts, "storage.state").cause, HasSubstr("Read-only"));
  facts = healthy();
  facts.directories[3].error = EACCES;
  facts.directories[3].exists = false;
  facts.directories[3].asked = "/home/u";
  EXPECT_TRUE(is_fit(examine(facts))) << "of the others none is required";
  EXPECT_THAT(answer(facts, "storage.cache").fix, HasSubstr("chmod u+rwx /home/u"));
}

TEST(Storage, SeesWhatWillFailLater) {
  Facts facts = healthy();
  facts.directories[0].bytes_free = 1 << 20;
  EXPECT_EQ(answer(facts, "storage.state").status, Status::fail);
  facts.directories[0].bytes_free = 64 << 20;
  EXPECT_EQ(answer(facts, "storage.state").status, Status::warn);
  facts = healthy();
  facts.directories[0].files_free = 0;
  EXPECT_EQ(answer(facts, "storage.state").status, Status::fail);
  facts.directories[0].counts_files = false;  // btrfs counts none
  EXPECT_EQ(answer(facts, "storage.state").status, Status::ok);
  facts.directories[0].owner = 0;
  EXPECT_THAT(answer(facts, "storage.state").fix, HasSubstr("chown"));
  facts = healthy();
  facts.directories[0].mode = 0777;
  EXPECT_THAT(answer(facts, "storage.state").fix, HasSubstr("chmod go-w"));
  facts = healthy();
  facts.directories[0].file_system = "nfs";
  EXPECT_EQ(answer(facts, "storage.state").status, Status::warn);
  facts.directories[3].refuses_programs = true;
  EXPECT_THAT(answer(facts, "storage.cache").cause, HasSubstr("noexec"));
}

TEST(Network, NamesCertificatesThatStayOutside) {
  Facts facts = healthy();
  facts.network.certificates = {{"NODE_EXTRA_CA_CERTS", "/home/u/corporate ca.pem", true, false, false}, {"SSL_CERT_FILE", "/gone.pem", false, false, false},
                                {"REQUESTS_CA_BUNDLE", "/etc/ssl/x.pem", true, true, true}};
  const Answer certificates = answer(facts, "network.certificates");
  EXPECT_EQ(certificates.status, Status::warn);
  EXPECT_EQ(certificates.fix, "paddock run --env NODE_EXTRA_CA_CERTS --ro '/home/u/corporate ca.pem' …");
  ASSERT_EQ(certificates.details.size(), 1u);
  EXPECT_THAT(certificates.details[0].why, HasSubstr("is not there"));
}

TEST(Network, SeesAResolverThatLeadsNowhere) {
  Facts facts = healthy();
  facts.network.resolver.clear();
  EXPECT_THAT(answer(facts, "network.dns").fix, HasSubstr("stub-resolv.conf"));
  facts.network.resolver = "/etc/resolv.conf";
  facts.network.name_servers.clear();
  EXPECT_EQ(answer(facts, "network.dns").status, Status::warn);
  facts.network.name_servers = {"127.0.0.53"};
  EXPECT_THAT(answer(facts, "network.dns").summary, HasSubstr("on this machine"));
}

TEST(Network, NamesProxiesAndNeverTheirValue) {
  Facts facts = healthy();
  facts.network.proxies = {{"http_proxy", true}, {"HTTPS_PROXY", false}};
  EXPECT_EQ(answer(facts, "network.proxy").fix, "paddock run --env HTTPS_PROXY …");
}

TEST(Terminal, IsJudgedOnlyWhereThereIsOne) {
  Facts facts = healthy();
  facts.terminal = {};
  facts.terminal.locale = "C.UTF-8";
  EXPECT_THAT(faults(facts), IsEmpty());
  facts.terminal = {true, "xterm-kitty", false, 10, 40, "C", "tmux", "3.3a", "off"};
  EXPECT_THAT(faults(facts), UnorderedElementsAre("terminal.type warn", "terminal.size warn", "terminal.encoding warn", "terminal.multiplexer warn"));
}

TEST(Install, ComparesTheTwoPrograms) {
  Facts facts = healthy();
  facts.install.warden_said = "paddock-warden 1.2.4\n";
  EXPECT_THAT(answer(facts, "install.warden").cause, HasSubstr("1.2.4"));
  facts.install.warden_said = "paddock-warden 1.2.30\n";
  EXPECT_EQ(answer(facts, "install.warden").status, Status::fail);
  facts.install.has_warden = false;
  EXPECT_EQ(answer(facts, "install.warden").summary, "not found");
}

TEST(Configuration, ThatCannotBeUsedIsTheCause) {
  Facts facts = healthy();
  facts.config_problem = "config.toml, line 3: \"netwrok\" is not known";
  facts.backends.clear();
  EXPECT_THAT(faults(facts), UnorderedElementsAre("backend.default fail", "config.user fail"));
  EXPECT_THAT(answer(facts, "backend.default").cause, HasSubstr("netwrok"));
}

TEST(Harness, IsSkippedWhereItIsNotInstalled) {
  Facts facts = healthy();
  facts.harnesses[0].program = {};
  facts.harnesses[0].program.problem = ExecutableProblem::not_found;
  EXPECT_EQ(answer(facts, "harness.claude").status, Status::skip);
}

TEST(Harness, SaysWhatIsNotFine) {
  Facts facts = healthy();
  facts.harnesses[0].version_heard = Heard::too_slow;
  EXPECT_THAT(answer(facts, "harness.claude").summary, HasSubstr("slow"));
  EXPECT_EQ(answer(facts, "harness.claude").status, Status::warn);
  facts.harnesses[0].flags_missing = {"--settings"};
  EXPECT_THAT(answer(facts, "harness.claude").cause, HasSubstr("--settings"));
  facts.harnesses[0].program.problem = ExecutableProblem::interpreter_missing;
  facts.harnesses[0].program.detail = "needs node, which is not on PATH";
  EXPECT_EQ(answer(facts, "harness.claude").status, Status::fail);
  EXPECT_EQ(answer(facts, "harness.claude").details.size(), 1u);
  facts.harnesses[0].unreadable = "line 1: no";
  EXPECT_EQ(answer(facts, "harness.claude").cause, "line 1: no");
  EXPECT_TRUE(is_fit(examine(facts))) << "no agent is required";
}

// docs/troubleshooting.md: an entry begins with <a id="CHECK"></a>.
TEST(Troubleshooting, HasAnEntryForEveryCheckAndNoOther) {
  const auto text = read_file(PADDOCK_SOURCE_DIR "/docs/troubleshooting.md");
  ASSERT_TRUE(text.ok());
  std::multiset<std::string> entries, wanted;
  for (const std::string& line : split(*text, '\n')) {
    constexpr std::string_view before = "<a id=\"";
    if (line.starts_with(before)) entries.insert(line.substr(before.size(), line.find('"', before.size()) - before.size()));
  }
  for (const Check& check : checks()) {
    const std::string id(check.id);
    wanted.insert(id.ends_with(".*") ? id.substr(0, id.size() - 2) : id);
  }
  EXPECT_EQ(entries, wanted);
}

}  // namespace
}  // namespace paddock::doctor
