#include "policy/sandbox_flags.h"

#include "base/text.h"
#include "policy/toml_reader.h"

namespace paddock {

namespace {

Error usage(std::string message, std::string hint = {}) {
  return error(ErrorCode::usage, std::move(message), std::move(hint));
}

// One pass over the uses, in their order.
class FlagReading {
 public:
  FlagReading(const SandboxFlagContext& context, SandboxChoice& choice) : context_(context), choice_(choice) {}

  Result<void> take(const SandboxFlagRow& row, const FlagUse& use);

 private:
  static Origin origin(const FlagUse& use) { return {OriginKind::flag, use.spelled}; }

  // The same value again is fine, another one is a contradiction.
  template <typename T>
  Result<void> state(Sourced<T>& into, T value, const FlagUse& use, std::string_view shown) {
    if (into.stated && !(into.value == value)) {
      const bool same_flag = into.origin.where == use.spelled;
      return usage((same_flag ? use.spelled + " is given twice, with different values"
                              : into.origin.where + " and " + use.spelled + " contradict each other") +
                       "; the last says \"" + std::string(shown) + "\"",
                   "give one of them");
    }
    into.state(std::move(value), origin(use));
    return {};
  }

  template <typename T>
  Result<void> word(Sourced<T>& into, const FlagUse& use, std::string_view what) {
    const auto value = value_of<T>(*use.value);
    if (value) return state(into, *value, use, *use.value);
    std::string message = use.spelled + ": no " + std::string(what) + " is called \"" + *use.value + "\"";
    if (const auto near = nearest(*use.value, all_words<T>())) message += "; did you mean \"" + *near + "\"?";
    return usage(std::move(message), "one of: " + join(all_words<T>(), ", "));
  }

  Result<void> limit(Sourced<std::uint64_t>& into, const FlagUse& use, Result<std::uint64_t> (*parse)(std::string_view)) {
    const std::uint64_t value = TRY(parse(*use.value).context(use.spelled));
    return state(into, value, use, *use.value);
  }

  Result<void> sandbox(const FlagUse& use);
  Result<void> profile(const FlagUse& use);
  Result<void> path(std::vector<PathRule>& into, const FlagUse& use);
  Result<void> pattern(std::vector<PatternRule>& into, const FlagUse& use, Negation negation);
  Result<void> variable(const FlagUse& use);
  Result<void> without(const FlagUse& use);

