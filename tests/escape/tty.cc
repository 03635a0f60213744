// The user's terminal, from inside.
//   mode=inject  every descriptor, /dev/tty and every pty in view, by the ioctls that type into one
//   mode=corpus  writes the bytes of file=PATH to standard output, as they are
//   mode=query   asks the terminal for its answers and exits at once
//   foreign=N    the number of a terminal of the host
#include "attempt.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace attack {
namespace {

constexpr char typed[] = "echo INJECTED\n";

bool types_into(int fd, unsigned long request) {
  bool any = false;
  for (const char* at = typed; *at != '\0'; ++at) any |= ::syscall(SYS_ioctl, fd, request, at) == 0;
  return any;
}

bool pastes_into(int fd, unsigned long request) {
  char paste[1] = {3};  // TIOCL_PASTESEL
  return ::syscall(SYS_ioctl, fd, request, paste) == 0;
}

void attack_terminal(const std::string& label, const std::function<int()>& open_it) {
  for (const int high : {-1, 32, 47, 63}) {
    const unsigned long bits = high < 0 ? 0 : 1ul << high;
    const std::string suffix = high < 0 ? "" : "+bit" + std::to_string(high);
    attempt(label + "/TIOCSTI" + suffix, [&] { return escaped_if(types_into(open_it(), TIOCSTI | bits), "typed"); });
    attempt(label + "/TIOCLINUX" + suffix, [&] { return escaped_if(pastes_into(open_it(), TIOCLINUX | bits), "pasted"); });
  }
  attempt(label + "/TIOCSETD", [&] {
    const int discipline = 3;  // N_PPP
    return escaped_if(::ioctl(open_it(), TIOCSETD, &discipline) == 0, "changed the line discipline");
  });
  attempt(label + "/TIOCCONS", [&] { return escaped_if(::ioctl(open_it(), TIOCCONS) == 0, "took the console"); });
  attempt(label + "/steal", [&] {
    if (::setsid() < 0) return held();
    const int fd = open_it();
    char name[64] = {};
    if (::ioctl(fd, TIOCSCTTY, 1) != 0 || ::ttyname_r(fd, name, sizeof name) != 0) return held();
    return escaped_if(std::strncmp(name, "/dev/pts/", 9) != 0, "a controlling terminal that is none of ours");
  });
}

// Which terminals are in view. Ours is the only one, where there is one.
Outcome sees_others() {
  int own = 0;
  for (int fd = 0; fd < 3; ++fd) own |= ::isatty(fd);
  const std::vector<std::string> all = entries_of("/dev/pts");
  std::string found;
  std::size_t count = 0;
  for (const std::string& name : all) {
    if (name == "ptmx") continue;
    ++count;
    found += name + " ";
  }
  return escaped_if(count > static_cast<std::size_t>(own != 0), found);
}

Outcome opens_foreign(const std::string& number) {
  const std::string path = "/dev/pts/" + number;
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) return held();
  for (int fd = 0; fd < 3; ++fd) {
    struct stat ours;
    if (::fstat(fd, &ours) == 0 && ours.st_rdev == status.st_rdev && ours.st_dev == status.st_dev) return held();
  }
  return escaped_if(::open(path.c_str(), O_RDWR | O_NOCTTY) >= 0, path);
}

// A descriptor that is a terminal, but not of the sandbox's own devpts.
Outcome has_foreign_descriptor() {
  struct stat pts;
  if (::stat("/dev/pts", &pts) != 0) return skipped("no /dev/pts");
  for (int fd = 0; fd < 3; ++fd) {
    struct stat status;
    if (::isatty(fd) == 0 || ::fstat(fd, &status) != 0) continue;
    if (status.st_dev != pts.st_dev) return escaped("descriptor " + std::to_string(fd));
  }
  return held();
}

void inject(const Options& options) {
  attempt("foreign-descriptor", has_foreign_descriptor);
  attempt("others-in-view", sees_others);
  for (int fd = 0; fd < 3; ++fd) attack_terminal("fd" + std::to_string(fd), [fd] { return fd; });
  attack_terminal("dev-tty", [] { return ::open("/dev/tty", O_RDWR | O_NOCTTY); });
  attack_terminal("dev-console", [] { return ::open("/dev/console", O_RDWR | O_NOCTTY); });
  for (const std::string& number : options.all("foreign")) attempt("foreign/" + number, [&] { return opens_foreign(number); });
}

void write_all(const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::write(1, bytes.data() + at, bytes.size() - at);
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}

}  // namespace

void tty(const Options& options) {
  const std::string mode = options.one("mode", "inject");
  if (mode == "inject") return inject(options);
  if (mode == "corpus") write_all(read_file(options.one("file")));
  // Device attributes, status, cursor, window and title reports, colours, capabilities, ENQ.
  if (mode == "query") write_all("\033[c\033[>c\033[=c\033[5n\033[6n\033[18t\033[21t\033[?u\033]10;?\033\\\033]11;?\033\\\033P+q544e\033\\\033[x\005\033Z");
  std::fflush(stdout);
  ::_exit(0);
}

}  // namespace attack
