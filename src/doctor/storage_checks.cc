#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/core.h>

#include "base/text.h"
#include "doctor/checks.h"

namespace paddock::doctor {
namespace {

constexpr std::uint64_t mebibyte = 1 << 20;
constexpr std::uint64_t bytes_enough = 256 * mebibyte;
constexpr std::uint64_t bytes_needed = 4 * mebibyte;
constexpr std::uint64_t files_enough = 1000;

// Locks, renames and links behave otherwise there, or every look at a file is a question to another machine.
constexpr std::string_view distant[] = {"nfs", "cifs", "smb2", "9p", "ceph", "afs", "fuse"};

std::string amount(std::uint64_t bytes) {
  constexpr std::uint64_t gibibyte = 1024 * mebibyte;
  return bytes >= gibibyte ? fmt::format("{} GiB", bytes / gibibyte) : fmt::format("{} MiB", bytes / mebibyte);
}

struct Judged {
  const DirectoryFacts& directory;
  std::uint32_t uid;

  Answer answer() const {
    const std::string summary = fmt::format("{}{} ({}, {} free)", directory.path, directory.exists ? "" : ", made when it is needed", directory.file_system, amount(directory.bytes_free));
    Answer given = ok(summary);
    if (directory.error != 0) given = failure(summary, refusal(), fix_of_refusal());
    else if (directory.bytes_free < bytes_needed) given = failure(summary, "its file system is full", "free some space there: df " + shell_word(directory.asked));
    else if (directory.counts_files && directory.files_free == 0) given = failure(summary, "its file system can hold no more files", "remove some there: df -i " + shell_word(directory.asked));
    else if (const Answer less = doubts(summary); less.status != Status::ok) given = less;
    given.facts = {{"path", directory.path}, {"exists", directory.exists ? "true" : "false"}, {"file_system", directory.file_system}, {"bytes_free", std::to_string(directory.bytes_free)}};
    return given;
  }

 private:
  std::string refusal() const {
    const std::string where = directory.exists ? std::string("nothing can be written there") : fmt::format("it cannot be made in {}", directory.asked);
    return fmt::format("{}: {}", where, std::strerror(directory.error));
  }

  std::string fix_of_refusal() const {
    if (directory.error == EROFS) return "mount it writable, or set the XDG variable of this directory to one that is";
    if (directory.error == ENOTDIR) return fmt::format("move away the file at {}", directory.asked);
    if (directory.owner != uid) return fmt::format("sudo chown -R \"$(id -un)\" {}", shell_word(directory.asked));
    return fmt::format("chmod u+rwx {}", shell_word(directory.asked));
  }

  Answer doubts(const std::string& summary) const {
    constexpr std::uint32_t writable_by_others = 0022;
    if (directory.exists && directory.owner != uid) return warning(summary, "it belongs to another user, who can change what is kept there", fmt::format("sudo chown -R \"$(id -un)\" {}", shell_word(directory.path)));
    if (directory.exists && (directory.mode & writable_by_others) != 0) return warning(summary, "other users can write there, and so change what Paddock trusts", fmt::format("chmod go-w {}", shell_word(directory.path)));
    if (directory.bytes_free < bytes_enough) return warning(summary, "its file system is nearly full", "free some space there: df " + shell_word(directory.asked));
    if (directory.counts_files && directory.files_free < files_enough) return warning(summary, "its file system can hold few more files", "remove some there: df -i " + shell_word(directory.asked));
    if (std::ranges::find(distant, directory.file_system) != std::end(distant)) return warning(summary, "a file system of this kind may lock and rename otherwise than a local one", "set the XDG variable of this directory to one on a local disk");
    if (directory.role == "cache" && directory.refuses_programs) return warning(summary, "it is mounted noexec: tools run programs from their caches", "set XDG_CACHE_HOME to a place without noexec");
    return ok(summary);
  }
};

Answers answer_for(const Facts& facts, std::string_view role) {
  const auto found = std::ranges::find(facts.directories, role, &DirectoryFacts::role);
  if (found == facts.directories.end()) return {skipped("not known")};
  return {Judged{*found, facts.uid}.answer()};
}

}  // namespace

Answers storage_state(const Facts& facts) { return answer_for(facts, "state"); }
Answers storage_config(const Facts& facts) {
  // Nothing is ever written there: it only has to be the user's own.
  Answers answers = answer_for(facts, "config");
  for (Answer& answer : answers) {
    if (answer.status == Status::fail) answer = ok(answer.summary);
  }
  return answers;
}
Answers storage_data(const Facts& facts) { return answer_for(facts, "data"); }
Answers storage_cache(const Facts& facts) { return answer_for(facts, "cache"); }
Answers storage_runtime(const Facts& facts) {
  if (std::ranges::find(facts.directories, "runtime", &DirectoryFacts::role) == facts.directories.end()) return {skipped("XDG_RUNTIME_DIR is not set")};
  return answer_for(facts, "runtime");
}

}  // namespace paddock::doctor
