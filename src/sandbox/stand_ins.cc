#include "sandbox/stand_ins.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include <fmt/core.h>

#include "base/entries.h"
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
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    text += digits[static_cast<unsigned char>(c) >> 4];
    text += digits[static_cast<unsigned char>(c) & 15];
  }
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
  const auto bytes = static_cast<std::size_t>(status.st_size);
  if (bytes > made.content.size()) return;
  std::string content(bytes, '\0');
  if (bytes != 0 && ::read(file.get(), content.data(), bytes) != static_cast<ssize_t>(bytes)) return;
  // A beginning of it: the run was killed while it wrote, where no nameless file can be made.
  if (made.content.starts_with(content)) ::unlinkat(parent.get(), name.c_str(), 0);
}

// Nothing is done when something is there already: then it is not ours.
void create_in(int parent, const std::string& name, const StandIn& made) {
  if (made.is_directory) {
    ::mkdirat(parent, name.c_str(), 0755);
    return;
  }
  // Whole from its first moment: git refuses a repository with an empty commondir.
  const Fd whole(made.content.empty() ? -1 : ::openat(parent, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0644));
  if (whole.valid()) {
    const std::string source = fmt::format("/proc/self/fd/{}", whole.get());
    if (write_all(whole.get(), made.content).ok()) ::linkat(AT_FDCWD, source.c_str(), parent, name.c_str(), AT_SYMLINK_FOLLOW);
    return;
  }
  const Fd file(::openat(parent, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (file.valid()) (void)write_all(file.get(), made.content).ok();
}

// What is there then: the stand-in, or what stood there before it.
std::optional<FileIdentity> create(const StandIn& made) {
  const auto [parent, name, link] = open_place(made.path);
  if (!parent.valid()) return std::nullopt;
  create_in(parent.get(), name, made);
  struct stat status {};
  if (::fstatat(parent.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  return FileIdentity{static_cast<std::uint64_t>(major(status.st_dev)) << 32 | minor(status.st_dev), status.st_ino};
}

std::string journal_directory(const std::string& directory) { return path::join(directory, "journal"); }

// Names in it that are not hidden: journals, of live and of dead runs.
std::vector<std::string> journals_in(int folder) {
  std::vector<std::string> names;
  ::lseek(folder, 0, SEEK_SET);
  char buffer[4096];
  for_each_entry(folder, buffer, [&](const char* name, unsigned char) {
    if (name[0] != '.') names.emplace_back(name);
    return true;
  });
  return names;
}

Fd open_folder(const std::string& folder) { return Fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); }

bool is_alive(int fd) { return ::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; }

struct DeadRuns {
  std::vector<std::string> lines;
  std::vector<std::string> journals;  // to be removed when the lines have been seen to
};

// The lines of those journals but `own`; dead runs are told of in `dead` if it is given.
std::set<std::string> lines_of_live_runs(int folder, const std::vector<std::string>& journals, const std::string& own, DeadRuns* dead) {
  std::set<std::string> live;
  for (const std::string& journal : journals) {
    if (journal == own) continue;
    const Fd fd(::openat(folder, journal.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (!fd.valid()) continue;
    auto text = read_all(fd.get());
    if (!text) continue;
    const bool alive = is_alive(fd.get());
    // Without its end a line was cut off when the run was killed: nothing had been made of it yet.
    text->resize(text->rfind('\n') + 1);
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

Fd open_lock(int folder) { return Fd(::openat(folder, ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)); }

// Making, sharing and removing are one at a time on this machine.
class Turn {
 public:
  explicit Turn(int lock) : lock_(lock), taken_(::flock(lock, LOCK_EX) == 0) {}
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (taken_) ::flock(lock_, LOCK_UN);
  }
  [[nodiscard]] bool taken() const { return taken_; }

 private:
  int lock_;
  bool taken_;
};

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
  TRY(made.open());
  const Turn turn(made.turn_.get());
  if (!turn.taken()) return system_error("cannot lock the journals in " + made.directory_, errno);
  made.is_alone_ = journals_in(made.folder_.get()).empty();
  for (const StandIn& one : all) made.lines_.push_back(line_of(one));
  TRY(made.begin());

  // From here on the journal knows of every stand-in, made or not.

  for (const StandIn& one : all) {
    if (const auto identity = create(one)) made.held_.emplace_back(one.path, *identity);
  }
  return made;
}

Result<void> StandIns::open() {
  folder_ = open_folder(directory_);
  if (!folder_.valid()) {
    TRY(make_private_directories(directory_));
    folder_ = open_folder(directory_);
  }
  if (folder_.valid()) turn_ = open_lock(folder_.get());
  if (!turn_.valid()) return system_error("cannot open the journals in " + directory_, errno);
  return {};
}

// A new journal. Others read it only when it is their turn, and then it is whole.
Result<void> StandIns::begin() {
  for (unsigned number = 0;; ++number) {
    std::string name = fmt::format("run-{}-{}", ::getpid(), number);
    Fd fd(::openat(folder_.get(), name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    // Left by a run with the same number in another process namespace, or dead.
    if (!fd.valid() && errno == EEXIST) continue;
    if (!fd.valid()) return system_error("cannot create a journal in " + directory_, errno);
    journal_ = std::move(name);
    lock_ = std::move(fd);
    break;
  }
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) return system_error("cannot lock a journal in " + directory_, errno);
  return write_all(lock_.get(), join(lines_, "\n") + "\n").context("writing the journal of stand-ins");
}

// Beside, locked, and then in the old one's place: at no moment is there a journal without its lines.
Result<void> StandIns::replace() {
  const std::string name = ".new-" + journal_;
  Fd next(::openat(folder_.get(), name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!next.valid() || ::flock(next.get(), LOCK_EX | LOCK_NB) != 0) return system_error("cannot create a journal in " + directory_, errno);
  TRY(write_all(next.get(), join(lines_, "\n") + "\n"));
  if (::renameat(folder_.get(), name.c_str(), folder_.get(), journal_.c_str()) != 0) return system_error("cannot write the journal in " + directory_, errno);
  lock_ = std::move(next);
  return {};
}

Result<void> StandIns::share_with(const Plan& plan) {
  if (directory_.empty() || is_alone_) return {};
  if (!folder_.valid()) {
    const Fd folder = open_folder(directory_);
    if (!folder.valid() || journals_in(folder.get()).empty()) return {};
    TRY(open());
  }
  const Turn turn(turn_.get());
  if (!turn.taken()) return system_error("cannot lock the journals in " + directory_, errno);
  std::set<std::string> targets;
  for (const Mount& mount : plan.mounts) targets.insert(mount.source);
  bool more = false;
  for (const std::string& line : lines_of_live_runs(folder_.get(), journals_in(folder_.get()), journal_, nullptr)) {
    const auto theirs = stand_in_of(line);
    if (!theirs || !targets.contains(theirs->path) || std::ranges::find(lines_, line) != lines_.end()) continue;
    lines_.push_back(line);
    more = true;
  }
  if (!more) return {};
  return journal_.empty() ? begin() : replace();
}

const FileIdentity* StandIns::identity_of(const std::string& path) const {
  const auto held = std::ranges::find(held_, path, &std::pair<std::string, FileIdentity>::first);
  return held == held_.end() ? nullptr : &held->second;
}

void StandIns::remove() {
  if (journal_.empty()) return;
  const Turn turn(turn_.get());
  const std::set<std::string> live = lines_of_live_runs(folder_.get(), journals_in(folder_.get()), journal_, nullptr);
  for (const std::string& line : lines_) {
    const auto made = stand_in_of(line);
    if (made && !live.contains(line)) remove_stand_in(*made);
  }
  ::unlinkat(folder_.get(), journal_.c_str(), 0);
  journal_.clear();
  lines_.clear();
  held_.clear();
}

StandIns::~StandIns() { remove(); }

bool recover_stand_ins(const std::string& directory) {
  const Fd folder = open_folder(journal_directory(directory));
  if (!folder.valid() || journals_in(folder.get()).empty()) return false;
  const Fd lock = open_lock(folder.get());
  const Turn turn(lock.get());
  if (!turn.taken()) return false;
  DeadRuns dead;
  const std::set<std::string> live = lines_of_live_runs(folder.get(), journals_in(folder.get()), "", &dead);
  for (const std::string& line : dead.lines) {
    const auto made = stand_in_of(line);
    if (made && !live.contains(line)) remove_stand_in(*made);
  }
  for (const std::string& journal : dead.journals) ::unlinkat(folder.get(), journal.c_str(), 0);
  return !dead.lines.empty();
}

}  // namespace paddock
