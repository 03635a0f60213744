// A bwrap whose name says what goes wrong with it; everything else is the real one's. With a file NAME.later
// beside it, it is healthy until a file NAME.now is there too. Modes:
//   skip-OPTION     leaves --OPTION out (with the value of those that have one)
//   refuse-CALL     the system call fails for it and all that it starts
//   hang            says nothing and does not end
//   old             does not know an option
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace {

constexpr const char* real_program = "/usr/bin/bwrap";

[[noreturn]] void give_up(const char* what) {
  fprintf(stderr, "lame backend: %s: %s\n", what, strerror(errno));
  _exit(99);
}

std::string own_path() {
  char buffer[4096];
  const ssize_t n = readlink("/proc/self/exe", buffer, sizeof buffer);
  if (n <= 0) give_up("own path");
  return std::string(buffer, static_cast<size_t>(n));
}

bool is_there(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// The call fails with that error; with `domain`, only for that first argument.
void refuse(unsigned number, int error, int domain = -1) {
  const unsigned refusal = SECCOMP_RET_ERRNO | static_cast<unsigned>(error);
  sock_filter words[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(domain), 0, static_cast<unsigned char>(domain < 0 ? 0 : 1)),
      BPF_STMT(BPF_RET | BPF_K, refusal),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{sizeof words / sizeof words[0], words};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) give_up("no_new_privs");
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) give_up("filter");
}

void refuse_by_name(const std::string& name) {
  constexpr unsigned landlock_create_ruleset = 444, landlock_restrict_self = 446;
  if (name == "seccomp") return refuse(SYS_seccomp, EPERM);
  if (name == "landlock") return refuse(landlock_restrict_self, EPERM);
  if (name == "rulesets") return refuse(landlock_create_ruleset, ENOSYS);
  if (name == "netlink") return refuse(SYS_socket, EPERM, AF_NETLINK);
  if (name == "mount") return refuse(SYS_mount, EPERM);
  give_up("unknown call");
}

// The options that come by --args, without one of them.
void leave_out(int fd, const std::string& option) {
  std::string all;
  char buffer[65536];
  for (ssize_t n; (n = read(fd, buffer, sizeof buffer)) > 0;) all.append(buffer, static_cast<size_t>(n));
  std::vector<std::string> words;
  for (size_t at = 0; at < all.size(); at += words.back().size() + 1) words.emplace_back(all.c_str() + at);
  std::string kept;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool is_first_process = option == "--unshare-pid" && words[i] == "--as-pid-1";
    if (words[i] != option && !is_first_process) {
      kept.append(words[i]).push_back('\0');
      continue;
    }
    if (option == "--remount-ro" || option == "--cap-drop") ++i;
  }
  const int instead = memfd_create("args", 0);
  if (instead < 0 || write(instead, kept.data(), kept.size()) != static_cast<ssize_t>(kept.size())) give_up("options");
  lseek(instead, 0, SEEK_SET);
  dup2(instead, fd);
  close(instead);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = own_path();
  const std::string mode = path.substr(path.rfind('/') + 1);
  const bool is_healthy = is_there(path + ".later") && !is_there(path + ".now");
  if (!is_healthy && mode == "hang") {
    for (;;) pause();
  }
  if (!is_healthy && mode == "old") {
    fprintf(stderr, "bwrap: Unknown option --size\n");
    return 1;
  }
  if (!is_healthy && mode.starts_with("refuse-")) refuse_by_name(mode.substr(7));
  if (!is_healthy && mode.starts_with("skip-") && argc > 2 && strcmp(argv[1], "--args") == 0) leave_out(atoi(argv[2]), "--" + mode.substr(5));
  execv(real_program, argv);
  give_up(real_program);
}
