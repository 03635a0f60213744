// Expectations that are files below tests/golden. UPDATE_GOLDEN=1 rewrites them.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace paddock {

inline void expect_golden(const std::string& name, const std::string& found) {
  const std::string place = std::string(PADDOCK_SOURCE_DIR) + "/tests/golden/" + name;
  if (std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(place, std::ios::binary) << found;
  std::ifstream file(place, std::ios::binary);
  ASSERT_TRUE(file) << place << " is not there: UPDATE_GOLDEN=1 writes it";
  const std::string wanted{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(found, wanted) << "UPDATE_GOLDEN=1 rewrites " << place;
}

}  // namespace paddock
