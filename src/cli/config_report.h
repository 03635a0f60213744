// What `paddock config`, `paddock trust` and `paddock profile show` tell, in words and as JSON. The words are
// made visible here.
#pragma once

#include <string>
#include <vector>

#include "cli/grants.h"
#include "cli/tier_files.h"
#include "policy/shown.h"

namespace paddock {

std::string config_in_words(const TierFiles& files);
std::string config_as_json(const TierFiles& files);    // schema "paddock.config/1", its keys always present

// Each field with what was said of it; fields of which nobody has said anything say so.
std::string rows_in_words(const std::vector<PolicyRow>& rows);

struct ProfileShown {
  std::string name;
  std::string description;
  std::string extends;  // empty: nothing
  std::vector<PolicyRow> rows;
};
std::string profile_in_words(const ProfileShown& profile);
std::string profile_as_json(const ProfileShown& profile);  // "paddock.profile/1"

struct ListedProfile {
  std::string name;
  std::string description;
  std::string problem;  // why it cannot be read; empty when it can
  bool is_shipped = false;
};
std::string profiles_as_json(const std::vector<ListedProfile>& profiles);  // "paddock.profiles/1"

// What a grant would change: "network.mode: off -> on", "filesystem.read: + ~/x".
std::vector<std::string> differences(const Policy& before, const Policy& after);

struct ListedGrant {
  Grant grant;
  std::string state;  // "current", "changed": the file is another now, "absent"
};
std::string grants_in_words(const std::vector<ListedGrant>& grants);
std::string grants_as_json(const std::vector<ListedGrant>& grants);  // "paddock.trust/1"

}  // namespace paddock
