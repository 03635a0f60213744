// Positive probe results, kept in a file until the program, the kernel, the boot or the settings
// change. A failed start removes the file. Everything that is read back is checked against its key.
#pragma once

#include <optional>
#include <string>

#include "backend/backend.h"

namespace paddock {

class ProbeCache {
 public:
  // `directory` empty: nothing is kept. `key` holds everything that the result depends on.
  ProbeCache(std::string directory, std::string backend, std::string key);

  // What was found for the same key; only version, ABI, guarantees and warnings are filled.
  std::optional<ProbeReport> load() const;
  void store(const ProbeReport& report) const;  // best effort: a cache that cannot be written is none

 private:
  std::string path_;
  std::string key_;
};

// After a start that failed: the next one probes afresh.
void forget_probe(const std::string& directory, std::string_view backend);

// "6.18.44 <boot id> <user namespace> <mount namespace>": what a sandbox can be made of depends on all four,
// and a state directory may be shared with a container.
std::string kernel_and_place();

}  // namespace paddock
