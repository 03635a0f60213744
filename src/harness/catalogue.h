// The harnesses that a name on the command line can mean: those shipped with the program, and the
// user's own files, which may take the place of a shipped one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "harness/manifest.h"

namespace paddock {

struct ManifestText {
  std::string text;
  std::string where;  // of errors: "~/.config/paddock/harnesses/mine.toml"
};

// Where the user's own manifests come from. An empty function stands for none.
struct ManifestReader {
  std::function<Result<std::optional<ManifestText>>(const std::string& id)> read;  // nothing when there is none
  std::function<std::vector<std::string>()> ids;                                   // for lists
};

// a-z, 0-9, "-" and "_", at most 64, not beginning with "-": other words never reach a reader.
bool is_harness_id(std::string_view id);

// The harness of that id, the user's before the shipped one; nothing when the word names none, and it
// is a command then. A bad file of the user's is a usage error with its line, only when it is asked for.
Result<std::optional<Manifest>> find_harness(std::string_view id, const ManifestReader& reader);

struct ListedHarness {
  std::string id;
  Result<Manifest> manifest;
};

// All, in alphabetical order, a bad one with its error.
std::vector<ListedHarness> list_harnesses(const ManifestReader& reader);

// Any command: no additions, no state. Needs no file to be read.
Manifest generic_harness();

}  // namespace paddock
