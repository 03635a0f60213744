// The least that a launcher written like paddock can do: start the backend's program, hear that it is
// ready, say go, hear the end. What paddock takes beyond this is its own work.
// Usage: floor PROGRAM
#include <sys/stat.h>

#include "base/file.h"
#include "sandbox/coming_up.h"
#include "sandbox/start.h"
#include "sandbox/talk.h"

int main(int argc, char** argv) {
  using namespace paddock;
  struct stat status {};
  if (argc != 2 || ::stat(argv[1], &status) != 0) return 2;
  Launch launch;
  launch.program = argv[1];
  launch.program_identity = identity_of(status);
  launch.program_change = change_of(status);
  launch.argv = {"backend"};
  launch.slots = {{DescriptorSlot::Kind::diagnostics, 2, 0, {}}, {DescriptorSlot::Kind::control, 3, 0, {}}};
  StartRequest request;
  request.launch = &launch;
  auto started = start_launch(request);
  if (!started) return 1;
  WardenTalk talk(started->control.get());
  if (!wait_until_ready(*started, talk, {}, 1000) || !talk.send(protocol::Kind::go)) return 1;
  while (talk.state() != protocol::Talk::ended) {
    const auto frame = talk.receive();
    if (!frame || !*frame) return 1;
  }
  started->child.wait();
  return 0;
}
