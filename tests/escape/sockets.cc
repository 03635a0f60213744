// Sockets of the host: by path, by abstract name, by address, by descriptor; and what else programs
// share without files.
//   unix=PATH  abstract=NAME  datagram=NAME  tcp=PORT (network off)  sysv=KEY  queue=NAME  memory=NAME
#include "attempt.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <cstddef>

namespace attack {
namespace {

struct Address {
  sockaddr_un value{};
  socklen_t length = 0;
};

Address at_path(const std::string& path) {
  Address address;
  address.value.sun_family = AF_UNIX;
  std::strncpy(address.value.sun_path, path.c_str(), sizeof address.value.sun_path - 1);
  address.length = sizeof address.value;
  return address;
}

Address abstract(const std::string& name) {
  Address address;
  address.value.sun_family = AF_UNIX;
  std::memcpy(address.value.sun_path + 1, name.data(), name.size());
  address.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return address;
}

const sockaddr* generic(const Address& address) { return reinterpret_cast<const sockaddr*>(&address.value); }

Outcome connects(const Address& address, int type) {
  const int fd = ::socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
  if (fd < 0) return held();
  return escaped_if(::connect(fd, generic(address), address.length) == 0, "connected");
}

Outcome sends(const Address& address) {
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  return escaped_if(fd >= 0 && ::sendto(fd, "x", 1, 0, generic(address), address.length) == 1, "sent");
}

// One end of a datagram pair is a datagram socket like any other.
Outcome pair_sends(const Address& address) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0) return held();
  if (::sendto(ends[0], "x", 1, 0, generic(address), address.length) == 1) return escaped("sent");
  return escaped_if(::connect(ends[1], generic(address), address.length) == 0, "connected");
}

void attack_address(const std::string& label, const Address& address) {
  attempt(label + "/stream", [&] { return connects(address, SOCK_STREAM); });
  attempt(label + "/datagram", [&] { return connects(address, SOCK_DGRAM); });
  attempt(label + "/sequence", [&] { return connects(address, SOCK_SEQPACKET); });
  attempt(label + "/sendto", [&] { return sends(address); });
  attempt(label + "/pair", [&] { return pair_sends(address); });
  attempt_nested(label + "/nested", [&] { return connects(address, SOCK_STREAM); });
}

Outcome connects_tcp(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return escaped_if(fd >= 0 && ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0, "connected");
}

Outcome finds_queue(const std::string& name) {
  const mqd_t queue = ::mq_open(name.c_str(), O_RDONLY | O_NONBLOCK);
  return escaped_if(queue != static_cast<mqd_t>(-1), "opened " + name);
}

// Directories where sockets of agents, buses and servers lie.
Outcome finds_sockets(const std::string& directory, int depth = 0) {
  std::string found;
  for (const std::string& name : entries_of(directory)) {
    const std::string path = directory + "/" + name;
    struct stat status;
    if (::lstat(path.c_str(), &status) != 0) continue;
    if (S_ISSOCK(status.st_mode)) found += path + " ";
    if (S_ISDIR(status.st_mode) && depth < 4) found += finds_sockets(path, depth + 1).detail;
  }
  return escaped_if(!found.empty(), found);
}

}  // namespace

void sockets(const Options& options) {
  for (const std::string& path : options.all("unix")) attack_address("path" + path, at_path(path));
  for (const std::string& name : options.all("abstract")) attack_address("abstract/" + name, abstract(name));
  for (const std::string& port : options.all("tcp")) attempt("tcp/" + port, [&] { return connects_tcp(std::atoi(port.c_str())); });
  for (const char* directory : {"/run", "/tmp", "/var/run", "/dev/shm"}) attempt(std::string("listing") + directory, [&] { return finds_sockets(directory); });
  for (const std::string& key : options.all("sysv")) {
    const key_t number = static_cast<key_t>(std::strtol(key.c_str(), nullptr, 0));
    attempt("sysv/shm", [&] { return escaped_if(::shmget(number, 0, 0) >= 0, "found"); });
    attempt("sysv/sem", [&] { return escaped_if(::semget(number, 0, 0) >= 0, "found"); });
    attempt("sysv/msg", [&] { return escaped_if(::msgget(number, 0) >= 0, "found"); });
  }
  for (const std::string& name : options.all("queue")) attempt("queue", [&] { return finds_queue(name); });
  for (const std::string& name : options.all("memory")) {
    attempt("memory", [&] { return escaped_if(::access(("/dev/shm/" + name).c_str(), F_OK) == 0, name); });
  }
  attempt("keyring/session", [] { return escaped_if(::syscall(SYS_keyctl, 0 /* GET_KEYRING_ID */, -3, 0) >= 0, "found"); });
  attempt("keyring/user", [] { return escaped_if(::syscall(SYS_keyctl, 0, -4, 1) >= 0, "found"); });
  attempt("vsock", [] { return escaped_if(::socket(40, SOCK_STREAM, 0) >= 0, "made"); });
  attempt("signal/parent-group", [] { return escaped_if(::kill(-::getpgid(0) - 1, 0) == 0, "another group answers"); });
}

}  // namespace attack
