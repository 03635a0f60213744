// The sections of a policy file, [filesystem] to [isolation]; used by load.cc alone.
#pragma once

#include "policy/load.h"
#include "policy/toml_reader.h"

namespace paddock {

// One file being read; both outlive it.
struct PolicyReading {
  const PolicySource& source;
  TomlReport& report;

  Origin origin(unsigned line) const;
};

void read_policy_sections(TomlTable& top, const PolicyReading& reading, Policy& policy);

}  // namespace paddock
