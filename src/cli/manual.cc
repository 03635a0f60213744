#include "cli/manual.h"

#include <fmt/core.h>

#include "base/text.h"
#include "cli/offers.h"

namespace paddock {
namespace {

constexpr std::size_t columns = 80;  // of the source: mandoc's lint asks for it

// The code point that begins at `at`, which moves to its last byte. Our own texts: well-formed UTF-8.
std::uint32_t code_point(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  std::uint32_t value = lead & (0x3f >> more);
  for (int i = 0; i < more && at + 1 < text.size(); ++i) value = value << 6 | (static_cast<unsigned char>(text[++at]) & 0x3f);
  return value;
}

// Text that roff shows as it stands: escapes for its own characters, plain hyphens so that options can be
// copied from the page, no control line by accident.
std::string roff(std::string_view text) {
  std::string out;
  bool starts_line = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (starts_line && (c == '.' || c == '\'')) out += "\\&";
    starts_line = c == '\n';
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else if (c == '\'') out += "\\(aq";
    else if (c == '"') out += "\\(dq";
    else if (c == '^') out += "\\(ha";
    else if (c == '~') out += "\\(ti";
    else if (c == '`') out += "\\(ga";
    else if (static_cast<unsigned char>(c) < 0x80) out += c;
    else out += fmt::format("\\[u{:04X}]", code_point(text, at));
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

// Filled anew by roff: broken at spaces, never before a word that would be a control line.
std::string filled(std::string_view text) {
  std::string out, line;
  for (const std::string& word : split(text, ' ')) {
    const bool is_control = word.starts_with('.') || word.starts_with('\'');
    if (!line.empty() && line.size() + 1 + word.size() > columns && !is_control) {
      out += line + "\n";
      line.clear();
    }
    if (!line.empty() && !word.empty()) line += ' ';
    line += word;
  }
  return out + line + "\n";
}

std::string title(std::string_view name) {
  std::string upper(name);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return fmt::format(".TH {} 1 {} \"paddock {}\" \"Paddock\"\n", roff(upper), PADDOCK_DATE, PADDOCK_VERSION);
}

std::string section(std::string_view name) { return fmt::format(".SH {}\n", roff(name)); }
std::string entry(const std::string& term, std::string_view text) { return ".TP\n" + term + "\n" + filled(roff(text)); }
std::string usage_of(const CommandRow& command) { return command.usage.empty() ? std::string() : " " + roff(command.usage); }

// "--net MODE, --sandbox-net MODE", "--sandbox[=TYPE]"
std::string term_of(const OfferedOption& option) {
  std::vector<std::string> spelled;
  for (const std::string& name : option.names) {
    std::string one = bold(name);
    if (option.value == FlagValue::required) one += " " + italic(option.value_name);
    if (option.value == FlagValue::optional) one += "[=" + italic(option.value_name) + "]";
    spelled.push_back(std::move(one));
  }
  return join(spelled, ", ");
}

std::string options_section(const CommandRow& command) {
  std::string text = section("OPTIONS");
  std::string group;
  for (const OfferedOption& option : offered_options(command)) {
    if (option.group != group) text += fmt::format(".SS {}\n", roff(option.group));
    group = option.group;
    text += entry(term_of(option), option.help);
  }
  return text;
}

// An empty line parts paragraphs; other line ends stay.
std::string paragraphs(std::string_view text) {
  std::string out;
  bool after_line = false;
  for (const std::string& line : split(text, '\n')) {
    if (line.empty()) out += ".PP\n";
    else out += (after_line ? ".br\n" : "") + filled(roff(line));
    after_line = !line.empty();
  }
  return out;
}

std::string page_reference(std::string_view page) { return ".BR " + roff(page) + " (1)"; }

std::string exit_section() {
  return section("EXIT STATUS") + "The command\\(aqs own, or:\n" +
         entry("128+\\fIn\\fR", "signal n ended it") + entry("124", "the time limit did") +
         entry("125", "it could not be started as asked: the reason and one command that helps are printed") +
         entry("126", "found but not executable") + entry("127", "not found, and whether it exists outside") +
         entry("2", "a mistake on the command line") + entry("1", "the answer to a question is no");
}

std::string files_section() {
  return section("FILES") + entry(italic("~/.config/paddock/config.toml"), "settings") +
         entry(italic("~/.config/paddock/profiles/NAME.toml"), "your own profiles") +
         entry(italic("~/.config/paddock/harnesses/NAME.toml"), "your own agents") +
         ".PP\nThe directories of the XDG Base Directory Specification are heeded.\n";
}

std::string sandboxed_example() {
  return section("EXAMPLES") + entry(bold("paddock run claude"), "the agent in this directory, sandboxed, its own permission checks off") +
         entry(bold("paddock run --net off -- make test"), "any command, with no network but its own loopback") +
         entry(bold("paddock explain -- claude"), "what the sandbox would hold, each value with its origin");
}

}  // namespace

std::string manual() {
  std::string text = title("paddock") + section("NAME") + "paddock \\- runs coding agents, and any other command, in a sandbox\n";
  text += section("SYNOPSIS") + bold("paddock") + " " + italic("COMMAND") + " [" + italic("OPTIONS") + "] \\&...\n";
  text += section("DESCRIPTION") +
          filled("Paddock runs coding agents, and any other command, at full autonomy inside a boundary that can be trusted. "
                 "The project is readable and writable, the home directory is empty and private, and whatever cannot be "
                 "held as asked is refused with the reason.");
  text += section("COMMANDS");
  for (const CommandRow& command : commands()) text += entry(bold(command.name) + usage_of(command), command.summary);
  text += entry(bold("--help") + ", " + bold("-h"), "all commands") + entry(bold("--version") + ", " + bold("-V"), "the version");
  text += exit_section() + files_section() + sandboxed_example() + section("SEE ALSO");
  std::string separator;
  for (const CommandRow& command : commands()) {
    text += separator + page_reference(fmt::format("paddock-{}", command.name));
    separator = " ,\n";
  }
  return text + "\n";
}

std::string manual_of(const CommandRow& command) {
  const std::string page = fmt::format("paddock-{}", command.name);
  std::string text = title(page) + section("NAME") + roff(page) + " \\- " + roff(command.summary) + "\n";
  text += section("SYNOPSIS") + bold(fmt::format("paddock {}", command.name)) + usage_of(command) + "\n";
  if (!command.details.empty()) text += section("DESCRIPTION") + paragraphs(command.details);
  text += options_section(command);
  if (command.takes_sandbox_flags) text += exit_section();
  return text + section("SEE ALSO") + page_reference("paddock") + "\n";
}

}  // namespace paddock
