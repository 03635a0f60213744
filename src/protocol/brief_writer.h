// Builds the two files of brief.h. Used outside the sandbox only.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/brief.h"

namespace paddock::protocol {

struct CheckRow {
  std::string path;
  U64 device = 0;
  U64 inode = 0;
  U32 flags = 0;
  U32 mount = 0;
};

struct GrantRow {
  std::string path;
  Access access = Access::read;
};

struct BriefInput {
  U32 flags = 0;
  std::vector<CheckRow> checks;
  std::vector<GrantRow> grants;
  std::span<const sock_filter> filter;
  U64 processes_max = unlimited;
  U64 open_files_soft = 1024;
  U64 open_files_hard = 4096;
  U64 outer_namespaces[namespace_kinds] = {};
};

struct CommandInput {
  U32 flags = 0;
  std::vector<std::string> argv;         // at least one; none holds a NUL
  std::vector<std::string> environment;  // "NAME=value"
  std::string directory;
  std::string search_path;
  unsigned short rows = 24, columns = 80;
};

// The bytes of the file. A text with a NUL in it is cut there: callers refuse such text before.
std::string write_brief(const BriefInput& input);
std::string write_command(const CommandInput& input);

}  // namespace paddock::protocol
