// Which distribution this machine runs and how it installs a package, from os-release(5). Pure but for
// this_distribution().
#pragma once

#include <string>
#include <string_view>

namespace paddock {

enum class DistributionFamily { unknown, debian, fedora, arch, suse, alpine, nixos, gentoo, void_linux };

struct Distribution {
  DistributionFamily family = DistributionFamily::unknown;
  std::string id;       // "ubuntu"; lower case by the specification, taken as written
  std::string name;     // PRETTY_NAME, for people; text from outside
  std::string version;  // VERSION_ID, "24.04"; may be empty
  friend bool operator==(const Distribution&, const Distribution&) = default;
};

// `text` is an os-release file. ID decides, then ID_LIKE from the left.
Distribution parse_os_release(std::string_view text);

// One command for a known family; those of the three commonest ones for an unknown one.
std::string install_command(const Distribution& distribution, std::string_view package);

// /etc/os-release, else /usr/lib/os-release; `unknown` without either.
Distribution this_distribution();

}  // namespace paddock
