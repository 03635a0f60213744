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
    // shells and sessions
    {".bashrc", false, check, {}}, {".bash_profile", false, check, {}}, {".bash_login", false, check, {}}, {".bash_logout", false, check, {}},
    {".bash_aliases", false, check, {}}, {".profile", false, check, {}}, {".zshrc", false, check, {}}, {".zshenv", false, check, {}},
    {".zprofile", false, check, {}}, {".zlogin", false, check, {}}, {".zlogout", false, check, {}}, {".kshrc", false, check, {}},
    {".mkshrc", false, check, {}}, {".cshrc", false, check, {}}, {".tcshrc", false, check, {}}, {".login", false, check, {}},
    {".inputrc", false, check, {}}, {".xprofile", false, check, {}}, {".xinitrc", false, check, {}}, {".xsession", false, check, {}},
    {".xsessionrc", false, check, {}}, {".pam_environment", false, check, {}},
    {".config/fish", true, check, {}}, {".config/nushell", true, check, {}}, {".config/xonsh", true, check, {}}, {".config/zsh", true, check, {}},
    {".oh-my-zsh", true, check, {}},
    // what a session starts by itself
    {".config/autostart", true, check, {}}, {".config/autostart-scripts", true, check, {}}, {".config/plasma-workspace", true, check, {}},
    {".config/systemd", true, check, {}}, {".config/environment.d", true, check, {}}, {".config/i3", true, check, {}},
    {".config/sway", true, check, {}}, {".config/hypr", true, check, {}}, {".local/share/applications", true, check, {}},
    {".local/share/systemd", true, check, {}}, {".local/share/dbus-1", true, check, {}},
    // tools: their settings name programs
    {".gitconfig", false, check, {}}, {".netrc", false, check, {}}, {".npmrc", false, check, {}}, {".yarnrc", false, check, {}},
    {".yarnrc.yml", false, check, {}}, {".pypirc", false, check, {}}, {".condarc", false, check, {}}, {".gemrc", false, check, {}},
    {".hgrc", false, check, {}}, {".curlrc", false, check, {}}, {".wgetrc", false, check, {}}, {".tmux.conf", false, check, {}},
    {".screenrc", false, check, {}}, {".vimrc", false, check, {}}, {".emacs", false, check, {}}, {".gdbinit", false, check, {}},
    {".lldbinit", false, check, {}}, {".irbrc", false, check, {}}, {".pryrc", false, check, {}}, {".Rprofile", false, check, {}},
    {".sqliterc", false, check, {}}, {".psqlrc", false, check, {}}, {".direnvrc", false, check, {}}, {".mailcap", false, check, {}},
    {".forward", false, check, {}}, {".procmailrc", false, check, {}}, {".wezterm.lua", false, check, {}}, {".cargo/env", false, check, {}},
    {".cargo/config", false, check, {}}, {".cargo/config.toml", false, check, {}}, {".gradle/init.gradle", false, check, {}},
    {".gradle/gradle.properties", false, check, {}}, {".m2/settings.xml", false, check, {}},
    {".ssh", true, check, {}}, {".gnupg", true, check, {}}, {".aws", true, check, {}}, {".docker", true, check, {}}, {".kube", true, check, {}},
    {".subversion", true, check, {}}, {".config/git", true, check, {}}, {".config/hg", true, check, {}}, {".config/gh", true, check, {}},
    {".config/pip", true, check, {}}, {".config/npm", true, check, {}}, {".config/go", true, check, {}}, {".config/direnv", true, check, {}},
    {".config/mise", true, check, {}}, {".config/tmux", true, check, {}}, {".config/nvim", true, check, {}}, {".config/helix", true, check, {}},
    {".config/zed", true, check, {}}, {".config/kitty", true, check, {}}, {".config/alacritty", true, check, {}},
    {".config/wezterm", true, check, {}}, {".config/ghostty", true, check, {}}, {".config/containers", true, check, {}},
    {".config/Code", true, check, {}}, {".config/VSCodium", true, check, {}}, {".vscode", true, check, {}}, {".vscode-server", true, check, {}},
    {".vim", true, check, {}}, {".emacs.d", true, check, {}}, {".config/emacs", true, check, {}}, {".local/share/nvim", true, check, {}},
    {".gradle/init.d", true, check, {}}, {".ipython", true, check, {}}, {".jupyter", true, check, {}},
    // agents: hooks, commands, servers that they start
    {".claude.json", false, check, {}}, {".claude/settings.json", false, check, {}}, {".claude/settings.local.json", false, check, {}},
    {".claude/CLAUDE.md", false, check, {}}, {".codex/config.toml", false, check, {}}, {".codex/hooks.json", false, check, {}},
    {".codex/AGENTS.md", false, check, {}}, {".gemini/settings.json", false, check, {}}, {".gemini/GEMINI.md", false, check, {}},
    {".qwen/settings.json", false, check, {}}, {".cursor/mcp.json", false, check, {}}, {".cursor/hooks.json", false, check, {}},
    {".copilot/config.json", false, check, {}}, {".copilot/mcp-config.json", false, check, {}}, {".factory/settings.json", false, check, {}},
    {".factory/mcp.json", false, check, {}}, {".aider.conf.yml", false, check, {}}, {".config/crush/crush.json", false, check, {}},
    {".config/goose/config.yaml", false, check, {}}, {".config/amp/settings.json", false, check, {}},
    {".claude/hooks", true, check, {}}, {".claude/commands", true, check, {}}, {".claude/agents", true, check, {}},
    {".claude/skills", true, check, {}}, {".claude/plugins", true, check, {}}, {".codex/rules", true, check, {}}, {".codex/prompts", true, check, {}},
    {".codex/skills", true, check, {}}, {".codex/plugins", true, check, {}}, {".codex/hooks", true, check, {}},
    {".gemini/extensions", true, check, {}}, {".gemini/commands", true, check, {}}, {".kiro/settings", true, check, {}},
    {".kiro/agents", true, check, {}}, {".kiro/hooks", true, check, {}}, {".kiro/steering", true, check, {}}, {".cursor/extensions", true, check, {}},
    {".cursor/commands", true, check, {}}, {".cursor/rules", true, check, {}}, {".agents", true, check, {}}, {".config/opencode", true, check, {}},
    // programs, by the usual places of PATH
    {"bin", true, check, {}}, {".local/bin", true, check, {}}, {".cargo/bin", true, check, {}}, {"go/bin", true, check, {}},
    {".npm-global/bin", true, check, {}}, {".yarn/bin", true, check, {}}, {".bun/bin", true, check, {}}, {".deno/bin", true, check, {}},
    {".volta/bin", true, check, {}}, {".pyenv/shims", true, check, {}}, {".rbenv/shims", true, check, {}}, {".asdf/shims", true, check, {}},
    {".local/share/mise/shims", true, check, {}},
    // Paddock's own
    {".config/paddock", true, check, {}}, {".local/share/paddock", true, check, {}}, {".local/state/paddock", true, check, {}},
};

constexpr std::string_view anywhere[] = {".git", ".envrc", ".mcp.json", ".husky", ".vscode", ".idea", ".devcontainer", ".claude", ".codex", ".gemini", ".kiro", ".qwen", ".factory", ".cursor", ".opencode", ".amp", "pyvenv.cfg", ".gitmodules"};

}  // namespace

std::span<const ProtectedName> protected_in_trees() { return in_trees; }
std::span<const ProtectedName> protected_in_home() { return in_home; }
std::span<const std::string_view> executable_names_anywhere() { return anywhere; }

}  // namespace paddock
