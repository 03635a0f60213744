// One check of `paddock doctor`: a row of data and a pure function from facts to answers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "doctor/facts.h"

namespace paddock::doctor {

enum class Status { ok, warn, fail, skip };

// A part of an answer, such as one guarantee that a backend does not hold.
struct Detail {
  std::string what;
  std::string why;
  std::string fix;  // may be empty
  friend bool operator==(const Detail&, const Detail&) = default;
};

// What one check found. Texts may hold what other programs and files say: whoever shows them makes them visible.
struct Answer {
  Status status = Status::ok;
  std::string summary;  // one line: what was found
  std::string cause;    // why that is not fine; empty with ok and skip
  std::string fix;      // one command or setting for this machine; may be empty
  std::vector<Detail> details;
  std::vector<std::pair<std::string, std::string>> facts;  // named values for programs; never a secret
  std::string member;   // of a family: "claude" of "harness.*"
  friend bool operator==(const Answer&, const Answer&) = default;
};

inline Answer ok(std::string summary) { return {Status::ok, std::move(summary), {}, {}, {}, {}, {}}; }
inline Answer skipped(std::string why) { return {Status::skip, std::move(why), {}, {}, {}, {}, {}}; }
inline Answer warning(std::string summary, std::string cause, std::string fix = {}) { return {Status::warn, std::move(summary), std::move(cause), std::move(fix), {}, {}, {}}; }
inline Answer failure(std::string summary, std::string cause, std::string fix = {}) { return {Status::fail, std::move(summary), std::move(cause), std::move(fix), {}, {}, {}}; }

// A required check that fails makes doctor's answer a no.
enum class Need { required, advised };

struct Check {
  std::string_view id;     // stable; "harness.*" has one answer for each of its members
  std::string_view group;  // heading of the page
  Need need = Need::advised;
  std::vector<Answer> (*answer)(const Facts& facts);
};

// The visible table, in the order in which it is shown.
std::span<const Check> checks();

// A check's answer with what it is an answer to.
struct Finding {
  std::string id;  // "harness.claude"
  std::string_view group;
  Need need = Need::advised;
  std::string doc;  // anchor in docs/troubleshooting.md
  Answer answer;
};

std::vector<Finding> examine(const Facts& facts);

// False when a required check has failed.
bool is_fit(const std::vector<Finding>& findings);

std::string_view word_of(Status status);  // "ok", "warn", "fail", "skip"

}  // namespace paddock::doctor
