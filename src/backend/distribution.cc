#include "backend/distribution.h"

#include <algorithm>
#include <optional>

#include <fmt/core.h>

#include "base/file.h"
#include "base/text.h"

namespace paddock {
namespace {

using Family = DistributionFamily;

struct KnownId {
  std::string_view id;
  Family family;
};

constexpr KnownId known_ids[] = {
    {"debian", Family::debian}, {"ubuntu", Family::debian}, {"linuxmint", Family::debian}, {"raspbian", Family::debian}, {"pop", Family::debian},
    {"kali", Family::debian},   {"fedora", Family::fedora}, {"rhel", Family::fedora},      {"centos", Family::fedora},   {"rocky", Family::fedora},
    {"almalinux", Family::fedora}, {"amzn", Family::fedora}, {"arch", Family::arch},       {"manjaro", Family::arch},    {"endeavouros", Family::arch},
    {"suse", Family::suse},     {"opensuse", Family::suse}, {"sles", Family::suse},        {"alpine", Family::alpine},   {"nixos", Family::nixos},
    {"gentoo", Family::gentoo}, {"void", Family::void_linux},
};

struct Installer {
  Family family;
  std::string_view command;  // before the package's name
};

constexpr Installer installers[] = {
    {Family::debian, "sudo apt install "},   {Family::fedora, "sudo dnf install "},        {Family::arch, "sudo pacman -S "},
    {Family::suse, "sudo zypper install "},  {Family::alpine, "sudo apk add "},            {Family::nixos, "nix-env -iA nixos."},
    {Family::gentoo, "sudo emerge "},        {Family::void_linux, "sudo xbps-install -S "},
};

Family family_of(std::string_view id) {
  const auto known = std::ranges::find_if(known_ids, [&](const KnownId& row) { return row.id == id || (row.id == "opensuse" && id.starts_with("opensuse-")); });
  return known == std::end(known_ids) ? Family::unknown : known->family;
}

// Quotes are those of a shell; what they hold is a name and needs no more than their removal.
std::string unquoted(std::string_view value) {
  value = trim(value);
  const bool is_quoted = value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front();
  return std::string(is_quoted ? value.substr(1, value.size() - 2) : value);
}

// Packages that go by another name somewhere.
std::string_view name_of(Family family, std::string_view package) {
  if (family == Family::nixos && package == "ca-certificates") return "cacert";
  if (family == Family::gentoo && package == "bubblewrap") return "sys-apps/bubblewrap";
  if (family == Family::gentoo && package == "git") return "dev-vcs/git";
  if (family == Family::gentoo && package == "git-lfs") return "dev-vcs/git-lfs";
  if (family == Family::gentoo && package == "ca-certificates") return "app-misc/ca-certificates";
  return package;
}

}  // namespace

Distribution parse_os_release(std::string_view text) {
  Distribution found;
  std::string like;
  for (const std::string& line : split(text, '\n')) {
    const auto equals = line.find('=');
    if (equals == std::string::npos) continue;
    const std::string key(trim(std::string_view(line).substr(0, equals)));
    const std::string value = unquoted(std::string_view(line).substr(equals + 1));
    if (key == "ID") found.id = value;
    else if (key == "ID_LIKE") like = value;
    else if (key == "PRETTY_NAME") found.name = value;
    else if (key == "VERSION_ID") found.version = value;
  }
  found.family = family_of(found.id);
  for (const std::string& relative : split(like, ' ')) {
    if (found.family == Family::unknown) found.family = family_of(relative);
  }
  return found;
}

std::string install_command(const Distribution& distribution, std::string_view package) {
  const auto installer = std::ranges::find(installers, distribution.family, &Installer::family);
  if (installer != std::end(installers)) return fmt::format("{}{}", installer->command, name_of(distribution.family, package));
  return fmt::format("sudo apt install {0}  |  sudo dnf install {0}  |  sudo pacman -S {0}", package);
}

Distribution this_distribution() {
  for (const char* place : {"/etc/os-release", "/usr/lib/os-release"}) {
    constexpr std::size_t bytes_max = 65536;
    const auto text = read_file_if_any(place, bytes_max);
    if (text && *text) return parse_os_release(**text);
  }
  return {};
}

}  // namespace paddock
