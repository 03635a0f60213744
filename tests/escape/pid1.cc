// Every process that can be seen, the warden first: its memory, environment, descriptors and limits,
// and the host's processes by number.
#include "attempt.h"

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace attack {
namespace {

constexpr int descriptors_tried = 64;

std::string in_proc(int pid, const char* name) { return "/proc/" + std::to_string(pid) + "/" + name; }

Outcome opens(const std::string& path, int flags) {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK);
  return escaped_if(fd >= 0, "opened " + path);
}

Outcome reads(const std::string& path) {
  const std::string text = read_file(path);
  return escaped_if(!text.empty(), path + ": " + text.substr(0, 80));
}

Outcome follows(const std::string& path) {
  char target[256];
  const ssize_t n = ::readlink(path.c_str(), target, sizeof target);
  return escaped_if(n >= 0, path + " -> " + std::string(target, n > 0 ? static_cast<std::size_t>(n) : 0));
}

Outcome memory(int pid) {
  const int fd = ::open(in_proc(pid, "mem").c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return held();
  // An open descriptor may be a dead one: the check is made again at each read.
  char byte;
  for (const unsigned long at : {0x400000ul, 0x401000ul, 0x555555554000ul}) {
    if (::pread(fd, &byte, 1, static_cast<off_t>(at)) == 1) return escaped("read memory at " + std::to_string(at));
  }
  return escaped("opened mem");
}

Outcome traced_by(int pid, long request) {
  if (::ptrace(static_cast<__ptrace_request>(request), pid, nullptr, nullptr) != 0) return held();
  ::ptrace(PTRACE_DETACH, pid, nullptr, nullptr);
  return escaped("traced pid " + std::to_string(pid));
}

Outcome copies_memory(int pid) {
  char here[8];
  iovec to{here, sizeof here};
  for (const unsigned long at : {0x400000ul, 0x401000ul}) {
    iovec from{reinterpret_cast<void*>(at), sizeof here};
    if (::process_vm_readv(pid, &to, 1, &from, 1, 0) > 0) return escaped("process_vm_readv");
    if (::process_vm_writev(pid, &to, 1, &from, 1, 0) > 0) return escaped("process_vm_writev");
  }
  return held();
}

Outcome takes_descriptor(int pid) {
  const long pidfd = ::syscall(SYS_pidfd_open, pid, 0);
  if (pidfd < 0) return held();
  for (int fd = 0; fd < descriptors_tried; ++fd) {
    if (::syscall(SYS_pidfd_getfd, pidfd, fd, 0) >= 0) return escaped("took descriptor " + std::to_string(fd));
  }
  return held();
}

Outcome opens_descriptors(int pid) {
  for (int fd = 0; fd < descriptors_tried; ++fd) {
    const std::string path = in_proc(pid, "fd/") + std::to_string(fd);
    const int opened = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    if (opened >= 0) return escaped("reached " + path);
  }
  return escaped_if(!entries_of(in_proc(pid, "fd")).empty(), "listed " + in_proc(pid, "fd"));
}

Outcome limits_it(int pid) {
  rlimit now{};
  if (::prlimit(pid, RLIMIT_NOFILE, nullptr, &now) == 0) return escaped("read its limits");
  rlimit zero{0, now.rlim_max};
  return escaped_if(::prlimit(pid, RLIMIT_NOFILE, &zero, nullptr) == 0, "set NOFILE 0");
}

Outcome compares(int pid) {
  return escaped_if(::syscall(SYS_kcmp, ::getpid(), pid, 0 /* KCMP_FILE */, 0, 0) >= 0, "kcmp answered");
}

void attack_one(int pid, bool nested) {
  const std::string prefix = (nested ? "nested/" : "") + std::to_string(pid) + "/";
  const auto tried = [&](const char* name, const std::function<Outcome()>& body) {
    if (nested) attempt_nested(prefix + name, body);
    else attempt(prefix + name, body);
  };
  tried("environ", [&] { return reads(in_proc(pid, "environ")); });
  tried("mem", [&] { return memory(pid); });
  tried("task-mem", [&] { return opens(in_proc(pid, ("task/" + std::to_string(pid) + "/mem").c_str()), O_RDWR); });
  tried("maps", [&] { return reads(in_proc(pid, "maps")); });
  tried("auxv", [&] { return reads(in_proc(pid, "auxv")); });
  tried("fd", [&] { return opens_descriptors(pid); });
  tried("cwd", [&] { return follows(in_proc(pid, "cwd")); });
  tried("root", [&] { return follows(in_proc(pid, "root")); });
  tried("exe", [&] { return follows(in_proc(pid, "exe")); });
  tried("map_files", [&] { return escaped_if(!entries_of(in_proc(pid, "map_files")).empty(), "listed"); });
  tried("attach", [&] { return traced_by(pid, PTRACE_ATTACH); });
  tried("seize", [&] { return traced_by(pid, PTRACE_SEIZE); });
  tried("vm", [&] { return copies_memory(pid); });
  tried("getfd", [&] { return takes_descriptor(pid); });
  tried("prlimit", [&] { return limits_it(pid); });
  tried("kcmp", [&] { return compares(pid); });
  tried("ns", [&] { return opens(in_proc(pid, "ns/mnt"), O_RDONLY); });
}

// The canary is in the environment of the launcher and of a process of the host.
Outcome finds(const std::string& canary) {
  for (const int pid : visible_pids()) {
    for (const char* name : {"environ", "cmdline", "mem"}) {
      if (pid == ::getpid() || pid == ::getppid()) continue;  // they hold it in their own arguments
      if (read_file(in_proc(pid, name)).find(canary) != std::string::npos) return escaped(in_proc(pid, name));
    }
  }
  return held();
}

Outcome reaches_host_process(int pid) {
  if (::kill(pid, 0) == 0 || errno == EPERM) return escaped("kill(0) sees it");
  if (::syscall(SYS_pidfd_open, pid, 0) >= 0) return escaped("pidfd_open sees it");
  if (::access(in_proc(pid, "").c_str(), F_OK) == 0) return escaped("/proc shows it");
  return escaped_if(::getpgid(pid) >= 0 || ::getsid(pid) >= 0, "getpgid sees it");
}

// What the payload needs all the same.
Outcome traces_own_child() {
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  const bool attached = ::ptrace(PTRACE_SEIZE, child, nullptr, nullptr) == 0;
  const std::string why = errno_name();
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  return attached ? held() : escaped("own children cannot be traced: " + why);
}

}  // namespace

void pid1(const Options& options) {
  for (const int pid : visible_pids()) {
    if (pid == ::getpid()) continue;
    attack_one(pid, false);
    attack_one(pid, true);
  }
  attempt("killing-pid1-ends-nothing", [] {
    ::kill(1, SIGKILL);
    ::kill(1, SIGSTOP);
    return held();
  });
  for (const std::string& canary : options.all("canary")) attempt("canary", [&] { return finds(canary); });
  for (const std::string& pid : options.all("host_pid")) attempt("host-process", [&] { return reaches_host_process(std::atoi(pid.c_str())); });
  attempt("own-child-can-be-traced", traces_own_child);
}

}  // namespace attack
