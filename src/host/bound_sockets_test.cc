#include "host/bound_sockets.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/fd.h"

namespace paddock {
namespace {

constexpr std::string_view listing =
    "Num       RefCount Protocol Flags    Type St Inode Path\n"
    "00000000cda65151: 00000003 00000000 00000000 0001 03   518\n"
    "00000000a46f89b9: 00000002 00000000 00010000 0001 01 21001 /run/b/socket\n"
    "00000000a46f89ba: 00000002 00000000 00000000 0002 01 21002 /dev/log\n"
    "00000000a46f89bb: 00000003 00000000 00000000 0001 03 21003 /run/b/socket\n"
    "00000000a46f89bc: 00000002 00000000 00010000 0001 01 21004 @abstract/name\n"
    "00000000a46f89bd: 00000002 00000000 00010000 0001 01 21005 relative\n"
    "00000000a46f89be: 00000002 00000000 00010000 0001 01 21006   /odd\n"
    "00000000a46f89bf: 00000002 00000000 00010000 0001 01 21007 /with spaces  and \xff\n";

TEST(BoundSockets, AreThePathsOfTheListOnceEach) {
  EXPECT_EQ(socket_paths_of(listing), (std::vector<std::string>{"/dev/log", "/run/b/socket", "/with spaces  and \xff"}));
}

TEST(BoundSockets, SurviveWhatIsNoList) {
  for (const std::string_view text : {"", "\n", "\n\n", " ", "a b c d e f g", "a b c d e f g ", "1 2 3 4 5 6 7\n/x", "1 2 3 4 5 6 /x\n"}) {
    EXPECT_EQ(socket_paths_of(text), std::vector<std::string>()) << text;
  }
}

TEST(BoundSockets, HoldOneThatWasJustBound) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof address.sun_path, "/tmp/paddock-bound-%d", ::getpid());
  const Fd server(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::bind(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0) << std::strerror(errno);
  const auto all = read_bound_sockets();
  ::unlink(address.sun_path);
  ASSERT_TRUE(all.ok()) << all.failure().message;
  EXPECT_NE(std::ranges::find(*all, address.sun_path), all->end());
}

}  // namespace
}  // namespace paddock
