#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"
#include "doctor/report.h"

namespace paddock::doctor {
namespace {

constexpr std::size_t columns_min = 40, columns_max = 120;
constexpr std::size_t id_columns = 22;  // of the usual ids; a longer one pushes its own line

// One for each character: near enough for what stands here.
std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

class Page {
 public:
  explicit Page(const PageStyle& style) : style_(style), columns_(std::clamp(style.columns, columns_min, columns_max)) {}

  void heading(std::string_view text) {
    if (!text_.empty()) text_ += "\n";
    text_ += painted(text, "1") + "\n";
  }

  void check(const Finding& finding) {
    const std::string_view mark = mark_of(finding.answer.status);
    std::string id = visible(finding.id);
    id.resize(std::max(id.size(), id_columns), ' ');
    const std::size_t indent = 2 + columns_of(mark) + 1;
    const std::string first = "  " + painted(mark, colour_of(finding.answer.status)) + " " + id + " ";
    // On a narrow page the summary stands below the id.
    if (columns_ >= 70) return filled(first, indent + id.size() + 1, indent + id.size() + 1, finding.answer.summary);
    text_ += "  " + painted(mark, colour_of(finding.answer.status)) + " " + visible(finding.id) + "\n";
    filled(std::string(indent + 2, ' '), indent + 2, indent + 2, finding.answer.summary);
  }

  void note(std::string_view name, std::string_view text) {
    if (text.empty()) return;
    constexpr std::size_t indent = 8, name_columns = 6;
    std::string first = std::string(indent, ' ') + painted(fmt::format("{}:", name), "2");
    first.append(name_columns - std::min(name_columns - 1, name.size() + 1), ' ');
    filled(first, indent + name_columns, indent + name_columns, text);
  }

  // Not broken: a command is copied.
  void command(std::string_view name, std::string_view text) {
    if (!text.empty()) text_ += std::string(8, ' ') + painted(fmt::format("{}:", name), "2") + std::string(name.size() < 5 ? 5 - name.size() : 1, ' ') + visible(text) + "\n";
  }

  void line(std::string_view text) { filled({}, 0, 2, text); }

  std::string painted(std::string_view text, std::string_view code) const {
    return style_.ink == Ink::coloured ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }

  std::string take() && { return std::move(text_); }

 private:
  std::string_view mark_of(Status status) const {
    const bool unicode = style_.marks == Marks::unicode;
    switch (status) {
      case Status::ok: return unicode ? "✓" : "ok  ";
      case Status::warn: return unicode ? "!" : "warn";
      case Status::fail: return unicode ? "✗" : "FAIL";
      case Status::skip: return unicode ? "–" : "skip";
    }
    return "?";
  }

  static std::string_view colour_of(Status status) {
    switch (status) {
      case Status::ok: return "32";
      case Status::warn: return "33";
      case Status::fail: return "1;31";
      case Status::skip: return "2";
    }
    return "0";
  }

  // `text` behind `first`, which is `used` columns wide; further lines are set in by `hang`.
  void filled(const std::string& first, std::size_t used, std::size_t hang, std::string_view text) {
    text_ += first;
    bool is_first_word = true;
    for (const std::string& word : split(visible(text), ' ')) {
      const std::size_t wide = columns_of(word);
      if (!is_first_word && used + 1 + wide > columns_) {
        text_ += "\n" + std::string(hang, ' ');
        used = hang;
        is_first_word = true;
      }
      if (!is_first_word) text_ += " ";
      text_ += word;
      used += wide + (is_first_word ? 0 : 1);
      is_first_word = false;
    }
    text_ += "\n";
  }

  const PageStyle& style_;
  std::size_t columns_;
  std::string text_;
};

// What a backend does not hold in this version is no fault of the machine: a line of names, the rest is in --json.
void put_details(Page& page, const Finding& finding) {
  const bool is_wrong = finding.answer.status == Status::warn || finding.answer.status == Status::fail;
  if (finding.doc == "backend") {
    std::vector<std::string> names;
    for (const Detail& detail : finding.answer.details) {
      if (detail.what != "start") names.push_back(detail.what);
    }
    return page.note("lacks", join(names, ", "));
  }
  if (!is_wrong) return;
  for (const Detail& detail : finding.answer.details) {
    page.note("also", detail.what + ": " + detail.why);
    page.command("fix", detail.fix);
  }
}

void put(Page& page, const Finding& finding) {
  page.check(finding);
  const bool is_wrong = finding.answer.status == Status::warn || finding.answer.status == Status::fail;
  if (is_wrong) {
    page.note("cause", finding.answer.cause);
    page.command("fix", finding.answer.fix);
  }
  put_details(page, finding);
  if (is_wrong) page.command("see", "docs/troubleshooting.md#" + finding.doc);
}

std::size_t count(const std::vector<Finding>& findings, Status status) {
  return static_cast<std::size_t>(std::ranges::count_if(findings, [&](const Finding& finding) { return finding.answer.status == status; }));
}

std::string verdict(const std::vector<Finding>& findings) {
  std::vector<std::string> failed;
  for (const Finding& finding : findings) {
    if (finding.need == Need::required && finding.answer.status == Status::fail) failed.push_back(finding.id);
  }
  const std::size_t warnings = count(findings, Status::warn), failures = count(findings, Status::fail);
  const std::string others = fmt::format("{} not fine, {} worth a look", failures, warnings);
  if (!failed.empty()) return fmt::format("Not ready: {} ({}).", join(failed, ", "), others);
  return failures + warnings == 0 ? "Ready: everything is fine." : fmt::format("Ready ({}).", others);
}

}  // namespace

std::string in_words(const std::vector<Finding>& findings, const Facts& facts, const PageStyle& style) {
  Page page(style);
  const std::string& distribution = facts.settings.distribution.name;
  page.line(fmt::format("paddock {} on {}", facts.install.version, distribution.empty() ? "an unknown distribution" : distribution));
  std::string_view group;
  for (const Finding& finding : findings) {
    if (finding.group != group) page.heading(group = finding.group);
    put(page, finding);
  }
  page.heading(verdict(findings));
  return std::move(page).take();
}

}  // namespace paddock::doctor
