#include "harness/catalogue.h"

#include <algorithm>

#include "policy/embedded.h"

namespace paddock {

bool is_harness_id(std::string_view id) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  return !id.empty() && id.size() <= 64 && id.front() != '-' && std::all_of(id.begin(), id.end(), plain);
}

namespace {

Result<Manifest> read_named(const TomlInput& text, std::string_view where, std::string_view id) {
  Manifest manifest = TRY(read_manifest(text, where));
  if (manifest.id != id) {
    return error(ErrorCode::usage, std::string(where) + ": \"id\" is \"" + manifest.id + "\", and the file's name says \"" +
                                       std::string(id) + "\"", "make the two the same");
  }
  return manifest;
}

Result<std::optional<Manifest>> own(std::string_view id, const ManifestReader& reader) {
  if (!reader.read) return std::optional<Manifest>();
  const std::optional<ManifestText> file = TRY(reader.read(std::string(id)));
  if (!file) return std::optional<Manifest>();
  return std::optional<Manifest>(TRY(read_named(file->text, file->where, id)));
}

}  // namespace

Result<std::optional<Manifest>> find_harness(std::string_view id, const ManifestReader& reader) {
  if (!is_harness_id(id)) return std::optional<Manifest>();
  if (std::optional<Manifest> found = TRY(own(id, reader))) return found;
  for (const EmbeddedFile& file : embedded_harnesses()) {
    if (file.name != id) continue;
    return std::optional<Manifest>(TRY(read_named(file.content, "share/harnesses/" + std::string(id) + ".toml", id)));
  }
  return std::optional<Manifest>();
}

std::vector<ListedHarness> list_harnesses(const ManifestReader& reader) {
  std::vector<std::string> ids = reader.ids ? reader.ids() : std::vector<std::string>();
  for (const EmbeddedFile& file : embedded_harnesses()) ids.emplace_back(file.name);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::vector<ListedHarness> all;
  for (const std::string& id : ids) {
    auto found = find_harness(id, reader);
    if (!found.ok()) all.push_back({id, std::move(found).failure()});
    else if (*found) all.push_back({id, std::move(**found)});
  }
  return all;
}

Manifest generic_harness() {
  Manifest manifest;
  manifest.display = "Command";
  manifest.origin = "share/harnesses/generic.toml";
  return manifest;
}

}  // namespace paddock
