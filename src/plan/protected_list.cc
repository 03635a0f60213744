#include "plan/protected_list.h"

namespace paddock {
namespace {

constexpr auto check = WhenAbsent::check;

constexpr ProtectedName in_trees[] = {
    // agents' settings: hooks, commands, servers that they start
    {".claude/settings.json", false, check, {}},
    {".claude/settings.local.json", false, check, {}},
    {".claude/hooks", true, check, {}},
    {".claude/commands", true, check, {}},
    {".claude/agents", true, check, {}},
    {".claude/skills", true, check, {}},
    {".claude/plugins", true, check, {}},
    {".mcp.json", false, check, {}},
    {".codex", true, check, {}},
    {".agents", true, check, {}},
    {".gemini", true, check, {}},
    {".qwen", true, check, {}},
    {".kiro", true, check, {}},
    {".cursor", true, check, {}},
    {".opencode", true, check, {}},
    {"opencode.json", false, check, {}},
    {"opencode.jsonc", false, check, {}},
    {".factory", true, check, {}},
    {".crush.json", false, check, {}},
    {"crush.json", false, check, {}},
    {".aider.conf.yml", false, check, {}},
    {".amp", true, check, {}},
    {".goose", true, check, {}},
    {".github/hooks", true, check, {}},
    // Paddock's own
    {".paddock.toml", false, check, {}},
    // editors and development environments: tasks that run when a directory is opened
    {".vscode", true, check, {}},
    {".idea", true, check, {}},
    {".devcontainer", true, check, {}},
    {".devcontainer.json", false, check, {}},
    {".zed", true, check, {}},
    {".exrc", false, check, {}},
    {".nvimrc", false, check, {}},
    {".nvim.lua", false, check, {}},
    {".vimrc", false, check, {}},
    {".dir-locals.el", false, check, {}},
    {".gdbinit", false, check, {}},
    {".lldbinit", false, check, {}},
    // what a shell or a version manager reads on entering the directory
    {".envrc", false, check, {}},
    {".mise.toml", false, check, {}},
    {"mise.toml", false, check, {}},
    {".tool-versions", false, check, {}},
    {".autoenv", false, check, {}},
    {".bashrc", false, check, {}},
    {".bash_profile", false, check, {}},
    {".profile", false, check, {}},
    {".zshrc", false, check, {}},
    {".zshenv", false, check, {}},
    // git: hooks kept in the tree, filters, submodules
    {".husky", true, check, {}},
    {".githooks", true, check, {}},
    {".pre-commit-config.yaml", false, check, {}},
    {"lefthook.yml", false, check, {}},
    {".gitmodules", false, check, {}},
    {".lfsconfig", false, check, {}},
    // python environments
    {"pyvenv.cfg", false, check, {}},
    {".venv/pyvenv.cfg", false, check, {}},
    {"venv/pyvenv.cfg", false, check, {}},
};

constexpr ProtectedName in_home[] = {
    {".bashrc", false, check, {}},          {".bash_profile", false, check, {}}, {".bash_login", false, check, {}},
    {".bash_logout", false, check, {}},     {".bash_aliases", false, check, {}}, {".profile", false, check, {}},
    {".zshrc", false, check, {}},           {".zshenv", false, check, {}},       {".zprofile", false, check, {}},
    {".zlogin", false, check, {}},          {".kshrc", false, check, {}},        {".inputrc", false, check, {}},
    {".xprofile", false, check, {}},        {".xinitrc", false, check, {}},      {".xsession", false, check, {}},
    {".pam_environment", false, check, {}}, {".gitconfig", false, check, {}},    {".ssh", true, check, {}},
    {".gnupg", true, check, {}},            {".netrc", false, check, {}},        {".npmrc", false, check, {}},
    {".pypirc", false, check, {}},          {".tmux.conf", false, check, {}},    {".vimrc", false, check, {}},
    {".vim", true, check, {}},              {".emacs", false, check, {}},        {".emacs.d", true, check, {}},
    {".gdbinit", false, check, {}},         {".config/fish", true, check, {}},   {".config/git", true, check, {}},
    {".config/nvim", true, check, {}},      {".config/autostart", true, check, {}},
    {".config/systemd", true, check, {}},   {".config/environment.d", true, check, {}},
    {".config/paddock", true, check, {}},   {".local/bin", true, check, {}},     {".local/share/paddock", true, check, {}},
    {".local/state/paddock", true, check, {}},
    {".local/share/applications", true, check, {}},                              {".local/share/systemd", true, check, {}},
    {".cargo/bin", true, check, {}},        {".cargo/env", false, check, {}},    {".cargo/config.toml", false, check, {}},
    {"bin", true, check, {}},               {"go/bin", true, check, {}},         {".claude.json", false, check, {}},
};

constexpr std::string_view anywhere[] = {".git", ".envrc", ".mcp.json", ".husky", ".vscode", ".idea", ".devcontainer", ".claude", ".codex", ".gemini", ".kiro", ".qwen", ".factory", ".cursor", ".opencode", ".amp", "pyvenv.cfg", ".gitmodules"};

}  // namespace

std::span<const ProtectedName> protected_in_trees() { return in_trees; }
std::span<const ProtectedName> protected_in_home() { return in_home; }
std::span<const std::string_view> executable_names_anywhere() { return anywhere; }

}  // namespace paddock
