// Prints what a process sees of its surroundings, as one JSON object on standard output. Runs inside
// every backend's sandboxes, so it needs nothing: static, no files, no other programs.
//
//   probe [exists=PATH]... [write=PATH]... [list=PATH]... [connect=PATH]... [abstract=NAME]... [tcp=PORT]... [pid=N]...
//
// Strings are bytes: those outside printable ASCII are \u00XX, one a byte (Latin-1).
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

extern char** environ;

namespace {

// --- JSON ---

std::string quoted(std::string_view text) {
  std::string out = "\"";
  constexpr char digits[] = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') (out += '\\') += c;
    else if (byte >= 0x20 && byte < 0x7f) out += c;
    else ((out += "\\u00") += digits[byte >> 4]) += digits[byte & 15];
  }
  return out + "\"";
}

std::string number(long long value) { return std::to_string(value); }
std::string truth(bool value) { return value ? "true" : "false"; }

class Object {
 public:
  Object& add(std::string_view name, const std::string& value) {
    text_ += (text_.empty() ? "" : ",\n ") + quoted(name) + ":" + value;
    return *this;
  }
  std::string str() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

std::string array(const std::vector<std::string>& values) {
  std::string out = "[";
  for (std::size_t i = 0; i < values.size(); ++i) out += (i == 0 ? "" : ",") + values[i];
  return out + "]";
}

// The error's name, or "" where there is none.
std::string error_of(bool failed) {
  if (!failed) return quoted("");
  const char* name = strerrorname_np(errno);
  return quoted(name == nullptr ? "?" : name);
}

// --- Files ---

std::string contents(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return {};
  std::string text;
  char buffer[4096];
  for (ssize_t n; text.size() < (1 << 20) && (n = ::read(fd, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  ::close(fd);
  return text;
}

std::string link_target(const std::string& path) {
  char target[4096];
  const ssize_t n = ::readlink(path.c_str(), target, sizeof target);
  return n < 0 ? "" : std::string(target, static_cast<std::size_t>(n));
}

std::string listing(const std::string& path) {
  DIR* opened = ::opendir(path.c_str());
  if (opened == nullptr) return "null";
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(opened)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.push_back(quoted(name));
  }
  ::closedir(opened);
  return array(names);
}

std::string path_facts(const std::string& path) {
  struct stat status;
  const bool absent = ::lstat(path.c_str(), &status) != 0;
  Object facts;
  facts.add("error", error_of(absent));
  const char* kind = absent ? "" : S_ISDIR(status.st_mode) ? "directory" : S_ISREG(status.st_mode) ? "file" : S_ISLNK(status.st_mode) ? "link" : S_ISSOCK(status.st_mode) ? "socket" : "other";
  facts.add("kind", quoted(kind));
  const int fd = absent ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  facts.add("readable", truth(fd >= 0));
  if (fd >= 0) ::close(fd);
  const std::string text = kind == std::string_view("file") ? contents(path) : "";
  facts.add("start", quoted(text.substr(0, 200))).add("size", number(absent ? -1 : status.st_size));
  facts.add("uid", number(absent ? -1 : status.st_uid));
  return facts.str();
}

// "" where it worked: a file is opened, a directory gets a file that is removed again.
std::string try_writing(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    const std::string name = path + "/.probe-write";
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const std::string result = error_of(fd < 0);
    if (fd >= 0) {
      ::close(fd);
      ::unlink(name.c_str());
    }
    return result;
  }
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  const std::string result = error_of(fd < 0);
  if (fd >= 0) ::close(fd);
  return result;
}

// --- The process ---

std::string capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[2]{};
  ::syscall(SYS_capget, &header, sets);
  const auto whole = [&](auto member) { return (static_cast<unsigned long long>(sets[1].*member) << 32) | sets[0].*member; };
  unsigned long long bounding = 0, ambient = 0;
  for (int i = 0; i < 64; ++i) {
    if (::prctl(PR_CAPBSET_READ, i, 0, 0, 0) == 1) bounding |= 1ull << i;
    if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, i, 0, 0) == 1) ambient |= 1ull << i;
  }
  return Object()
      .add("effective", number(static_cast<long long>(whole(&__user_cap_data_struct::effective))))
      .add("permitted", number(static_cast<long long>(whole(&__user_cap_data_struct::permitted))))
      .add("inheritable", number(static_cast<long long>(whole(&__user_cap_data_struct::inheritable))))
      .add("bounding", number(static_cast<long long>(bounding)))
      .add("ambient", number(static_cast<long long>(ambient)))
      .str();
}

