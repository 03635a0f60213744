#include "sandbox/socket_relay.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>

namespace paddock {
namespace {

// Never blocks: a server whose queue is full refuses.
Fd connect_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return {};
  std::memcpy(address.sun_path, path.data(), path.size());
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) socket.reset();
  return socket;
}

bool is_for_later(int number) { return number == EAGAIN || number == EINTR; }

}  // namespace

bool SocketRelay::Stream::carry(int from, int to) {
  if (empty() && !has_ended) {
    const ssize_t n = ::recv(from, bytes.data(), bytes.size(), 0);
    if (n < 0 && !is_for_later(errno)) return false;
    has_ended = n == 0;
    begin = 0;
    end = n > 0 ? static_cast<std::size_t>(n) : 0;
  }
  if (!empty()) {
    const ssize_t n = ::send(to, bytes.data() + begin, end - begin, MSG_NOSIGNAL);
    if (n < 0 && !is_for_later(errno)) return false;
    if (n > 0) begin += static_cast<std::size_t>(n);
  }
  if (empty() && has_ended && !told) told = ::shutdown(to, SHUT_WR) == 0;
  return true;
}

void SocketRelay::prepare(std::vector<pollfd>& polls) const {
  if (connections_.size() < relay_connections_max) polls.push_back({listener_.get(), POLLIN, 0});
  const auto events = [](const Stream& in, const Stream& out) { return static_cast<short>((in.empty() && !in.has_ended ? POLLIN : 0) | (out.empty() ? 0 : POLLOUT)); };
  for (const Connection& one : connections_) {
    // Nothing asked of a side: its hanging up would wake us for ever.
    if (const short wanted = events(one.up, one.down); wanted != 0) polls.push_back({one.client.get(), wanted, 0});
    if (const short wanted = events(one.down, one.up); wanted != 0) polls.push_back({one.server.get(), wanted, 0});
  }
}

void SocketRelay::handle() {
  std::erase_if(connections_, [](Connection& one) {
    const bool holds = one.up.carry(one.client.get(), one.server.get()) && one.down.carry(one.server.get(), one.client.get());
    return !holds || (one.up.told && one.down.told);
  });
  accept_more();
}

void SocketRelay::accept_more() {
  while (connections_.size() < relay_connections_max) {
    Fd client(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!client.valid()) return;
    Fd server = connect_to(server_);
    if (!server.valid()) continue;  // the client finds its connection closed
    connections_.emplace_back();
    connections_.back().client = std::move(client);
    connections_.back().server = std::move(server);
  }
}

}  // namespace paddock
