#include "sandbox/socket_relay.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <filesystem>

namespace paddock {
namespace {

namespace fs = std::filesystem;

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size());
  return address;
}

Fd listen_at(const std::string& path) {
  Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const sockaddr_un address = address_of(path);
  EXPECT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(::listen(socket.get(), 64), 0);
  return socket;
}

class SocketRelayTest : public testing::Test {
 protected:
  SocketRelayTest() : base_(make_base()), server_(listen_at(base_ / "s")), relay_(listen_at(base_ / "r"), base_ / "s") {}
  ~SocketRelayTest() override { fs::remove_all(base_); }

  static fs::path make_base() {
    std::string name = testing::TempDir() + "relay-XXXXXX";
    return ::mkdtemp(name.data());
  }
  Fd connect() {
    Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const sockaddr_un address = address_of(base_ / "r");
    EXPECT_EQ(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return socket;
  }
  Fd accept() { return Fd(::accept4(server_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)); }
  std::size_t polled() {
    std::vector<pollfd> polls;
    relay_.prepare(polls);
    return polls.size();
  }
  static std::string receive(int fd) {
    char buffer[4096];
    const ssize_t n = ::recv(fd, buffer, sizeof buffer, 0);
    return n < 0 ? "-" : std::string(buffer, static_cast<std::size_t>(n));
  }

  fs::path base_;
  Fd server_;
  SocketRelay relay_;
};

TEST_F(SocketRelayTest, CarriesBothWaysUntilBothHaveEnded) {
  const Fd client = connect();
  relay_.handle();
  const Fd served = accept();
  ASSERT_TRUE(served.valid());
  ::send(client.get(), "question", 8, 0);
  relay_.handle();
  EXPECT_EQ(receive(served.get()), "question");
  ::send(served.get(), "answer", 6, 0);
  relay_.handle();
  EXPECT_EQ(receive(client.get()), "answer");
  ::shutdown(client.get(), SHUT_WR);
  relay_.handle();
  EXPECT_EQ(receive(served.get()), "");  // the end
  ::send(served.get(), "late", 4, 0);
  relay_.handle();
  EXPECT_EQ(receive(client.get()), "late");
  EXPECT_EQ(relay_.connections(), 1u);
  ::shutdown(served.get(), SHUT_WR);
  relay_.handle();
  EXPECT_EQ(relay_.connections(), 0u);
  EXPECT_EQ(receive(client.get()), "");
}

TEST_F(SocketRelayTest, HoldsABoundedAmountForAServerThatDoesNotRead) {
  const Fd client = connect();
  relay_.handle();
  const Fd served = accept();
  const std::string block(relay_bytes_max, 'x');
  std::size_t sent = 0;
  for (int rounds = 0; rounds < 200; ++rounds) {
    const ssize_t n = ::send(client.get(), block.data(), block.size(), 0);
    sent += n > 0 ? static_cast<std::size_t>(n) : 0;
    relay_.handle();
  }
  EXPECT_LT(sent, std::size_t{16} << 20);  // then the sender waits
  std::size_t received = 0;
  for (int rounds = 0; rounds < 100'000 && received < sent; ++rounds) {
    const std::string part = receive(served.get());
    received += part == "-" ? 0 : part.size();
    relay_.handle();
  }
  EXPECT_EQ(received, sent);
}

TEST_F(SocketRelayTest, AServerThatIsGoneEndsTheConnection) {
  fs::remove(base_ / "s");
  const Fd client = connect();
  relay_.handle();
  EXPECT_EQ(relay_.connections(), 0u);
  EXPECT_EQ(receive(client.get()), "");
}

TEST_F(SocketRelayTest, AClientThatIsGoneEndsTheServersConnection) {
  Fd client = connect();
  relay_.handle();
  const Fd served = accept();
  client.reset();
  relay_.handle();
  EXPECT_EQ(receive(served.get()), "");
}

TEST_F(SocketRelayTest, AcceptsNoMoreThanItsMaximumAtATime) {
  std::vector<Fd> clients;
  for (std::size_t i = 0; i < relay_connections_max + 5; ++i) clients.push_back(connect());
  relay_.handle();
  EXPECT_EQ(relay_.connections(), relay_connections_max);
  EXPECT_EQ(polled(), 2 * relay_connections_max);
  std::vector<Fd> served;
  for (std::size_t i = 0; i < 3; ++i) served.push_back(accept());
  served.clear();
  clients.erase(clients.begin(), clients.begin() + 3);
  relay_.handle();
  relay_.handle();
  EXPECT_EQ(relay_.connections(), relay_connections_max);
}

}  // namespace
}  // namespace paddock
