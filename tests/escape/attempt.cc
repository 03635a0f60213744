#include "attempt.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace attack {
namespace {

constexpr unsigned seconds_max = 20;
constexpr std::size_t detail_max = 300;

// One line, whatever is in it.
std::string in_one_line(std::string text) {
  if (text.size() > detail_max) text.resize(detail_max);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '.';
  }
  return text;
}

void print(const char* verdict, std::string_view name, const std::string& detail) {
  std::printf("%s %.*s %s\n", verdict, static_cast<int>(name.size()), name.data(), in_one_line(detail).c_str());
  std::fflush(stdout);
}

[[noreturn]] void run_child(int pipe, const std::function<Outcome()>& body) {
  ::alarm(seconds_max);
  const Outcome outcome = body();
  const char end = static_cast<char>('0' + static_cast<int>(outcome.end));
  std::string message(1, end);
  message += outcome.detail.substr(0, detail_max);
  [[maybe_unused]] const ssize_t written = ::write(pipe, message.data(), message.size());
  ::_exit(0);
}

void judge(std::string_view name, int status, const std::string& message) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) return print("ok", name, "killed by the filter");
  if (message.empty()) return print("broken", name, WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "no answer");
  const std::string detail = message.substr(1);
  switch (static_cast<End>(message[0] - '0')) {
    case End::held: return print("ok", name, detail);
    case End::escaped: return print("ESCAPED", name, detail);
    case End::skipped: return print("skip", name, detail);
  }
}

}  // namespace

void attempt(std::string_view name, const std::function<Outcome()>& body) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return print("broken", name, "no pipe");
  std::fflush(stdout);
  const pid_t pid = ::fork();
  if (pid < 0) return print("broken", name, "no child: " + errno_name());
  if (pid == 0) {
    ::close(ends[0]);
    run_child(ends[1], body);
  }
  ::close(ends[1]);
  std::string message;
  char buffer[512];
  for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) message.append(buffer, static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  judge(name, status, message);
}

void attempt_nested(std::string_view name, const std::function<Outcome()>& body, int also) {
  attempt(name, [&] {
    if (!enter_user_namespace(also)) return Outcome{End::held, "no nested namespace: " + errno_name()};
    return body();
  });
}

bool enter_user_namespace(int also) {
  const unsigned uid = ::geteuid(), gid = ::getegid();
  if (::unshare(CLONE_NEWUSER | also) != 0) return false;
  write_file("/proc/self/setgroups", "deny", O_WRONLY);
  write_file("/proc/self/uid_map", "0 " + std::to_string(uid) + " 1", O_WRONLY);
  write_file("/proc/self/gid_map", "0 " + std::to_string(gid) + " 1", O_WRONLY);
  return true;
}

Options::Options(int argc, char** argv) : words_(argv, argv + argc) {}

std::vector<std::string> Options::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const std::string& word : words_) {
    if (word.size() > name.size() && word.starts_with(name) && word[name.size()] == '=') values.push_back(word.substr(name.size() + 1));
  }
  return values;
}

std::string Options::one(std::string_view name, std::string_view otherwise) const {
  const std::vector<std::string> values = all(name);
  return values.empty() ? std::string(otherwise) : values.back();
}

long Options::number(std::string_view name, long otherwise) const {
  const std::string value = one(name);
  return value.empty() ? otherwise : std::strtol(value.c_str(), nullptr, 10);
}

std::string read_file(const std::string& path, std::size_t bytes_max) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return {};
  std::string text;
  char buffer[4096];
  for (ssize_t n; text.size() < bytes_max && (n = ::read(fd, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  ::close(fd);
  return text;
}

bool write_file(const std::string& path, std::string_view text, int flags, int mode) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  if (fd < 0) return false;
  const ssize_t written = ::write(fd, text.data(), text.size());
  ::close(fd);
  return written == static_cast<ssize_t>(text.size());
}

std::vector<std::string> entries_of(const std::string& directory) {
  std::vector<std::string> entries;
  DIR* opened = ::opendir(directory.c_str());
  if (opened == nullptr) return entries;
  while (const dirent* entry = ::readdir(opened)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") entries.push_back(name);
  }
  ::closedir(opened);
  return entries;
}

std::vector<int> visible_pids() {
  std::vector<int> pids;
  for (const std::string& name : entries_of("/proc")) {
    if (name.find_first_not_of("0123456789") == std::string::npos) pids.push_back(std::atoi(name.c_str()));
  }
  return pids;
}

std::string errno_name() {
  const char* name = strerrorname_np(errno);
  return name == nullptr ? "errno " + std::to_string(errno) : name;
}

}  // namespace attack
