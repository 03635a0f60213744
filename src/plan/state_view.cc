#include "plan/state_view.h"

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"

namespace paddock {
namespace {

class StateView {
 public:
  StateView(MountTable& table, Protector& protector, const HostView& host, const StateInput& input)
      : table_(table), protector_(protector), host_(host), input_(input), origin_{OriginKind::harness, "harness " + input.harness->id} {}

  StateResult claim() {
    for (const StatePath& state : input_.harness->state) claim_directory(state);
    for (const SeedFile& seed : input_.harness->seeds) claim_seed(seed);
    return std::move(result_);
  }

 private:
  bool is_moved(const StatePath& state) const {
    const auto moved = input_.environment.find(state.override);
    return !state.override.empty() && moved != input_.environment.end() && path::is_absolute(moved->second);
  }

  // The directory as the harness would find it on the host.
  std::string place_of(const StatePath& state) const {
    if (!is_moved(state)) return path::normal(path::expand_home(state.path, input_.home));
    return path::normal(path::join(input_.environment.at(state.override), state.override_child));
  }

  void export_place(const StatePath& state, const std::string& place) {
    if (state.override.empty() || !(state.exported || (state.exported_if_moved && is_moved(state)))) return;
    result_.exported.emplace_back(state.override, state.override_child.empty() ? place : path::parent(place));
  }

  void claim_directory(const StatePath& state) {
    const std::string place = place_of(state);
    if (result_.first.empty() && state.state_class == StateClass::state) result_.first = place;
    export_place(state, place);
    if (input_.credentials == CredentialMode::none) return;
    if (state.state_class == StateClass::cache && input_.caches == Caches::none) return;

    const std::string source = source_of(place);
    const HostFile look = host_.look(host_.real_path(source).value_or(source));
    if (look.kind == FileKind::absent && state.create) result_.seeds.push_back({source, true, {}, {}});
    if (look.kind != FileKind::directory) return;
    const bool writable = state.access == StateAccess::read_write && (state.state_class != StateClass::config || input_.caches != Caches::none);
    show(place, source, look, writable);
    if (!writable) return;
    const std::string tree = source == place ? host_.real_path(place).value_or(place) : place;
    if (input_.credentials != CredentialMode::shared) {
      for (const CodePath& code : state.code) protect_code(tree, code);
    }
    if (input_.credentials == CredentialMode::minimal) protect_secrets(tree, state);
  }

  void protect_code(const std::string& tree, const CodePath& code) {
    const std::string path = path::join(tree, code.path);
    if (code.inside == CodeInside::private_directory) return hide_code(path, code);
    for (const std::string& place : places_of(path)) {
      protector_.protect({tree, place, code.path, code.is_directory, code.hold_absent ? WhenAbsent::hold : WhenAbsent::check, code.content, true, true, origin_});
    }
  }

  // What a pattern names now; a plain path is itself, there or not.
  std::vector<std::string> places_of(const std::string& path) const {
    if (path.find_first_of("*?[") == std::string::npos) return {path};
    std::vector<std::string> places;
    const std::string directory = path::parent(path);
    for (const std::string& name : host_.list(directory)) {
      if (name_matches(path::name(path), name)) places.push_back(path::join(directory, name));
    }
    return places;
  }

  // The harness writes there what it executes: an empty directory of this run takes its place.
  void hide_code(const std::string& path, const CodePath& code) {
    if (host_.look(path).kind != FileKind::directory) {
      if (host_.look(path).kind == FileKind::absent) result_.seeds.push_back({path, true, {}, {}});
      return;
    }
    constexpr std::uint64_t bytes_max = std::uint64_t{64} << 20;
    Claim claim;
    claim.strength = Strength::protect;
    claim.mount = {MountKind::temporary, path, {}, MountAccess::read_write, true, {}, bytes_max, 0700, {}, "private to this run: " + code.path, origin_};
    table_.claim(std::move(claim));
  }

  void protect_secrets(const std::string& tree, const StatePath& state) {
    for (const std::string& secret : state.secrets) {
      const std::string path = path::join(tree, secret);
      if (host_.look(path).kind != FileKind::absent) protector_.protect({tree, path, secret, false, WhenAbsent::check, {}, false, true, origin_});
    }
  }

  std::string source_of(const std::string& place) const {
    if (input_.credentials != CredentialMode::private_state) return place;
    return path::normal(fmt::format("{}/{}{}", input_.private_root, input_.harness->id, place));
  }

  void show(const std::string& place, const std::string& source, const HostFile& look, bool writable) {
    const std::string reason = fmt::format("state of {}", input_.harness->display);
    if (source == place && host_.look(place).kind == FileKind::link) claim_link(place, reason);
    const std::string target = source == place ? host_.real_path(place).value_or(place) : place;
    table_.show(target, look, writable ? MountAccess::read_write : MountAccess::read_only, writable ? Strength::writable : Strength::read_only, reason, origin_);
    if (source == place) return;
    Claim moved = *table_.at(target);
    moved.mount.source = source;
    table_.claim(std::move(moved));
  }

  void claim_link(const std::string& place, const std::string& reason) {
    Claim claim;
    claim.mount.kind = MountKind::link;
    claim.mount.target = place;
    claim.mount.source = host_.look(place).link_target;
    claim.mount.reason = reason;
    claim.mount.origin = origin_;
    table_.claim(std::move(claim));
  }

  void claim_seed(const SeedFile& seed) {
    if (input_.credentials == CredentialMode::none || result_.first.empty()) return;
    std::string path = seed.path;
    if (path.starts_with("{state}")) path = source_of(result_.first) + path.substr(7);
    path = path::normal(path::expand_home(path, input_.home));
    if (host_.look(path).kind != FileKind::absent) return;
    std::string from = seed.from.empty() ? std::string() : path::normal(path::expand_home(seed.from, input_.home));
    if (!from.empty() && host_.look(from).kind != FileKind::file) from.clear();
    result_.seeds.push_back({path, false, seed.content, from});
  }

  MountTable& table_;
  Protector& protector_;
  const HostView& host_;
  const StateInput& input_;
  Origin origin_;
  StateResult result_;
};

}  // namespace

StateResult claim_state(MountTable& table, Protector& protector, const HostView& host, const StateInput& input) {
  return StateView(table, protector, host, input).claim();
}

}  // namespace paddock