std::string namespaces() {
  Object all;
  for (const char* kind : {"user", "pid", "ipc", "uts", "mnt", "net", "cgroup", "time"}) {
    all.add(kind, quoted(link_target(std::string("/proc/self/ns/") + kind)));
  }
  return all.str();
}

std::string descriptors() {
  Object all;
  for (int fd = 0; fd < 4096; ++fd) {
    if (::fcntl(fd, F_GETFD) < 0) continue;
    all.add(std::to_string(fd), quoted(link_target("/proc/self/fd/" + std::to_string(fd))));
  }
  return all.str();
}

std::string environment() {
  Object all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view whole = *entry;
    const std::size_t equals = whole.find('=');
    all.add(whole.substr(0, equals), equals == std::string_view::npos ? "null" : quoted(whole.substr(equals + 1)));
  }
  return all.str();
}

std::string limits() {
  constexpr struct { const char* name; __rlimit_resource which; } kinds[] = {
      {"core", RLIMIT_CORE}, {"open_files", RLIMIT_NOFILE}, {"processes", RLIMIT_NPROC}, {"locked", RLIMIT_MEMLOCK}};
  Object all;
  for (const auto& kind : kinds) {
    rlimit value{};
    ::getrlimit(kind.which, &value);
    const auto shown = [](rlim_t n) { return n == RLIM_INFINITY ? std::string("-1") : number(static_cast<long long>(n)); };
    all.add(kind.name, array({shown(value.rlim_cur), shown(value.rlim_max)}));
  }
  return all.str();
}

std::string groups() {
  gid_t all[256];
  const int count = ::getgroups(256, all);
  std::vector<std::string> values;
  for (int i = 0; i < count; ++i) values.push_back(number(all[i]));
  return array(values);
}

std::string pids() {
  std::vector<std::string> values;
  DIR* opened = ::opendir("/proc");
  if (opened == nullptr) return "null";
  while (const dirent* entry = ::readdir(opened)) {
    const std::string name = entry->d_name;
    if (name.find_first_not_of("0123456789") == std::string::npos) values.push_back(name);
  }
  ::closedir(opened);
  return array(values);
}

// mountinfo(5): target and options of each mount, and what lies behind " - ".
std::string mounts() {
  std::vector<std::string> all;
  const std::string text = contents("/proc/self/mountinfo");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    at = end == std::string::npos ? text.size() : end + 1;
    std::vector<std::string> words;
    for (std::size_t from = 0; from < line.size();) {
      const std::size_t space = std::min(line.find(' ', from), line.size());
      words.push_back(line.substr(from, space - from));
      from = space + 1;
    }
    if (words.size() < 6) continue;
    const std::size_t dash = line.find(" - ");
    const std::string type = dash == std::string::npos ? "" : line.substr(dash + 3, line.find(' ', dash + 3) - dash - 3);
    all.push_back(Object().add("root", quoted(words[3])).add("target", quoted(words[4])).add("options", quoted(words[5])).add("type", quoted(type)).str());
  }
  return array(all);
}

// --- What it may do ---

// In a child: the errno's name, "" for success, "killed" for a filter that kills.
template <typename Act>
std::string outcome(Act act) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return quoted("?");
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::alarm(5);
    const std::string result = error_of(!act());
    [[maybe_unused]] const ssize_t written = ::write(ends[1], result.data(), result.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  char buffer[64];
  const ssize_t n = ::read(ends[0], buffer, sizeof buffer);
  ::close(ends[0]);
  ::waitpid(pid, nullptr, 0);
  return n > 0 ? std::string(buffer, static_cast<std::size_t>(n)) : quoted("killed");
}

std::string nesting() {
  constexpr struct { const char* name; int flags; } kinds[] = {
      {"user", CLONE_NEWUSER}, {"user+pid", CLONE_NEWUSER | CLONE_NEWPID}, {"user+net", CLONE_NEWUSER | CLONE_NEWNET},
      {"user+mnt", CLONE_NEWUSER | CLONE_NEWNS}, {"user+ipc", CLONE_NEWUSER | CLONE_NEWIPC}, {"mnt", CLONE_NEWNS}};
  Object all;
  for (const auto& kind : kinds) all.add(kind.name, outcome([&] { return ::unshare(kind.flags) == 0; }));
  return all.str();
}

std::string families() {
  constexpr struct { const char* name; int family, type, protocol; } kinds[] = {
      {"unix", AF_UNIX, SOCK_STREAM, 0}, {"inet", AF_INET, SOCK_STREAM, 0}, {"inet6", AF_INET6, SOCK_STREAM, 0},
      {"netlink-route", AF_NETLINK, SOCK_RAW, 0}, {"netlink-netfilter", AF_NETLINK, SOCK_RAW, 12}, {"packet", AF_PACKET, SOCK_RAW, 0},
      {"vsock", 40, SOCK_STREAM, 0}, {"alg", 38, SOCK_SEQPACKET, 0}, {"bluetooth", 31, SOCK_RAW, 0}, {"raw", AF_INET, SOCK_RAW, 1}};
  Object all;
  for (const auto& kind : kinds) all.add(kind.name, outcome([&] { return ::socket(kind.family, kind.type | SOCK_CLOEXEC, kind.protocol) >= 0; }));
  return all.str();
}

