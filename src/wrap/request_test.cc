#include "wrap/request.h"

#include <gtest/gtest.h>

namespace paddock {
namespace {

std::string with(std::string_view more) {
  return R"({"command":["make","test"],"cwd":"/w/sub","workspace_root":"/w","mode":"workspace-write","network":"none")" + std::string(more) + "}";
}

std::string message_of(std::string_view text) {
  const auto request = read_wrap_request(text);
  EXPECT_FALSE(request.ok()) << text;
  if (request.ok()) return {};
  EXPECT_EQ(request.failure().code, ErrorCode::usage);
  return request.failure().message;
}

bool says(std::string_view text, std::string_view word) { return message_of(text).find(word) != std::string::npos; }

TEST(WrapRequest, IsReadAsItWasSaid) {
  const auto request = read_wrap_request(
      with(R"(,"writable_roots":["/s/","/t"],"mask_paths":["/home/u/.ssh"],"temp":"host","environment":{"A":"b c","odd.name":""})"));
  ASSERT_TRUE(request.ok()) << request.failure().message;
  WrapRequest wanted;
  wanted.command = {"make", "test"};
  wanted.cwd = "/w/sub";
  wanted.workspace_root = "/w";
  wanted.writable_roots = {"/s", "/t"};
  wanted.mode = WrapMode::workspace_write;
  wanted.network = NetworkMode::off;
  wanted.mask_paths = {"/home/u/.ssh"};
  wanted.temp = Temp::host;
  wanted.temp_stated = true;
  wanted.environment = {{"A", "b c"}, {"odd.name", ""}};
  EXPECT_EQ(*request, wanted);
}

TEST(WrapRequest, MeansPrivateTemporaryFilesUnlessItConfinesNothing) {
  EXPECT_EQ(read_wrap_request(with(""))->temp, Temp::private_temp);
  const std::string free = R"({"command":["x"],"cwd":"/","workspace_root":"/","mode":"unrestricted","network":"all")";
  EXPECT_EQ(read_wrap_request(free + "}")->temp, Temp::host);
  EXPECT_TRUE(confines_nothing(*read_wrap_request(free + "}")));
  for (const char* more : {R"(,"temp":"private"})", R"(,"mask_paths":["/x"]})"}) EXPECT_FALSE(confines_nothing(*read_wrap_request(free + more))) << more;
  EXPECT_FALSE(confines_nothing(*read_wrap_request(with(""))));
}

TEST(WrapRequest, NamesTheNearestKey) {
  EXPECT_TRUE(says(with(R"(,"maskpaths":[])"), "\"mask_paths\""));
  EXPECT_TRUE(says(with(R"(,"x":1)"), "there are"));
  EXPECT_TRUE(says(R"({"command":["x"],"cwd":"/","workspace_root":"/","network":"all"})", "mode: is missing"));
}

TEST(WrapRequest, TakesNothingThatTwoReadersCouldTakeDifferently) {
  EXPECT_TRUE(says(with(R"(,"mode":"read-only")"), "twice"));
  EXPECT_TRUE(says(with(R"(,"environment":{"A":"1","A":"2"})"), "twice"));
  EXPECT_TRUE(says(with(R"(,"writable_roots":["/a/../b"])"), ".."));
  EXPECT_TRUE(says(with(R"(,"writable_roots":["a"])"), "absolute"));
  EXPECT_TRUE(says(with(R"(,"mask_paths":["/a\u0000b"])"), "NUL"));
  EXPECT_TRUE(says(with(R"(,"mask_paths":["/\ud800"])"), "JSON"));
  EXPECT_TRUE(says(with(R"(,"mask_paths":[")") + "/\xff\"]}", "JSON"));
}

TEST(WrapRequest, RepeatsNoValueOfAVariable) {
  for (const char* more : {R"(,"environment":{"A":"SECRET","B":1})", R"(,"environment":{"A":"SECRET\u0000"})", R"(,"environment":{"A":["SECRET"]})", R"(,"environment":{"":"SECRET"})"}) {
    EXPECT_FALSE(says(with(more), "SECRET")) << more;
  }
}

TEST(WrapRequest, HoldsItsMaxima) {
  const auto list = [](std::string_view key, std::size_t count) {
    std::string text = ",\"" + std::string(key) + "\":[\"/x\"";
    for (std::size_t i = 1; i < count; ++i) text += ",\"/x\"";
    return with(text + "]");
  };
  EXPECT_TRUE(read_wrap_request(list("writable_roots", wrap_roots_max)).ok());
  EXPECT_TRUE(says(list("writable_roots", wrap_roots_max + 1), "more than"));
  EXPECT_TRUE(read_wrap_request(list("mask_paths", wrap_masks_max)).ok());
  EXPECT_TRUE(says(list("mask_paths", wrap_masks_max + 1), "more than"));
  EXPECT_TRUE(says(with(",\"mask_paths\":[\"/" + std::string(wrap_path_bytes_max, 'x') + "\"]"), "more than"));
  EXPECT_TRUE(says(with(",\"environment\":{\"A\":\"" + std::string(wrap_word_bytes_max - 1, 'x') + "\"}"), "more than"));
  EXPECT_TRUE(says(std::string(wrap_request_bytes_max + 1, ' '), "more than"));
}

}  // namespace
}  // namespace paddock
