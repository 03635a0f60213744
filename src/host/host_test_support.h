// A temporary tree on the real disk, and git itself, for the tests of this folder.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/file.h"
#include "base/path.h"
#include "base/spawn.h"

namespace paddock {

class TemporaryTree {
 public:
  TemporaryTree() {
    char name[] = "/tmp/paddock-host-XXXXXX";
    root_ = ::mkdtemp(name);
  }
  TemporaryTree(const TemporaryTree&) = delete;
  ~TemporaryTree() { run({"/bin/sh", "-c", "chmod -R u+rwx -- \"$0\"; rm -rf -- \"$0\"", root_}, "/"); }

  std::string operator/(const std::string& name) const { return path::join(root_, name); }
  const std::string& root() const { return root_; }

  std::string directory(const std::string& name) const {
    const std::string path = *this / name;
    EXPECT_TRUE(make_private_directories(path).ok()) << path;
    return path;
  }
  std::string file(const std::string& name, const std::string& content = "", unsigned mode = 0644) const {
    const std::string path = *this / name;
    EXPECT_TRUE(make_private_directories(path::parent(path)).ok()) << path;
    EXPECT_TRUE(write_file(path, content, mode).ok()) << path;
    return path;
  }
  std::string program(const std::string& name, const std::string& content = "#!/bin/sh\n") const {
    return file(name, content, 0755);
  }
  std::string link(const std::string& name, const std::string& target) const {
    const std::string path = *this / name;
    EXPECT_TRUE(make_private_directories(path::parent(path)).ok()) << path;
    EXPECT_EQ(::symlink(target.c_str(), path.c_str()), 0) << path;
    return path;
  }

  // Runs it there, with a home inside the tree; the exit status.
  int run(const std::vector<std::string>& argv, const std::string& where) const {
    SpawnRequest request;
    request.program_path = argv.front();
    request.argv = argv;
    request.environment = {"PATH=/usr/bin:/bin", "HOME=" + *this / "git-home", "GIT_CONFIG_NOSYSTEM=1",
                           "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"};
    request.working_directory = where;
    const Fd sink(::open("/dev/null", O_RDWR | O_CLOEXEC));
    request.descriptors = {{sink.get(), 0}, {sink.get(), 1}, {sink.get(), 2}};
    auto child = spawn(request);
    if (!child) return -1;
    const int status = child->wait();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  void git(std::vector<std::string> arguments, const std::string& where) const {
    arguments.insert(arguments.begin(), {"/usr/bin/git", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"});
    EXPECT_EQ(run(arguments, where), 0) << arguments[5];
  }
  // A repository with one commit.
  std::string repository(const std::string& name) const {
    const std::string path = directory(name);
    git({"init", "-q"}, path);
    git({"commit", "-q", "--allow-empty", "-m", "x"}, path);
    return path;
  }

 private:
  std::string root_;
};

}  // namespace paddock
