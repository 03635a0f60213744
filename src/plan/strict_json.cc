#include "plan/strict_json.h"

#include <memory>
#include <set>
#include <vector>

#include "base/text.h"

namespace paddock::codec {
namespace {

// The library keeps the last of two equal keys and takes any depth; this takes neither.
class Watch {
 public:
  Watch(int depth_max, Problem& problem) : depth_max_(depth_max), problem_(problem) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    if (!problem_.text.empty()) return false;
    if (depth > depth_max_) problem_.say({}, "nested too deeply");
    if (event == Event::object_start) keys_.emplace_back();
    if (event == Event::object_end) keys_.pop_back();
    if (event == Event::key && !keys_.back().insert(parsed.get_ref<const std::string&>()).second) {
      problem_.say(visible(parsed.get_ref<const std::string&>()), "is there twice");
    }
    return problem_.text.empty();
  }

 private:
  int depth_max_;
  Problem& problem_;
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

Json parse_strictly(std::string_view text, int depth_max, Problem& problem) {
  const auto watch = std::make_shared<Watch>(depth_max, problem);  // the library copies its callback
  Json json = Json::parse(text, [watch](int depth, Json::parse_event_t event, Json& parsed) { return (*watch)(depth, event, parsed); }, false);
  if (problem.text.empty() && !json.is_object()) problem.say({}, json.is_discarded() ? "not well-formed JSON" : "not an object");
  return json;
}

}  // namespace paddock::codec