std::string calls() {
  Object all;
  all.add("keyctl", outcome([] { return ::syscall(SYS_keyctl, 0, -3, 0) >= 0; }));
  all.add("bpf", outcome([] { return ::syscall(SYS_bpf, 0, nullptr, 0) >= 0; }));
  all.add("io_uring_setup", outcome([] { return ::syscall(SYS_io_uring_setup, 1, nullptr) >= 0; }));
  all.add("clone3", outcome([] { return ::syscall(SYS_clone3, nullptr, 0) >= 0; }));
  all.add("mount", outcome([] { return ::syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, nullptr) == 0; }));
  all.add("ptrace-traceme", outcome([] { return ::syscall(SYS_ptrace, 0, 0, 0, 0) == 0; }));
  return all.str();
}

std::string connects(const std::string& name, bool is_abstract) {
  return outcome([&] {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    char* at = address.sun_path + (is_abstract ? 1 : 0);
    std::memcpy(at, name.data(), std::min(name.size(), sizeof address.sun_path - 2));
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size() + 1);
    return fd >= 0 && ::connect(fd, reinterpret_cast<sockaddr*>(&address), length) == 0;
  });
}

std::string connects_tcp(const std::string& port) {
  return outcome([&] {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(port.c_str())));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return fd >= 0 && ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  });
}

template <typename Ask>
std::string for_each(const std::vector<std::string>& words, std::string_view name, Ask ask) {
  Object all;
  for (const std::string& word : words) {
    if (!word.starts_with(name)) continue;
    const std::string value = word.substr(name.size());
    all.add(value, ask(value));
  }
  return all.str();
}

}  // namespace

int main(int argc, char** argv) {
  // In the place of a backend's program: one that never answers.
  if (argc > 1 && std::string_view(argv[1]) == "--args") {
    for (;;) ::pause();
  }
  const std::vector<std::string> words(argv + 1, argv + argc);
  std::vector<std::string> arguments;
  for (int i = 0; i < argc; ++i) arguments.push_back(quoted(argv[i]));
  char cwd[4096] = "";
  utsname names{};
  ::uname(&names);
  Object all;
  all.add("descriptors", descriptors());  // first: nothing of ours is open yet
  all.add("argv", array(arguments)).add("environment", environment());
  all.add("pid", number(::getpid())).add("ppid", number(::getppid()));
  all.add("pgid", number(::getpgid(0))).add("sid", number(::getsid(0)));
  all.add("uid", number(::getuid())).add("euid", number(::geteuid())).add("gid", number(::getgid())).add("groups", groups());
  all.add("uid_map", quoted(contents("/proc/self/uid_map"))).add("gid_map", quoted(contents("/proc/self/gid_map")));
  all.add("capabilities", capabilities());
  all.add("no_new_privileges", number(::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0))).add("seccomp", number(::prctl(PR_GET_SECCOMP)));
  all.add("namespaces", namespaces()).add("hostname", quoted(names.nodename));
  all.add("cwd", ::getcwd(cwd, sizeof cwd) == nullptr ? "null" : quoted(cwd));
  all.add("limits", limits()).add("mounts", mounts()).add("pids", pids());
  all.add("passwd", quoted(contents("/etc/passwd")));
  all.add("terminals", array({truth(::isatty(0)), truth(::isatty(1)), truth(::isatty(2))}));
  all.add("nesting", nesting()).add("families", families()).add("calls", calls());
  all.add("listing", for_each(words, "list=", listing));
  all.add("paths", for_each(words, "exists=", path_facts));
  all.add("writes", for_each(words, "write=", try_writing));
  all.add("sockets", for_each(words, "connect=", [](const std::string& path) { return connects(path, false); }));
  all.add("abstract", for_each(words, "abstract=", [](const std::string& name) { return connects(name, true); }));
  all.add("tcp", for_each(words, "tcp=", connects_tcp));
  all.add("kill", for_each(words, "pid=", [](const std::string& pid) { return error_of(::kill(std::atoi(pid.c_str()), 0) != 0); }));
  const std::string text = all.str() + "\n";
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = ::write(1, text.data() + at, text.size() - at);
    if (n <= 0) return 1;
    at += static_cast<std::size_t>(n);
  }
  return 0;
}
