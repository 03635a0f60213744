// Turns protected names into claims: what exists is bound read-only over itself with its ancestors
// pinned, what is absent or a link is noted for the time before and after the run.
#pragma once

#include <string>
#include <vector>

#include "plan/host_view.h"
#include "plan/mount_table.h"
#include "plan/plan.h"
#include "plan/protected_list.h"

namespace paddock {

struct ProtectOrder {
  std::string tree;   // the writable tree's root; ancestors are pinned below it
  std::string path;   // absolute, inside tree
  std::string name;   // as it stands in the list, for people and for opting out
  bool is_directory = false;
  WhenAbsent when_absent = WhenAbsent::check;
  std::string content;
  bool quarantine = false;  // moved aside when it appears; otherwise only reported
  bool pin = true;          // pin the directories between tree and path
  Origin origin;
};

// Whether absent names may be held by something that is made on the host.
enum class StandInUse { allowed, none };

class Protector {
 public:
  // Both outlive it.
  Protector(MountTable& table, const HostView& host, StandInUse stand_ins = StandInUse::allowed) : table_(table), host_(host), stand_ins_(stand_ins) {}

  // "!name" rules of the policy: entries that are left alone.
  void opt_out(std::vector<std::string> names) { opted_out_ = std::move(names); }
  bool is_opted_out(const std::string& name) const;

  void protect(const ProtectOrder& order);
  // A directory that may be written but not renamed.
  void pin(const std::string& path, const Origin& origin);

  std::vector<AbsentProtection> take_absent() { return std::move(absent_); }
  // Protected files that another name can change.
  std::vector<Relaxation> take_relaxations() { return std::move(relaxations_); }

 private:
  std::string link_above(const ProtectOrder& order) const;
  void pin_above(const ProtectOrder& order);
  bool is_held(const ProtectOrder& order) const;
  void protect_absent(const ProtectOrder& order);
  void protect_link(const ProtectOrder& order, const HostFile& link);

  MountTable& table_;
  const HostView& host_;
  StandInUse stand_ins_;
  std::vector<std::string> opted_out_;
  std::vector<AbsentProtection> absent_;
  std::vector<Relaxation> relaxations_;
};

}  // namespace paddock
