// What `paddock wrap` answers: one JSON object, its keys always present. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/explain.h"
#include "plan/plan.h"
#include "wrap/request.h"

namespace paddock {

inline constexpr std::string_view wrap_schema = "paddock.wrap/1";

// How a denied action looks from inside: what the harness may look for in an output.
struct DenialSignature {
  std::string_view of;     // "write", "network", "mask", "call"
  std::string_view error;  // errno's name, "EROFS"
  std::string_view text;   // what strerror(3) says of it in the C locale
};
// Those that this request can lead to.
std::vector<DenialSignature> denial_signatures(const WrapRequest& request);

struct WrapReply {
  std::vector<std::string> argv;
  bool confined = true;
  std::string backend;  // "none" without confinement
  Guarantees guarantees;
  std::vector<DenialSignature> signatures;
  std::string marker;           // our failures' lines on stderr begin with it
  std::uint64_t expires_at = 0;  // seconds since 1970
  std::string findings;         // absolute path of the file of findings
  std::vector<Relaxation> relaxations;
  std::vector<std::string> notes;
};

enum class WrapRefusal {
  invalid,      // the request is wrong by itself
  unsupported,  // nothing on this machine can hold it
  forbidden,    // the machine's ceiling
  failed,       // everything else: a configuration that cannot be read, a full disk
};

struct WrapError {
  WrapRefusal kind = WrapRefusal::failed;
  std::string message;
  std::string hint;
  std::vector<BackendFacts> backends;  // unsupported: every one with its reasons
  std::vector<std::string> breaches;   // forbidden: every one in words
};

// What a start found afterwards, as one line of the file of findings.
std::string write_finding(std::uint64_t time_s, std::string_view text);

// One line with a line end.
std::string write_reply(const WrapReply& reply);
std::string write_reply(const WrapError& failure);

}  // namespace paddock
