#include "plan/codec_json.h"
#include "plan/codec_text.h"
#include "plan/explain.h"

namespace paddock {
namespace {

using codec::Json;

Json texts(const std::vector<std::string>& all) {
  Json array = Json::array();
  for (const std::string& text : all) array.push_back(json_text_of(text));
  return array;
}

Json lacks(const std::vector<BackendLack>& all) {
  Json array = Json::array();
  for (const BackendLack& lack : all) {
    array.push_back({{"what", json_text_of(lack.what)}, {"why", json_text_of(lack.why)}, {"fix", json_text_of(lack.fix)}});
  }
  return array;
}

Json backend(const BackendFacts& facts) {
  return {{"name", json_text_of(facts.name)},
          {"version", json_text_of(facts.version)},
          {"program", json_text_of(facts.program)},
          {"held", codec::json_of(facts.held)},
          {"missing", lacks(facts.missing)},
          {"unmet", lacks(facts.unmet)}};
}

Guarantees given_up(const std::vector<Relaxation>& relaxations) {
  constexpr std::string_view prefix = "without_";
  Guarantees all;
  for (const Relaxation& relaxation : relaxations) {
    if (!relaxation.name.starts_with(prefix)) continue;
    if (const auto guarantee = guarantee_named(relaxation.name.substr(prefix.size()))) all.push_back(*guarantee);
  }
  return all;
}

Json guarantees(const Explanation& explanation) {
  Guarantees required, held;
  if (explanation.plan != nullptr) required = explanation.plan->required;
  for (const Guarantee guarantee : required) {
    if (explanation.chosen && holds(explanation.chosen->held, guarantee)) held.push_back(guarantee);
  }
  const Guarantees without = explanation.plan == nullptr ? Guarantees{} : given_up(explanation.plan->relaxations);
  return {{"required", codec::json_of(required)}, {"held", codec::json_of(held)}, {"given_up", codec::json_of(without)}};
}

// The one that holds it, or the first that was asked; without a sandbox, none.
BackendFacts foremost(const Explanation& explanation) {
  if (explanation.chosen) return *explanation.chosen;
  if (!explanation.refused.empty()) return explanation.refused.front();
  BackendFacts none;
  none.name = "none";
  return none;
}

}  // namespace

std::string explain_as_json(const Explanation& explanation) {
  std::vector<Relaxation> relaxations;
  if (explanation.plan != nullptr) relaxations = explanation.plan->relaxations;
  else relaxations.push_back({"no_sandbox", "the command has everything that you have", explanation.unsandboxed_by});
  Json refused = Json::array();
  for (const BackendFacts& facts : explanation.refused) refused.push_back(backend(facts));

  Json all = Json::object();
  all["schema"] = "paddock.explain/1";
  all["plan"] = explanation.plan == nullptr ? Json() : codec::json_of(*explanation.plan);
  all["backend"] = backend(foremost(explanation));
  all["refused"] = std::move(refused);
  all["fits"] = fits(explanation);
  all["guarantees"] = guarantees(explanation);
  all["relaxations"] = codec::json_of(relaxations);
  all["warnings"] = texts(explanation.warnings);
  return all.dump() + "\n";
}

}  // namespace paddock
