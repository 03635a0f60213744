#include "cli/config_report.h"
#include "plan/codec_json.h"
#include "plan/codec_text.h"

namespace paddock {
namespace {

using codec::Json;

Json text(std::string_view bytes) { return json_text_of(bytes); }

Json texts(const std::vector<std::string>& all) {
  Json array = Json::array();
  for (const std::string& one : all) array.push_back(text(one));
  return array;
}

Json origin(const Origin& by) { return by.where.empty() ? Json() : Json{{"tier", tier_of(by.kind)}, {"where", text(by.where)}}; }

Json value(const PolicyRow& row) {
  const bool is_said = !row.is_list && !row.said.empty();
  Json entries = Json::array();
  for (const Said& said : row.said) {
    if (row.is_list) entries.push_back({{"value", text(said.text)}, {"origin", origin(said.origin)}});
  }
  return {{"key", row.key},
          {"list", row.is_list},
          {"value", is_said ? text(row.said.front().text) : Json()},
          {"origin", is_said ? origin(row.said.front().origin) : Json()},
          {"entries", std::move(entries)}};
}

Json values(const std::vector<PolicyRow>& rows) {
  Json array = Json::array();
  for (const PolicyRow& row : rows) array.push_back(value(row));
  return array;
}

std::string_view word_of(TierState state) {
  switch (state) {
    case TierState::absent: return "absent";
    case TierState::read: return "read";
    case TierState::granted: return "granted";
    case TierState::not_looked_at: return "not_looked_at";
  }
  return "";
}

void add_ignored(Json& array, const std::vector<Ignored>& all, bool grantable) {
  for (const Ignored& one : all) {
    array.push_back({{"key", text(one.key)}, {"asked", text(one.asked)}, {"kept", text(one.kept)}, {"origin", origin(one.origin)}, {"grantable", grantable}});
  }
}

Json breaches(const std::vector<Breach>& all) {
  Json array = Json::array();
  for (const Breach& one : all) {
    array.push_back({{"key", text(one.key)}, {"asked", text(one.asked)}, {"allowed", text(one.allowed)}, {"origin", origin(one.origin)}, {"ceiling", origin(one.ceiling)}});
  }
  return array;
}

template <typename T>
Json sourced(const Sourced<T>& one, Json said) {
  return {{"value", one.stated ? std::move(said) : Json()}, {"origin", one.stated ? origin(one.origin) : Json()}};
}

Json paths(const Sourced<std::vector<PathRule>>& list) {
  std::vector<std::string> all;
  for (const PathRule& rule : list.value) all.push_back(shown(rule));
  return sourced(list, texts(all));
}

Json backends(const BackendSettings& one) {
  return {{"order", sourced(one.order, texts(one.order.value))},
          {"bubblewrap_program", sourced(one.bubblewrap_program, text(one.bubblewrap_program.value))},
          {"bubblewrap_probe_timeout", sourced(one.bubblewrap_probe_seconds, one.bubblewrap_probe_seconds.value)}};
}

Json ceiling(const Ceiling& one) {
  Json forbid = Json::array();
  for (const NamedRule& rule : one.forbid) forbid.push_back({{"value", text(rule.name)}, {"origin", origin(rule.origin)}});
  return {{"values", values(rows_of(one.most))},
          {"read", paths(one.read)},
          {"write", paths(one.write)},
          {"workspaces", paths(one.workspaces)},
          {"variables", sourced(one.variables, texts(one.variables.value))},
          {"without", sourced(one.without, texts(one.without.value))},
          {"forbid", std::move(forbid)},
          {"backends", backends(one.backends)}};
}

}  // namespace

std::string config_as_json(const TierFiles& files) {
  const MergedTiers& merged = files.merged;
  Json tiers = Json::array(), ignored = Json::array();
  for (const TierFile& file : files.files) tiers.push_back({{"tier", file.tier}, {"path", text(file.path)}, {"state", word_of(file.state)}});
  add_ignored(ignored, merged.ungrantable, false);
  add_ignored(ignored, merged.ignored, files.files.back().state != TierState::granted);
  Json all = Json::object();
  all["schema"] = "paddock.config/1";
  all["workspace"] = text(files.workspace);
  all["tiers"] = std::move(tiers);
  all["profile"] = {{"name", text(merged.profile)}, {"origin", origin(merged.profile_origin)}};
  all["sandbox"] = {{"enabled", merged.sandboxed}, {"origin", origin(merged.unsandboxed_by)}};
  all["values"] = values(rows_of(merged.policy));
  all["backends"] = backends(merged.backends);
  all["ignored"] = std::move(ignored);
  all["lowered"] = breaches(merged.lowered);
  all["ceiling"] = ceiling(files.tiers.ceiling);
  return all.dump(2) + "\n";
}

std::string profile_as_json(const ProfileShown& profile) {
  Json all = Json::object();
  all["schema"] = "paddock.profile/1";
  all["name"] = text(profile.name);
  all["description"] = text(profile.description);
  all["extends"] = profile.extends.empty() ? Json() : text(profile.extends);
  all["values"] = values(profile.rows);
  return all.dump(2) + "\n";
}

std::string profiles_as_json(const std::vector<ListedProfile>& profiles) {
  Json array = Json::array();
  for (const ListedProfile& one : profiles) {
    array.push_back({{"name", text(one.name)}, {"description", text(one.description)}, {"shipped", one.is_shipped}, {"problem", one.problem.empty() ? Json() : text(one.problem)}});
  }
  Json all = Json::object();
  all["schema"] = "paddock.profiles/1";
  all["profiles"] = std::move(array);
  return all.dump(2) + "\n";
}

std::string grants_as_json(const std::vector<ListedGrant>& grants) {
  Json array = Json::array();
  for (const ListedGrant& one : grants) {
    array.push_back({{"path", text(one.grant.path)}, {"sha256", text(one.grant.sha256)}, {"granted", text(one.grant.when)}, {"state", one.state}});
  }
  Json all = Json::object();
  all["schema"] = "paddock.trust/1";
  all["grants"] = std::move(array);
  return all.dump(2) + "\n";
}

}  // namespace paddock
