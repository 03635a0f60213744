#include "protocol/frame.h"

#include <gtest/gtest.h>

namespace paddock::protocol {
namespace {

TEST(Conversation, GoesFromComingUpToItsEnd) {
  Talk state = Talk::coming_up;
  for (const Kind kind : {Kind::ready, Kind::go, Kind::started, Kind::signal, Kind::stopped, Kind::resume, Kind::exited}) state = next(state, kind);
  EXPECT_EQ(state, Talk::ended);
}

TEST(Conversation, EndsWithARefusalOrAFailedExec) {
  EXPECT_EQ(next(Talk::coming_up, Kind::refused), Talk::ended);
  EXPECT_EQ(next(Talk::released, Kind::exec_failed), Talk::ended);
}

TEST(Conversation, BreaksOnEveryFrameOutOfTurn) {
  constexpr Kind all[] = {Kind::ready, Kind::refused, Kind::started, Kind::exec_failed, Kind::stopped, Kind::exited, Kind::go, Kind::signal, Kind::resume};
  for (const Kind kind : all) {
    EXPECT_EQ(next(Talk::ended, kind), Talk::broken);
    EXPECT_EQ(next(Talk::broken, kind), Talk::broken);
  }
  EXPECT_EQ(next(Talk::coming_up, Kind::exited), Talk::broken);
  EXPECT_EQ(next(Talk::ready, Kind::started), Talk::broken);
  EXPECT_EQ(next(Talk::ready, Kind::ready), Talk::broken);
  EXPECT_EQ(next(Talk::running, Kind::started), Talk::broken);
  EXPECT_EQ(next(Talk::running, static_cast<Kind>(99)), Talk::broken);
}

TEST(Frame, OfAnotherSizeOrVersionIsNone) {
  Frame frame;
  EXPECT_TRUE(is_frame(&frame, sizeof frame));
  EXPECT_FALSE(is_frame(&frame, sizeof frame - 1));
  EXPECT_FALSE(is_frame(&frame, 0));
  frame.version = frame_version + 1;
  EXPECT_FALSE(is_frame(&frame, sizeof frame));
}

}  // namespace
}  // namespace paddock::protocol
