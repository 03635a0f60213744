#include "host/unix_sockets.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/fd.h"

namespace paddock {
namespace {

using Words = std::vector<std::string>;

TEST(ListeningPaths, AreThoseThatAcceptAndBoundDatagrams) {
  EXPECT_EQ(listening_paths("Num       RefCount Protocol Flags    Type St Inode Path\n"
                            "00000000cda65151: 00000003 00000000 00000000 0001 03   518\n"
                            "00000000cda65151: 00000003 00000000 00000000 0001 03   519 /connected\n"
                            "00000000cda65151: 00000002 00000000 00010000 0001 01 520 /run/b c.sock\n"
                            "00000000cda65151: 00000002 00000000 00010000 0005 01 521 ./relative\n"
                            "00000000cda65151: 00000002 00000000 00010000 0001 01 522 @abstract\n"
                            "00000000cda65151: 00000002 00000000 00000000 0002 01 523 /dev/log\n"
                            "00000000cda65151: 00000002 00000000 00010000 0001 01 524 /run/b c.sock\n"),
            (Words{"./relative", "/dev/log", "/run/b c.sock"}));
}

TEST(ListeningPaths, AnyTextIsRead) {
  for (const std::string_view text : {"", "\n\n", "x", "a b c d e f g", "a b c 00010000 1 1 1 ", "    "}) EXPECT_EQ(listening_paths(text), Words{}) << text;
}

class SocketTest : public testing::Test {
 protected:
  SocketTest() : directory_(testing::TempDir() + "socket-XXXXXX") { EXPECT_NE(::mkdtemp(directory_.data()), nullptr); }
  ~SocketTest() override {
    ::unlink(path().c_str());
    ::rmdir(directory_.c_str());
  }
  std::string path() const { return directory_ + "/s"; }

  Fd listening() const {
    Fd server(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::ranges::copy(path(), address.sun_path);
    EXPECT_EQ(::bind(server.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(server.get(), 4), 0);
    return server;
  }

  std::string directory_;
};

TEST_F(SocketTest, AnswersWhileAProgramHoldsIt) {
  EXPECT_FALSE(socket_answers(path()));
  {
    const Fd server = listening();
    EXPECT_TRUE(socket_answers(path()));
    EXPECT_TRUE(std::ranges::binary_search(find_listening_sockets(), path()));
  }
  EXPECT_FALSE(socket_answers(path())) << "the file is still there, and nobody listens";
  EXPECT_FALSE(std::ranges::binary_search(find_listening_sockets(), path()));
}

TEST_F(SocketTest, AFileIsNone) {
  std::ofstream(path()) << "x";
  EXPECT_FALSE(socket_answers(path()));
}

}  // namespace
}  // namespace paddock
