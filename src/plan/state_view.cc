#include "plan/state_view.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/path.h"
#include "base/text.h"
#include "plan/system_view.h"

namespace paddock {
namespace {

class StateView {
 public:
  StateView(MountTable& table, Protector& protector, const HostView& host, const StateInput& input)
      : table_(table), protector_(protector), host_(host), input_(input), origin_{OriginKind::harness, "harness " + input.harness->id} {}

  Result<StateResult> claim() {
    for (const StatePath& state : input_.harness->state) TRY(claim_directory(state));
    for (const SeedFile& seed : input_.harness->seeds) claim_seed(seed);
    if (is_private() && !is_signed_in_) tell_of_signing_in();
    return std::move(result_);
  }

 private:
  std::string place_of(const StatePath& state) const { return paddock::place_of(state, input_.environment, input_.home); }

  void export_place(const StatePath& state, const std::string& place) {
    if (state.override.empty() || !(state.exported || (state.exported_if_moved && is_moved(state, input_.environment)))) return;
    result_.exported.emplace_back(state.override, state.override_child.empty() ? place : path::parent(place));
  }

  bool is_private() const { return input_.credentials == CredentialMode::private_state; }

  Result<void> claim_directory(const StatePath& state) {
    const std::string place = place_of(state);
    if (result_.first.empty() && state.state_class == StateClass::state) result_.first = place;
    export_place(state, place);
    if (input_.credentials == CredentialMode::none) return {};
    if (state.state_class == StateClass::cache && input_.caches == Caches::none) return {};
    const bool writable = state.access == StateAccess::read_write && (state.state_class != StateClass::config || input_.caches != Caches::none);
    // What is only read is the user's configuration: it stays theirs.
    if (is_private() && writable) return claim_private(place, state);

    const HostFile look = host_.look(host_.real_path(place).value_or(place));
    if (look.kind == FileKind::absent && state.create) seed_directory(place, state);
    if (look.kind != FileKind::directory) return {};
    show(place, look, writable);
    if (writable) protect_parts(place, state);
    return {};
  }

  // This project's own, read by sandboxes alone: nothing in it is code of the host's.
  Result<void> claim_private(const std::string& place, const StatePath& state) {
    const std::string source = private_place(place);
    const std::string real = host_.real_path(source).value_or(source);
    // A directory inside another one of the harness's lies where an earlier payload could write.
    const std::string root = host_.real_path(input_.private_root).value_or(input_.private_root);
    if (!path::is_within(real, root) || path::relative(real, root) != path::relative(source, input_.private_root)) {
      return error(ErrorCode::cannot_start, fmt::format("{} leads to {}: a link has been put in the place of private state", visible(source), visible(real)),
                   "remove it: rm " + shell_word(source));
    }
    const HostFile look = host_.look(real);
    if (look.kind != FileKind::absent && look.kind != FileKind::directory) {
      return error(ErrorCode::cannot_start, visible(source) + " is no directory: something has been put in the place of private state", "remove it: rm " + shell_word(source));
    }
    if (look.kind == FileKind::absent) result_.seeds.push_back({source, true, {}, {}});
    for (const std::string& secret : state.secrets) is_signed_in_ = is_signed_in_ || host_.look(path::join(real, secret)).kind != FileKind::absent;
    if (look.kind != FileKind::directory) return {};
    table_.show(place, look, MountAccess::read_write, Strength::writable, fmt::format("state of {}, this project's own", input_.harness->display), origin_);
    Claim own = *table_.at(place);
    own.mount.source = real;
    table_.claim(std::move(own));
    return {};
  }

  // A sign-in is not copied: services take a refreshed one for stolen when it is used in two places.
  void tell_of_signing_in() {
    const Manifest& harness = *input_.harness;
    const auto has_secrets = [](const StatePath& state) { return !state.secrets.empty(); };
    const auto is_given = [&](const std::string& name) { return input_.environment.contains(name); };
    if (std::ranges::none_of(harness.state, has_secrets) || std::ranges::any_of(harness.login.variables, is_given)) return;
    const std::string how = harness.login.command.empty() ? "" : fmt::format(": paddock run --credentials private {} {}", harness.id, shell_words(harness.login.command));
    result_.notes.push_back(fmt::format("{} has a state of its own in this project and is not signed in there; sign in once inside, and it is kept{}", harness.display, how));
  }

  void protect_parts(const std::string& place, const StatePath& state) {
    const std::string tree = host_.real_path(place).value_or(place);
    if (input_.credentials != CredentialMode::shared) {
      for (const CodePath& code : state.code) protect_code(tree, code);
      protect_unknown(tree, state);
    }
    if (input_.credentials == CredentialMode::minimal) protect_secrets(tree, state);
  }

  // With the directories that are hidden during a run, so that they are in the first run too.
  void seed_directory(const std::string& source, const StatePath& state) {
    result_.seeds.push_back({source, true, {}, {}});
    if (input_.credentials == CredentialMode::shared) return;
    for (const CodePath& code : state.code) {
      if (code.inside == CodeInside::private_directory) result_.seeds.push_back({path::join(source, code.path), true, {}, {}});
    }
  }

  // A name that no list holds may be code of a later version.
  void protect_unknown(const std::string& tree, const StatePath& state) {
    const std::vector<std::string> known = known_names(state, *input_.harness);
    for (const std::string& name : host_.list(tree)) {
      if (is_known_name(known, name)) continue;
      protector_.protect({tree, path::join(tree, name), name, false, WhenAbsent::check, {}, true, true, origin_});
    }
  }

