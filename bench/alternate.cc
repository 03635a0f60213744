// Runs commands in turn, in one process, and prints for each the milliseconds from start to exit:
// "NAME minimum median mean p95". Usage: alternate ROUNDS NAME COMMAND… ::: NAME COMMAND… [::: …]
// Ratios of one run can be compared; absolute times of two runs cannot.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern char** environ;

namespace {

struct Contender {
  std::string name;
  std::vector<char*> argv;
  std::vector<double> times_ms;
};

double now_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double run_once(Contender& contender) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int fd = 0; fd < 3; ++fd) posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  pid_t pid = -1;
  const double start = now_ms();
  const int failed = posix_spawn(&pid, contender.argv[0], &actions, nullptr, contender.argv.data(), environ);
  int status = 0;
  if (failed == 0) waitpid(pid, &status, 0);
  const double took = now_ms() - start;
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0 || status != 0) {
    std::fprintf(stderr, "%s: failed (%s, status %d)\n", contender.name.c_str(), std::strerror(failed), status);
    std::exit(1);
  }
  return took;
}

void report(Contender& contender) {
  std::vector<double>& times = contender.times_ms;
  std::ranges::sort(times);
  double sum = 0;
  for (const double time : times) sum += time;
  const auto at = [&](double part) { return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))]; };
  std::printf("%s %.3f %.3f %.3f %.3f\n", contender.name.c_str(), times.front(), at(0.5), sum / static_cast<double>(times.size()), at(0.95));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const int rounds = std::atoi(argv[1]);
  std::vector<Contender> contenders;
  for (int i = 2; i < argc; ++i) {
    contenders.push_back({argv[i], {}, {}});
    for (++i; i < argc && std::strcmp(argv[i], ":::") != 0; ++i) contenders.back().argv.push_back(argv[i]);
    contenders.back().argv.push_back(nullptr);
  }
  constexpr int warm_up = 3;
  for (int round = -warm_up; round < rounds; ++round) {
    for (Contender& contender : contenders) {
      const double took = run_once(contender);
      if (round >= 0) contender.times_ms.push_back(took);
    }
  }
  for (Contender& contender : contenders) report(contender);
  return 0;
}
