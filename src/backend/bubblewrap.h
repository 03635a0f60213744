// The bubblewrap backend: mounts and namespaces by the stock `bwrap`, everything else by the warden.
#pragma once

#include "backend/backend.h"

namespace paddock {

// Finds bwrap, and starts a real trivial sandbox with it unless a positive result for the same program,
// kernel, boot and settings is cached.
ProbeReport probe_bubblewrap(const ProbeRequest& request);

// Pure. The launch's options go to bwrap as one block on a descriptor (--args), so that no argument
// limit of the kernel's applies; bwrap's own limit of 9000 arguments is an error here that says so.
Result<Launch> lower_bubblewrap(const LowerRequest& request);

// `empty_file` is the source of file masks; `staged` null: every source is where the plan says.
// The options alone, in order, with the contents of data files beside them: {option..., fd} pairs are
// numbered from `first_data_slot`. For --argv and the golden tests.
struct BubblewrapOptions {
  std::vector<std::string> options;
  std::vector<std::string> contents;  // of the data files, in slot order
};
BubblewrapOptions bubblewrap_options(const Plan& plan, const std::string& empty_file, const StagedSources* staged, int first_data_slot);

// Errors: more options than bwrap takes.
Result<void> check_count(const BubblewrapOptions& options, const Plan& plan);

}  // namespace paddock