  void protect_code(const std::string& tree, const CodePath& code) {
    const std::string path = path::join(tree, code.path);
    const FileKind kind = host_.look(path).kind;
    // A link or a file in its place was put there: it stays what it is.
    if (code.inside == CodeInside::private_directory && (kind == FileKind::directory || kind == FileKind::absent)) return hide_code(path, code);
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

  // One that appears would be another account's.
  void protect_secrets(const std::string& tree, const StatePath& state) {
    for (const std::string& secret : state.secrets) {
      protector_.protect({tree, path::join(tree, secret), secret, false, WhenAbsent::check, {}, true, true, origin_});
    }
  }

  std::string private_place(const std::string& place) const { return path::normal(fmt::format("{}/{}{}", input_.private_root, input_.harness->id, place)); }

  void show(const std::string& place, const HostFile& look, bool writable) {
    const std::string reason = fmt::format("state of {}", input_.harness->display);
    claim_links(place, reason);
    const std::string target = host_.real_path(place).value_or(place);
    const MountAccess access = writable ? MountAccess::read_write : MountAccess::read_only;
    table_.show(target, look, access, writable ? Strength::writable : Strength::read_only, reason, origin_);
    result_.shown.push_back({target, FileKind::directory, access, origin_});
  }

  // The links that lead there, as on the host. Where home itself lies behind one, a link straight there:
  // home keeps its path inside and is no link.
  void claim_links(const std::string& place, const std::string& reason) {
    const std::string real = host_.real_path(place).value_or(place);
    if (real == place) return;
    const bool home_is_real = host_.real_path(input_.home).value_or(input_.home) == input_.home;
    if (!home_is_real && path::is_within(place, input_.home)) return claim_link(place, real, reason);
    for (const auto& [link, text] : walk_links(host_, place).links) {
      if (!table_.is_visible(link)) claim_link(link, text, reason);
    }
  }

  void claim_link(const std::string& place, const std::string& text, const std::string& reason) {
    Claim claim;
    claim.mount = {MountKind::link, place, text, MountAccess::read_only, false, {}, 0, 0755, {}, reason, origin_};
    table_.claim(std::move(claim));
  }

  void claim_seed(const SeedFile& seed) {
    if (result_.first.empty()) return;
    if (input_.credentials == CredentialMode::none) return claim_passing_seed(seed);
    if (is_private() && !seed.path.starts_with("{state}")) return;
    std::string path = seed.path;
    if (path.starts_with("{state}")) path = (is_private() ? private_place(result_.first) : result_.first) + path.substr(7);
    path = path::normal(path::expand_home(path, input_.home));
    if (host_.look(path).kind != FileKind::absent) return;
    // The user's own file knows their account, other projects, and servers with their keys.
    std::string from = seed.from.empty() || is_private() ? std::string() : path::normal(path::expand_home(seed.from, input_.home));
    if (!from.empty() && host_.look(from).kind != FileKind::file) from.clear();
    result_.seeds.push_back({path, false, seed.content, from});
  }

  // Without state of the host's the first start is every start: the file is in the home in memory.
  void claim_passing_seed(const SeedFile& seed) {
    if (!seed.path.starts_with("{state}")) return;
    Claim claim;
    claim.mount = {MountKind::data, path::normal(result_.first + seed.path.substr(7)), {}, MountAccess::read_write, false, {}, 0, 0600, seed.content,
                   fmt::format("first start of {}", input_.harness->display), origin_};
    if (!table_.is_visible(claim.mount.target)) table_.claim(std::move(claim));
  }

  MountTable& table_;
  Protector& protector_;
  const HostView& host_;
  const StateInput& input_;
  Origin origin_;
  bool is_signed_in_ = false;  // private: in one of its directories
  StateResult result_;
};


}  // namespace

StateInput state_input(const ResolveInput& input, const std::string& home) {
  StateInput state;
  state.harness = input.harness;
  state.credentials = input.policy.credentials.value;
  state.caches = input.policy.filesystem.caches.value;
  state.home = home;
  state.environment = input.environment;
  return state;
}

std::string private_root_of(const std::string& data_directory, const std::string& workspace) {
  return path::join(data_directory, "private/" + path::as_name(workspace));
}

std::vector<StateTree> state_trees(const HostView& host, const StateInput& input) {
  std::vector<StateTree> trees;
  if (input.credentials == CredentialMode::none || input.credentials == CredentialMode::private_state) return trees;
  for (const StatePath& state : input.harness->state) {
    if (state.access != StateAccess::read_write || (state.state_class != StateClass::state && input.caches == Caches::none)) continue;
    const std::string place = place_of(state, input.environment, input.home);
    StateTree tree{host.real_path(place).value_or(place), place, known_names(state, *input.harness), state.watch, {}, {}};
    for (const std::string& secret : state.secrets) {
      if (std::ranges::find(state.watch, secret, &WatchedFile::path) == state.watch.end()) tree.secrets.push_back(secret);
    }
    if (input.credentials == CredentialMode::shared) {
      tree.known = {"*"};
      for (const CodePath& code : state.code) tree.code.push_back(code.path);
      // What would be put back is the user's own wish here: told.
      for (WatchedFile& watched : tree.watch) {
        watched.keys.insert(watched.keys.end(), watched.restore.begin(), watched.restore.end());
        watched.restore.clear();
      }
    }
    trees.push_back(std::move(tree));
  }
  return trees;
}

Result<StateResult> claim_state(MountTable& table, Protector& protector, const HostView& host, const StateInput& input) {
  return StateView(table, protector, host, input).claim();
}

}  // namespace paddock
