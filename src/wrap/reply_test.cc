#include "wrap/reply.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace paddock {
namespace {

WrapReply a_reply() {
  WrapReply reply;
  reply.argv = {"/usr/bin/paddock", "exec-plan", "--", "a\nb\x1b\"\\", ""};
  reply.backend = "bubblewrap";
  reply.guarantees = {Guarantee::world_host};
  reply.signatures = {{"write", "EROFS", "Read-only file system"}};
  reply.marker = "paddock: not run [x]";
  reply.expires_at = 5;
  reply.findings = "/state/f";
  reply.relaxations = {{"world_host", "all \x1b[31m of it", {}}};
  reply.notes = {"a note"};
  return reply;
}

TEST(WrapReply, IsOneLineWithItsKeysAlways) {
  EXPECT_EQ(write_reply(a_reply()),
            R"({"schema":"paddock.wrap/1","argv":["/usr/bin/paddock","exec-plan","--","a\nb\u001b\"\\",""],"enforcement":"full","backend":"bubblewrap","guarantees":["world_host"],)"
            R"("denial_signatures":[{"of":"write","errno":"EROFS","text":"Read-only file system"}],"runner_failure":{"exit_codes":[125,126,127],"stderr_line_begins_with":"paddock: not run [x]"},)"
            R"("expires_at":5,"findings":"/state/f","relaxations":[{"name":"world_host","reason":"all \\x1b[31m of it"}],"notes":["a note"],"error":null})"
            "\n");
}

TEST(WrapReply, SaysWhyThereIsNothingToStart) {
  WrapError failure{WrapRefusal::unsupported, "no", "a hint", {}, {"a breach"}};
  BackendFacts backend;
  backend.name = "native";
  backend.unmet = {{"start", "why", "fix"}};
  failure.backends = {backend};
  EXPECT_EQ(write_reply(failure),
            R"({"schema":"paddock.wrap/1","argv":null,"enforcement":null,"backend":null,"guarantees":null,"denial_signatures":null,"runner_failure":null,"expires_at":null,"findings":null,)"
            R"("relaxations":null,"notes":null,"error":{"kind":"unsupported","message":"no","hint":"a hint","backends":[{"name":"native","reasons":[{"what":"start","why":"why","fix":"fix"}]}],"breaches":["a breach"]}})"
            "\n");
}

TEST(WrapReply, ForetellsOnlyWhatTheRequestCanLeadTo) {
  const auto of = [](const WrapRequest& request, std::string_view kind) {
    const auto all = denial_signatures(request);
    return std::ranges::count(all, kind, &DenialSignature::of);
  };
  WrapRequest request;
  EXPECT_EQ(of(request, "write"), 2);
  EXPECT_EQ(of(request, "network"), 3);
  EXPECT_EQ(of(request, "mask"), 0);
  request.network = NetworkMode::on;
  request.mask_paths = {"/x"};
  EXPECT_EQ(of(request, "network"), 0);
  EXPECT_EQ(of(request, "mask"), 1);
  request.mode = WrapMode::unrestricted;
  request.temp = Temp::host;
  EXPECT_EQ(of(request, "write"), 1);
  request.mask_paths.clear();
  EXPECT_TRUE(denial_signatures(request).empty());
}

TEST(WrapFinding, IsOneLineWhateverItHolds) { EXPECT_EQ(write_finding(7, "a\n\"b\""), "{\"time\":7,\"finding\":\"a\\\\n\\\"b\\\"\"}\n"); }

}  // namespace
}  // namespace paddock
