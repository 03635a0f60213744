// The names of all relaxations that a plan may carry, for whoever lists or forbids them. Those of given-up
// guarantees are "without_" and the guarantee's name. tests/relaxations_test.py holds the code to the list.
#pragma once

#include <string_view>

namespace paddock {

inline constexpr std::string_view relaxation_names[] = {
    "no_sandbox",
    "network_on",
    "nested_full",
    "git_real",
    "git_alternates",
    "git_link",
    "credentials_shared",
    "temp_host",
    "root_files",
    "ssh_agent",
    "unprotected",
    "hard_link",
    "grant_root",
    "grant_home",
    "grant_ssh_keys",
    "grant_gnupg",
    "grant_cloud_credentials",
    "grant_registry_credentials",
    "grant_forge_credentials",
    "grant_password_store",
    "grant_browser_profile",
    "grant_system_directory",
    "grant_runtime_directory",
    "grant_container_socket",
    "grant_dbus_socket",
    "grant_agent_socket",
    "grant_display_socket",
    "grant_terminal_socket",
    "grant_socket",
    "grant_path_entry",
    "grant_startup_code",
    "grant_tool_cache",
};

inline constexpr std::string_view without_prefix = "without_";

}  // namespace paddock
