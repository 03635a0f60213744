#include <nlohmann/json.hpp>

#include "doctor/report.h"
#include "plan/codec_text.h"

namespace paddock::doctor {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Finding& finding) {
  const Answer& answer = finding.answer;
  Json details = Json::array();
  for (const Detail& detail : answer.details) details.push_back({{"what", json_text_of(detail.what)}, {"why", json_text_of(detail.why)}, {"fix", json_text_of(detail.fix)}});
  Json facts = Json::object();
  for (const auto& [name, value] : answer.facts) facts[name] = json_text_of(value);
  return {{"id", json_text_of(finding.id)},
          {"group", finding.group},
          {"status", word_of(answer.status)},
          {"required", finding.need == Need::required},
          {"summary", json_text_of(answer.summary)},
          {"cause", json_text_of(answer.cause)},
          {"fix", json_text_of(answer.fix)},
          {"details", std::move(details)},
          {"facts", std::move(facts)},
          {"doc", "docs/troubleshooting.md#" + finding.doc}};
}

}  // namespace

std::string as_json(const std::vector<Finding>& findings, const Facts& facts) {
  Json counts = {{"ok", 0}, {"warn", 0}, {"fail", 0}, {"skip", 0}};
  Json all = Json::array();
  for (const Finding& finding : findings) {
    Json& count = counts[std::string(word_of(finding.answer.status))];
    count = count.get<int>() + 1;
    all.push_back(json_of(finding));
  }
  const Distribution& distribution = facts.settings.distribution;
  const Json whole = {{"schema", "paddock.doctor/1"},
                      {"version", facts.install.version},
                      {"fit", is_fit(findings)},
                      {"profile", json_text_of(facts.profile)},
                      {"distribution", {{"id", json_text_of(distribution.id)}, {"name", json_text_of(distribution.name)}, {"version", json_text_of(distribution.version)}}},
                      {"counts", std::move(counts)},
                      {"checks", std::move(all)}};
  return whole.dump() + "\n";
}

}  // namespace paddock::doctor
