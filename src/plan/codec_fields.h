// Each struct of a plan as its list of keys, once for both directions: `io` is the writer or the
// reader, `T` is const for the one and not for the other. The order is that of the text.
#pragma once

#include <concepts>
#include <type_traits>

#include "plan/plan.h"

namespace paddock::codec {

template <typename T, typename Wanted>
concept Is = std::same_as<std::remove_const_t<T>, Wanted>;

template <typename Io, Is<Origin> T>
void fields(Io& io, T& value) {
  io.field("kind", value.kind);
  io.field("where", value.where);
}

template <typename Io, Is<FileIdentity> T>
void fields(Io& io, T& value) {
  io.field("device", value.device);
  io.field("inode", value.inode);
}

template <typename Io, Is<Mount> T>
void fields(Io& io, T& value) {
  io.field("kind", value.kind);
  io.field("target", value.target);
  io.field("source", value.source);
  io.field("access", value.access);
  io.field("is_directory", value.is_directory);
  io.field("seen_as", value.seen_as);
  io.field("identity", value.identity);
  io.field("bytes_max", value.bytes_max);
  io.octal("mode", value.mode);
  io.bytes("content", value.content);
  io.field("reason", value.reason);
  io.field("origin", value.origin);
}

template <typename Io, Is<Variable> T>
void fields(Io& io, T& value) {
  io.field("name", value.name);
  io.field("source", value.source);
  io.text_or_null("value", value.value, value.source == ValueSource::literal);
  io.field("origin", value.origin);
}

template <typename Io, Is<Relaxation> T>
void fields(Io& io, T& value) {
  io.field("name", value.name);
  io.field("reason", value.reason);
  io.field("origin", value.origin);
}

template <typename Io, Is<AbsentProtection> T>
void fields(Io& io, T& value) {
  io.field("path", value.path);
  io.field("link_target", value.link_target);
  io.field("hold", value.hold);
  io.field("is_directory", value.is_directory);
  io.bytes("content", value.content);
  io.field("quarantine", value.quarantine);
  io.field("origin", value.origin);
}

template <typename Io, Is<Seed> T>
void fields(Io& io, T& value) {
  io.field("path", value.path);
  io.field("is_directory", value.is_directory);
  io.bytes("content", value.content);
  io.field("copy_from", value.copy_from);
}

template <typename Io, Is<RuleOutcome> T>
void fields(Io& io, T& value) {
  io.field("rule", value.rule);
  io.field("outcome", value.outcome);
  io.field("origin", value.origin);
}

template <typename Io, Is<PlanLimits> T>
void fields(Io& io, T& value) {
  io.field("memory_bytes", value.memory_bytes);
  io.field("cpu_milli", value.cpu_milli);
  io.field("processes", value.processes);
  io.field("wall_time_ms", value.wall_time_ms);
}

template <typename Io, Is<PlanUser> T>
void fields(Io& io, T& value) {
  io.field("uid", value.uid);
  io.field("gid", value.gid);
  io.field("name", value.name);
  io.field("home", value.home);
  io.field("shell", value.shell);
  io.field("real_root", value.real_root);
  io.field("kernel_root", value.kernel_root);
}

template <typename Io, Is<Plan::Choice> T>
void fields(Io& io, T& value) {
  io.field("name", value.name);
  io.field("value", value.value);
  io.field("origin", value.origin);
}

template <typename Io, Is<Plan> T>
void fields(Io& io, T& value) {
  io.constant("plan_version", plan_version);
  io.field("profile", value.profile);
  io.field("harness", value.harness);
  io.field("hosted_model", value.hosted_model);
  io.field("workspace", value.workspace);
  io.field("workspace_access", value.workspace_access);
  io.field("directory", value.directory);
  io.field("command", value.command);
  io.field("user", value.user);
  io.field("network", value.network);
  io.field("nested", value.nested);
  io.field("git", value.git);
  io.field("git_kind", value.git_kind);
  io.list("mounts", value.mounts, mounts_max);
  io.field("ssh_agent", value.ssh_agent);
  io.field("environment", value.environment);
  io.field("limits", value.limits);
  io.field("required", value.required);
  io.field("relaxations", value.relaxations);
  io.field("notes", value.notes);
  io.field("absent", value.absent);
  io.field("seeds", value.seeds);
  io.field("outcomes", value.outcomes);
  io.field("choices", value.choices);
}

}  // namespace paddock::codec
