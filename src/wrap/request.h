// What another program asks of `paddock wrap`: one command to be confined, as one JSON object. Pure: the
// object is read strictly and judged by itself; what this machine can hold of it is another matter.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"

namespace paddock {

inline constexpr std::size_t wrap_request_bytes_max = std::size_t{4} << 20;
inline constexpr std::size_t wrap_words_max = 65'536;       // of a command
inline constexpr std::size_t wrap_roots_max = 256;
inline constexpr std::size_t wrap_masks_max = 1024;
inline constexpr std::size_t wrap_variables_max = 4096;
inline constexpr std::size_t wrap_path_bytes_max = 4095;    // PATH_MAX without the NUL
inline constexpr std::size_t wrap_word_bytes_max = 131'071; // MAX_ARG_STRLEN without the NUL, execve(2)

enum class WrapMode {
  read_only,        // nothing of the host's is writable
  workspace_write,  // the workspace and the writable roots are
  unrestricted,     // all of it, as for the user
};

struct WrapRequest {
  std::vector<std::string> command;         // argv; not empty, and neither is [0]
  std::string cwd;                          // this and all paths: absolute, without "." and ".." in them
  std::string workspace_root;
  std::vector<std::string> writable_roots;  // without effect in mode read-only
  WrapMode mode = WrapMode::read_only;
  NetworkMode network = NetworkMode::off;   // on, off or local
  std::vector<std::string> mask_paths;
  Temp temp = Temp::private_temp;           // unrestricted: the host's, unless it is said
  bool temp_stated = false;
  std::map<std::string, std::string> environment;
  friend bool operator==(const WrapRequest&, const WrapRequest&) = default;
};

// Errors (usage) name the key and what it may be; an unknown key comes with the nearest known one. A value
// of a variable is never repeated in one.
Result<WrapRequest> read_wrap_request(std::string_view json);

// Unconfined altogether: there is nothing that a backend would have to hold.
bool confines_nothing(const WrapRequest& request);

}  // namespace paddock
