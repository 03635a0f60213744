#include "harness/answer.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace paddock {
namespace {

using testing::HasSubstr;

TEST(AnswerFault, NamesTheLibrary) {
  const AnswerFault fault = fault_of_answer("agent: error while loading shared libraries: libfoo.so.1: cannot open shared object file: No such file or directory\n", 127);
  EXPECT_EQ(fault.why, "a shared library is not there: libfoo.so.1");
  EXPECT_TRUE(fault.is_absent);
  EXPECT_THAT(fault_of_answer("Error loading shared library libgcc_s.so.1: No such file or directory (needed by agent)", 127).why, HasSubstr("libgcc_s.so.1"));
}

TEST(AnswerFault, TellsAnOldLibraryFromAnAbsentOne) {
  const AnswerFault fault = fault_of_answer("agent: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by agent)\n", 1);
  EXPECT_THAT(fault.why, HasSubstr("GLIBC_2.38"));
  EXPECT_FALSE(fault.is_absent);
}

TEST(AnswerFault, NamesTheInterpreter) {
  for (const char* said : {"/usr/bin/env: ‘node’: No such file or directory\n", "env: 'node': No such file or directory", "env: can't execute 'node': No such file or directory"}) {
    const AnswerFault fault = fault_of_answer(said, 127);
    EXPECT_THAT(fault.why, HasSubstr("inside: node"));
    EXPECT_TRUE(fault.is_absent);
  }
}

TEST(AnswerFault, TellsTheWrongNode) {
  EXPECT_THAT(fault_of_answer("Error: This package requires Node.js 20 or higher. You have 16.\n", 1).why, HasSubstr("another version of Node.js"));
  EXPECT_THAT(fault_of_answer("file:///x.js:3\nSyntaxError: Unexpected token '?\?='\n    at Module._compile (node:internal/modules)\nNode.js v14.0.0\n", 1).why, HasSubstr("too old"));
}

TEST(AnswerFault, NamesTheModule) {
  EXPECT_THAT(fault_of_answer("Error: Cannot find module '/home/u/x/cli.js'\n code: 'MODULE_NOT_FOUND'\n", 1).why, HasSubstr("/home/u/x/cli.js"));
  EXPECT_THAT(fault_of_answer("ModuleNotFoundError: No module named 'aider'\n", 1).why, HasSubstr("aider"));
}

TEST(AnswerFault, TellsWhatEndedItOtherwise) {
  EXPECT_EQ(fault_of_answer("", 3).why, "it ended with status 3");
  EXPECT_THAT(fault_of_answer("", 128 + 11).why, HasSubstr("signal 11"));
  EXPECT_THAT(fault_of_answer("", 128 + 31).why, HasSubstr("filter"));
  EXPECT_THAT(fault_of_answer("EROFS: read-only file system, mkdir '/x'", 1).fix, HasSubstr("--rw"));
}

TEST(AnswerFault, NeverHandsOnWhatATerminalWouldObey) {
  EXPECT_EQ(fault_of_answer("error while loading shared libraries: \x1b[2J\x07: no", 127).why.find('\x1b'), std::string::npos);
  EXPECT_EQ(tail_of("\x1b]0;x\x07line").find('\x1b'), std::string::npos);
}

TEST(Tail, IsShort) {
  std::string said;
  for (int i = 0; i < 1000; ++i) said += std::string(1000, 'x') + "\n\n";
  const std::string tail = tail_of(said);
  EXPECT_LE(tail.size(), (tail_line_bytes_max + 1) * tail_lines_max);
  EXPECT_EQ(std::count(tail.begin(), tail.end(), '\n'), 4);
  EXPECT_EQ(tail_of("\n \n"), "");
}

}  // namespace
}  // namespace paddock
