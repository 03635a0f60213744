// Carries bytes between connections to a socket of ours and as many to a server's of the host. For a server
// that answers only its own user (ssh-agent(1) does), when the payload has another kernel id than that: it is
// the launcher that connects. Nothing but bytes goes through: no descriptors, no credentials.
#pragma once

#include <poll.h>

#include <array>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace paddock {

inline constexpr std::size_t relay_connections_max = 32;  // more wait to be accepted
inline constexpr std::size_t relay_bytes_max = std::size_t{16} << 10;  // held for one direction of one of them

class SocketRelay {
 public:
  // `listener`: a listening unix stream socket, nonblocking. `server`: the path of another.
  SocketRelay(Fd listener, std::string server) : listener_(std::move(listener)), server_(std::move(server)) {}

  void prepare(std::vector<pollfd>& polls) const;
  void handle();
  [[nodiscard]] std::size_t connections() const { return connections_.size(); }

 private:
  // What came from one side and is to go to the other.
  struct Stream {
    std::array<char, relay_bytes_max> bytes;
    std::size_t begin = 0;
    std::size_t end = 0;
    bool has_ended = false;   // its source will send no more
    bool told = false;        // and its target knows

    [[nodiscard]] bool empty() const { return begin == end; }
    // False when the connection is broken.
    bool carry(int from, int to);
  };
  struct Connection {
    Fd client;
    Fd server;
    Stream up, down;
  };

  void accept_more();

  Fd listener_;
  std::string server_;
  std::vector<Connection> connections_;
};

}  // namespace paddock
