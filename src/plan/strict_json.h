// JSON from outside, taken strictly: no key twice in an object, no more levels than the format has. For codec
// files only: the library is slow to compile.
#pragma once

#include <string>
#include <string_view>

#include "plan/codec_json.h"

namespace paddock::codec {

// The first thing that is wrong, and where; everything after it is passed over.
struct Problem {
  std::string text;
  void say(std::string_view place, std::string_view what) {
    if (text.empty()) text = place.empty() ? std::string(what) : std::string(place) + ": " + std::string(what);
  }
};

// One object of well-formed JSON; otherwise `problem` says why. `depth_max`: levels of objects and lists.
Json parse_strictly(std::string_view text, int depth_max, Problem& problem);

}  // namespace paddock::codec
