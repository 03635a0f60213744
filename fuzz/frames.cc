// What a hostile warden may send: packets of any size and content, in any order, on the real socket. Pieces of
// the input are packets: a byte that tells the length, then the packet. Whatever comes, the conversation ends or
// follows the protocol, and at most one descriptor is taken.
#include <sys/socket.h>

#include <cstdint>
#include <cstdlib>

#include "base/fd.h"
#include "sandbox/talk.h"

namespace {

constexpr int packets_max = 64;

void must(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace paddock;
  int ends[2];
  must(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
  const Fd ours(ends[0]);
  Fd theirs(ends[1]);
  for (int packets = 0; size > 0 && packets < packets_max; ++packets) {
    const std::size_t length = std::min<std::size_t>(*bytes++, --size);
    if (length > 0) must(::send(theirs.get(), bytes, length, MSG_DONTWAIT) == static_cast<ssize_t>(length));
    bytes += length;
    size -= length;
  }
  theirs = Fd();
  WardenTalk talk(ours.get());
  while (true) {
    const protocol::Talk before = talk.state();
    const auto frame = talk.receive();
    if (!frame.ok() || !*frame) break;
    must(talk.state() != protocol::Talk::broken && (*frame)->kind < protocol::Kind::go);
    must(protocol::next(before, (*frame)->kind) == talk.state());
    talk.send(protocol::Kind::go);  // as the launcher does when it may
  }
  must(!talk.take_master().valid());  // none was sent
  return 0;
}
