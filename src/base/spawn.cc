#include "base/spawn.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>

#include "base/clone.h"
#include "base/spawn_child.h"

namespace paddock {
namespace {

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  result.reserve(texts.size() + 1);
  for (const std::string& text : texts) result.push_back(text.c_str());
  result.push_back(nullptr);
  return result;
}

ErrorCode code_of(const ChildStep& step) {
  if (std::string_view(step.failed_step) != "execute") return ErrorCode::cannot_start;
  if (step.failed_errno == ENOENT || step.failed_errno == ENOTDIR) return ErrorCode::not_found;
  if (step.failed_errno == EACCES || step.failed_errno == ENOEXEC) return ErrorCode::not_executable;
  return ErrorCode::cannot_start;
}

}  // namespace

Result<Child> spawn(const SpawnRequest& request) {
  const auto argv = pointers(request.argv);
  const auto environment = pointers(request.environment);
  std::vector<ChildMove> moves;
  ChildStep step;
  for (const DescriptorMove& move : request.descriptors) {
    moves.push_back({move.ours, -1, move.childs});
    step.highest_target = std::max(step.highest_target, move.childs);
  }
  std::vector<ChildLimit> limits;
  for (const ResourceLimit& limit : request.limits) limits.push_back({limit.resource, limit.value});

  std::vector<ChildTree> trees;
  ChildStage stage{};
  if (request.stage != nullptr) {
    for (const SpawnStage::Tree& tree : request.stage->trees) trees.push_back({tree.tree, tree.name.c_str()});
    stage = {request.stage->file_system, request.stage->place.c_str(), trees.data(), trees.size(), request.stage->id};
    step.stage = &stage;
  }

  step.parent = ::getpid();
  step.program = request.program;
  step.program_path = request.program_path.c_str();
  step.argv = argv.data();
  step.environment = environment.data();
  if (!request.working_directory.empty()) step.working_directory = request.working_directory.c_str();
  step.moves = moves.data();
  step.move_count = moves.size();
  step.joins = request.joins.data();
  step.join_count = request.joins.size();
  step.limits = limits.data();
  step.limit_count = limits.size();
  step.own_session = request.own_session;
  step.dies_with_parent = request.dies_with_parent;
  step.own_keyring = request.own_keyring;
  step.no_groups = request.no_groups;

  ClonedProcess made = TRY(clone_step(run_child_step, &step, 0));
  if (step.failed_step != nullptr) {
    reap(made.pid);
    const std::string name = request.program_path.empty() ? request.argv.at(0) : request.program_path;
    return system_error(name + ": cannot " + step.failed_step, step.failed_errno, code_of(step));
  }
  return Child(made.pid, std::move(made.pidfd));
}

Error replace_process(const std::string& program_path, const std::vector<std::string>& argv,
                      const std::vector<std::string>& environment) {
  const auto argv_pointers = pointers(argv);
  const auto environment_pointers = pointers(environment);
  ::execve(program_path.c_str(), const_cast<char* const*>(argv_pointers.data()),
           const_cast<char* const*>(environment_pointers.data()));
  const int number = errno;
  const ErrorCode code = number == ENOENT ? ErrorCode::not_found : ErrorCode::not_executable;
  return system_error("cannot execute " + program_path, number, code);
}

Child& Child::operator=(Child&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(pidfd_, other.pidfd_);
  return *this;
}

Child::~Child() {
  if (pid_ < 0) return;
  kill(SIGKILL);
  reap(pid_);
}

void Child::kill(int signal) const { ::syscall(SYS_pidfd_send_signal, pidfd_.get(), signal, nullptr, 0); }

int Child::wait() { return reap(std::exchange(pid_, -1)); }

std::optional<int> Child::poll() {
  pollfd ended{pidfd_.get(), POLLIN, 0};
  if (::poll(&ended, 1, 0) <= 0) return std::nullopt;
  return wait();
}

}  // namespace paddock
