// What is kept of one wrapped command until it is started, and what a plan that is made again is held to. A
// plain value; its text holds the values of the request's variables and is a secret.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "wrap/request.h"

namespace paddock {

inline constexpr std::size_t wrapped_bytes_max = std::size_t{16} << 20;

struct WrappedRoot {
  std::string path;       // of a writable tree of the host's, links resolved
  FileIdentity identity;
  friend bool operator==(const WrappedRoot&, const WrappedRoot&) = default;
};

struct Wrapped {
  WrapRequest request;                             // its command is empty: that comes with each start
  std::map<std::string, std::string> environment;  // of the program that wrapped: what plans are made from
  std::uint32_t uid = 0;                           // whose plan it is
  NetworkMode network = NetworkMode::off;
  std::vector<WrappedRoot> roots;                  // writable
  std::vector<std::string> hidden;                 // paths that masks of the request or the settings cover
  Guarantees guarantees;
  friend bool operator==(const Wrapped&, const Wrapped&) = default;
};

// Fills what the plan came to: network, roots, hidden, guarantees.
void record_plan(Wrapped& wrapped, const Plan& plan);

// One text for one value; its digest is its name.
std::string write_wrapped(const Wrapped& wrapped);
// Errors: written by another version.
Result<Wrapped> read_wrapped(std::string_view text);

// Asked of a plan that was made again: does it keep everything that was promised? `is_there`: whether a path
// exists now; what has gone needs no mask. Errors (cannot_start) name the first thing that does not hold.
Result<void> check_kept(const Wrapped& wrapped, const Plan& plan, bool (*is_there)(const std::string& path));

// Of the host's variables those that a plan is made from; none of them holds a secret.
std::map<std::string, std::string> plan_environment(const std::map<std::string, std::string>& host);

}  // namespace paddock
