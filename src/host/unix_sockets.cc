#include "host/unix_sockets.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include <fmt/core.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "host/bound_sockets.h"

namespace paddock {
namespace {

unsigned hex(std::string_view digits) {
  unsigned value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return value;
}

// The next field and what follows it; fields are parted by spaces.
std::string_view next_field(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::string_view field = rest.substr(0, rest.find(' '));
  rest.remove_prefix(field.size());
  return field;
}

}  // namespace

std::vector<std::string> listening_paths(std::string_view text) {
  constexpr unsigned accepts_connections = 0x10000;
  constexpr unsigned datagram = SOCK_DGRAM;
  std::vector<std::string> paths;
  while (!text.empty()) {
    std::string_view rest = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(rest.size() + 1, text.size()));
    for (int skipped = 0; skipped < 3; ++skipped) next_field(rest);  // number, references, protocol
    const unsigned flags = hex(next_field(rest));
    const unsigned type = hex(next_field(rest));
    for (int skipped = 0; skipped < 2; ++skipped) next_field(rest);  // state, inode
    if (rest.size() < 2 || rest[1] == '@' || !((flags & accepts_connections) != 0 || type == datagram)) continue;
    paths.emplace_back(rest.substr(1));
  }
  std::ranges::sort(paths);
  paths.erase(std::ranges::unique(paths).begin(), paths.end());
  return paths;
}

std::vector<std::string> find_listening_sockets() {
  const Fd list(::open("/proc/net/unix", O_RDONLY | O_CLOEXEC));
  if (!list.valid()) return {};
  const auto text = read_all(list.get(), socket_list_bytes_max);
  return text ? listening_paths(*text) : std::vector<std::string>();
}

bool socket_answers(const std::string& path) {
  // By descriptor: the path may be longer than an address holds.
  const Fd place(::open(path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  const Fd own(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!place.valid() || !own.valid()) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = fmt::format("/proc/self/fd/{}", place.get());
  std::ranges::copy(name, address.sun_path);
  return ::connect(own.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 || errno == EAGAIN;
}

}  // namespace paddock