  const SandboxFlagContext& context_;
  SandboxChoice& choice_;
};

// A bare --sandbox states no type here: --sandbox-type may still name one (see read_sandbox_flags).
Result<void> FlagReading::sandbox(const FlagUse& use) {
  return use.value ? word(choice_.type, use, "sandbox type") : Result<void>();
}

Result<void> FlagReading::profile(const FlagUse& use) {
  if (context_.check_profile) TRY(context_.check_profile(*use.value).context(use.spelled));
  return state(choice_.profile, *use.value, use, *use.value);
}

Result<void> FlagReading::path(std::vector<PathRule>& into, const FlagUse& use) {
  into.push_back(TRY(path_rule_of(*use.value, context_.directory, origin(use)).context(use.spelled)));
  return {};
}

Result<void> FlagReading::pattern(std::vector<PatternRule>& into, const FlagUse& use, Negation negation) {
  into.push_back(TRY(pattern_rule_of(*use.value, context_.directory, origin(use), negation).context(use.spelled)));
  return {};
}

Result<void> FlagReading::variable(const FlagUse& use) {
  const auto equals = use.value->find('=');
  std::string name = TRY(variable_name_of(use.value->substr(0, equals)).context(use.spelled));
  VariableRule rule{std::move(name), std::nullopt, origin(use)};
  if (equals != std::string::npos) rule.value = use.value->substr(equals + 1);
  for (const VariableRule& other : choice_.overlay.variables) {
    if (other.name != rule.name) continue;
    if (other.value == rule.value) return {};
    return usage(use.spelled + ": " + rule.name + " is given twice, with different values", "give it once");
  }
  if (rule.value) {
    choice_.warnings.push_back("the value in " + use.spelled + " " + rule.name +
                               "=... can be seen in the process list; " + use.spelled + " " + rule.name +
                               " passes it from here unseen, and --env-file reads it from a file");
  }
  choice_.overlay.variables.push_back(std::move(rule));
  return {};
}

Result<void> FlagReading::without(const FlagUse& use) {
  TRY(check_given_up(*use.value, context_.guarantees).context(use.spelled));
  for (const NamedRule& other : choice_.overlay.without) {
    if (other.name == *use.value) return {};
  }
  choice_.overlay.without.push_back({*use.value, origin(use)});
  return {};
}

Result<void> FlagReading::take(const SandboxFlagRow& row, const FlagUse& use) {
  Policy& policy = choice_.overlay;
  switch (row.flag) {
    case SandboxFlag::sandbox: return sandbox(use);
    case SandboxFlag::no_sandbox: return {};
    case SandboxFlag::type: return word(choice_.type, use, "sandbox type");
    case SandboxFlag::profile: return profile(use);
    case SandboxFlag::workspace: return state(choice_.workspace, *use.value, use, *use.value);
    case SandboxFlag::net: return word(policy.network, use, "network mode");
    case SandboxFlag::fs: return word(policy.filesystem.workspace, use, "kind of access");
    case SandboxFlag::ro: return path(policy.filesystem.read, use);
    case SandboxFlag::rw: return path(policy.filesystem.write, use);
    case SandboxFlag::mask: return pattern(policy.filesystem.mask, use, Negation::refused);
    case SandboxFlag::protect: return pattern(policy.filesystem.protect, use, Negation::allowed);
    case SandboxFlag::env: return variable(use);
    case SandboxFlag::env_file: choice_.env_files.push_back(*use.value); return {};
    case SandboxFlag::credentials: return word(policy.credentials, use, "credential mode");
    case SandboxFlag::ssh_agent: policy.ssh_agent.state(true, origin(use)); return {};
    case SandboxFlag::without: return without(use);
    case SandboxFlag::permissions: return word(policy.permissions, use, "way with permissions");
    case SandboxFlag::memory: return limit(policy.limits.memory_bytes, use, memory_bytes_of);
    case SandboxFlag::cpus: return limit(policy.limits.cpu_milli, use, cpu_milli_of);
    case SandboxFlag::pids: return limit(policy.limits.processes, use, processes_of);
    case SandboxFlag::timeout: return limit(policy.limits.wall_time_ms, use, wall_time_ms_of);
  }
  return {};
}

// Whether the flag has a value where it must and none where it must not.
Result<void> check_form(const SandboxFlagRow& row, const FlagUse& use) {
  if (row.value == FlagValue::none && use.value) return usage(use.spelled + " takes no value");
  if (row.value == FlagValue::required && !use.value) {
    return usage(use.spelled + " needs a value: " + use.spelled + " " + std::string(row.value_name));
  }
  if (use.value && use.value->empty()) {
    return usage(use.spelled + " has an empty value: " + use.spelled + " " + std::string(row.value_name));
  }
  if (use.value && use.value->find('\0') != std::string::npos) return usage(use.spelled + " holds a NUL character");
  return {};
}

// --no-sandbox stands alone: a limit or grant beside it would look held and would not be.
Result<void> check_no_sandbox(const std::vector<FlagUse>& uses) {
  const FlagUse* off = nullptr;
  const FlagUse* other = nullptr;
  for (const FlagUse& use : uses) {
    const SandboxFlagRow* row = sandbox_flag_named(use.spelled);
    const bool is_off = row != nullptr && row->flag == SandboxFlag::no_sandbox;
    if (is_off) off = &use;
    else if (other == nullptr) other = &use;
  }
  if (off == nullptr || other == nullptr) return {};
  return usage(off->spelled + " and " + other->spelled + " contradict each other",
               "leave out " + off->spelled + " to run protected, or " + other->spelled + " to run without a sandbox");
}

// The first --sandbox without a type, if any.
const FlagUse* bare_sandbox(const std::vector<FlagUse>& uses) {
  for (const FlagUse& use : uses) {
    if (use.spelled == "--sandbox" && !use.value) return &use;
  }
  return nullptr;
}

}  // namespace

Result<SandboxChoice> read_sandbox_flags(const std::vector<FlagUse>& uses, const SandboxFlagContext& context) {
  SandboxChoice choice;
  FlagReading reading(context, choice);
  TRY(check_no_sandbox(uses));

  // From here on --no-sandbox, if it is there, is alone.

  for (const FlagUse& use : uses) {
    const SandboxFlagRow* row = sandbox_flag_named(use.spelled);
    if (row == nullptr) return usage("\"" + use.spelled + "\" is not a sandbox flag");
    TRY(check_form(*row, use));
    TRY(reading.take(*row, use));
    choice.sandbox = row->flag == SandboxFlag::no_sandbox ? Confinement::off : Confinement::on;
  }
  if (const FlagUse* bare = bare_sandbox(uses); bare != nullptr && !choice.type.stated) {
    choice.type.state(SandboxType::bubblewrap, {OriginKind::flag, bare->spelled});
  }
  return choice;
}

}  // namespace paddock
