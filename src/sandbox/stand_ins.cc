#include "sandbox/stand_ins.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include <fmt/core.h>

#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "base/text.h"

namespace paddock {
namespace {

// One line of a journal: kind, inode (0 until it is made), content in hex, path in hex.
struct StandIn {
  bool is_directory = false;
  std::string content;
  std::string path;
};

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text.empty() ? "-" : text;
}

std::string unhex(std::string_view text) {
  std::string bytes;
  const auto digit = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) bytes += static_cast<char>(digit(text[i]) << 4 | digit(text[i + 1]));
  return bytes;
}

std::string line_of(const StandIn& made) { return fmt::format("{} {} {}", made.is_directory ? "d" : "f", hex(made.content), hex(made.path)); }

std::optional<StandIn> stand_in_of(const std::string& line) {
  const std::vector<std::string> words = split(line, ' ');
  if (words.size() != 3 || (words[0] != "d" && words[0] != "f")) return std::nullopt;
  return StandIn{words[0] == "d", unhex(words[1] == "-" ? "" : words[1]), unhex(words[2])};
}

// Only what is exactly as it was made: an empty directory, or a file with that content.
void remove_stand_in(const StandIn& made) {
  const auto [parent, name, link] = open_place(made.path);
  if (!parent.valid()) return;
  if (made.is_directory) {
    ::unlinkat(parent.get(), name.c_str(), AT_REMOVEDIR);
    return;
  }
  const Fd file(::openat(parent.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  const auto content = read_all(file.get(), made.content.size() + 1);
  // A beginning of it: the run was killed while it wrote, where no nameless file can be made.
  if (content && made.content.starts_with(*content)) ::unlinkat(parent.get(), name.c_str(), 0);
}

// False when something is there already: then it is not ours.
bool create(const StandIn& made) {
  const auto [parent, name, link] = open_place(made.path);
  if (!parent.valid()) return false;
  if (made.is_directory) return ::mkdirat(parent.get(), name.c_str(), 0755) == 0;
  // Whole from its first moment: git refuses a repository with an empty commondir.
  const Fd whole(::openat(parent.get(), ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0644));
  if (whole.valid()) {
    const std::string source = fmt::format("/proc/self/fd/{}", whole.get());
    return write_all(whole.get(), made.content).ok() && ::linkat(AT_FDCWD, source.c_str(), parent.get(), name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }
  const Fd file(::openat(parent.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  return file.valid() && write_all(file.get(), made.content).ok();
}

std::string journal_directory(const std::string& directory) { return path::join(directory, "journal"); }

std::vector<std::string> journals_in(const std::string& folder) {
  std::vector<std::string> names;
  DIR* open = ::opendir(folder.c_str());
  if (open == nullptr) return names;
  while (const dirent* entry = ::readdir(open)) {
    if (entry->d_name[0] != '.') names.push_back(path::join(folder, entry->d_name));
  }
  ::closedir(open);
  return names;
}

bool is_alive(int fd) { return ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; }

struct DeadRuns {
  std::vector<std::string> lines;
  std::vector<std::string> journals;  // to be removed when the lines have been seen to
};

// The lines of all journals but `own`; those of dead runs are removed unless told otherwise.
std::set<std::string> lines_of_live_runs(const std::string& folder, const std::string& own, DeadRuns* dead) {
  std::set<std::string> live;
  for (const std::string& journal : journals_in(folder)) {
    if (journal == own) continue;
    const Fd fd(::open(journal.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (!fd.valid()) continue;
    const auto text = read_all(fd.get());
    if (!text) continue;
    const bool alive = is_alive(fd.get());
    for (const std::string& line : split(*text, '\n')) {
      if (line.empty()) continue;
      if (alive) live.insert(line);
      else if (dead != nullptr) dead->lines.push_back(line);
    }
    if (!alive && dead != nullptr) dead->journals.push_back(journal);
  }
  return live;
}

std::string json_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20) escaped += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else escaped += c;
  }
  return escaped;
}

// "{end:NAME}" filled in.
std::string with_ends(std::string content, const std::map<std::string, std::string>& environment) {
  constexpr std::string_view begins = "{end:";
  constexpr std::size_t characters = 20;
  for (std::size_t at = content.find(begins); at != std::string::npos; at = content.find(begins, at)) {
    const std::size_t end = content.find('}', at);
    if (end == std::string::npos) break;
    const auto variable = environment.find(content.substr(at + begins.size(), end - at - begins.size()));
    const std::string value = variable == environment.end() ? std::string() : variable->second;
    const std::string filled = json_text(value.size() > characters ? value.substr(value.size() - characters) : value);
    content.replace(at, end + 1 - at, filled);
    at += filled.size();
  }
  return content;
}

// Making, sharing and removing are one at a time on this machine.
Result<Fd> lock_all(const std::string& folder) {
  TRY(make_private_directories(folder));
  Fd fd(::open(path::join(folder, ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd.valid() || ::flock(fd.get(), LOCK_EX) != 0) return system_error("cannot lock " + folder, errno);
  return fd;
}

}  // namespace

Result<bool> make_seeds(const std::vector<Seed>& seeds, const std::map<std::string, std::string>& environment) {
  bool made = false;
  for (const Seed& seed : seeds) {
    if (seed.is_directory) {
      TRY(make_private_directories(seed.path));
      made = true;
      continue;
    }
    TRY(make_private_directories(path::parent(seed.path)));
    const std::string content = seed.copy_from.empty() ? with_ends(seed.content, environment) : TRY(read_file(seed.copy_from));
    const Fd file(::open(seed.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.valid() && errno == EEXIST) continue;
    if (!file.valid()) return system_error("cannot create " + visible(seed.path), errno);
    TRY(write_all(file.get(), content));
    made = true;
  }
  return made;
}

Result<StandIns> StandIns::make(const std::vector<AbsentProtection>& wanted, const std::string& directory) {
  StandIns made;
  made.directory_ = journal_directory(directory);
  std::vector<StandIn> all;
  for (const AbsentProtection& absent : wanted) {
    if (absent.hold) all.push_back({absent.is_directory, absent.content, absent.path});
  }
  if (all.empty()) return made;
  const Fd one_at_a_time = TRY(lock_all(made.directory_));
  for (const StandIn& one : all) made.lines_.push_back(line_of(one));
  TRY(made.write());

  // From here on the journal knows of every stand-in, made or not.

  for (const StandIn& one : all) (void)create(one);
  return made;
}

// Beside, locked, and then in the old one's place: at no moment is there a journal without its lines.
Result<void> StandIns::write() {
  std::string name = path::join(directory_, ".new-XXXXXX");
  Fd next(::mkostemp(name.data(), O_CLOEXEC));
  if (!next.valid()) return system_error("cannot create a journal in " + directory_, errno);
  if (::flock(next.get(), LOCK_EX | LOCK_NB) != 0) return system_error("cannot lock " + name, errno);
  TRY(write_all(next.get(), join(lines_, "\n") + "\n"));
  const std::string place = journal_.empty() ? path::join(directory_, "run-" + name.substr(name.size() - 6)) : journal_;
  if (::rename(name.c_str(), place.c_str()) != 0) return system_error("cannot write " + place, errno);
  journal_ = place;
  lock_ = std::move(next);
  return {};
}

Result<void> StandIns::share_with(const Plan& plan) {
  if (directory_.empty()) return {};
  const std::vector<std::string> journals = journals_in(directory_);
  if (journals.empty() || (journals.size() == 1 && journals.front() == journal_)) return {};
  const Fd one_at_a_time = TRY(lock_all(directory_));
  std::set<std::string> targets;
  for (const Mount& mount : plan.mounts) targets.insert(mount.source);
  bool more = false;
  for (const std::string& line : lines_of_live_runs(directory_, journal_, nullptr)) {
    const auto theirs = stand_in_of(line);
    if (!theirs || !targets.contains(theirs->path) || std::ranges::find(lines_, line) != lines_.end()) continue;
    lines_.push_back(line);
    more = true;
  }
  if (more) return write();
  return {};
}

void StandIns::remove() {
  if (journal_.empty()) return;
  const auto one_at_a_time = lock_all(directory_);
  const std::set<std::string> live = lines_of_live_runs(directory_, journal_, nullptr);
  for (const std::string& line : lines_) {
    const auto made = stand_in_of(line);
    if (made && !live.contains(line)) remove_stand_in(*made);
  }
  ::unlink(journal_.c_str());
  journal_.clear();
  lines_.clear();
}

StandIns::~StandIns() { remove(); }

bool recover_stand_ins(const std::string& directory) {
  const std::string folder = journal_directory(directory);
  if (journals_in(folder).empty()) return false;
  const auto one_at_a_time = lock_all(folder);
  if (!one_at_a_time) return false;
  DeadRuns dead;
  const std::set<std::string> live = lines_of_live_runs(folder, "", &dead);
  for (const std::string& line : dead.lines) {
    const auto made = stand_in_of(line);
    if (made && !live.contains(line)) remove_stand_in(*made);
  }
  for (const std::string& journal : dead.journals) ::unlink(journal.c_str());
  return !dead.lines.empty();
}

}  // namespace paddock
