#include "cli/arguments.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/text.h"

namespace paddock {

bool Arguments::has(std::string_view name) const { return std::ranges::find(own, name, &FlagUse::spelled) != own.end(); }

std::string Arguments::value_of(std::string_view name) const {
  std::string value;
  for (const FlagUse& use : own) {
    if (use.spelled == name) value = use.value.value_or("");
  }
  return value;
}

namespace {

class Parser {
 public:
  Parser(const std::vector<std::string>& words, std::span<const OptionRow> own, bool takes_sandbox_flags, Rest rest)
      : words_(words), own_(own), takes_sandbox_flags_(takes_sandbox_flags), rest_(rest) {}

  Result<Arguments> parse() {
    while (at_ < words_.size()) {
      const std::string& word = words_[at_];
      if (word == "--") {
        ++at_;
        take_rest();
        break;
      }
      if (word.size() < 2 || word.front() != '-') {
        if (rest_ == Rest::command) {
          take_rest();
          break;
        }
        out_.rest.push_back(word);
        ++at_;
        continue;
      }
      TRY(take_option(word));
    }
    return std::move(out_);
  }

 private:
  void take_rest() {
    out_.rest.insert(out_.rest.end(), words_.begin() + static_cast<std::ptrdiff_t>(at_), words_.end());
    at_ = words_.size();
  }

  Result<void> take_option(const std::string& word) {
    const auto equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const std::string name = word.substr(0, equals);
    std::optional<std::string> value;
    if (equals != std::string::npos) value = word.substr(equals + 1);
    ++at_;
    if (const OptionRow* row = own_row(name)) {
      TRY(complete(name, row->value, value));
      out_.own.push_back({std::string(row->name), std::move(value)});
      return {};
    }
    const SandboxFlagRow* row = takes_sandbox_flags_ ? sandbox_flag_named(name) : nullptr;
    if (row == nullptr) return unknown(name);
    TRY(complete(name, row->value, value));
    out_.sandbox.push_back({name, std::move(value)});
    return {};
  }

  const OptionRow* own_row(std::string_view name) const {
    const auto found = std::ranges::find_if(own_, [&](const OptionRow& row) { return row.name == name || (!row.short_name.empty() && row.short_name == name); });
    return found == own_.end() ? nullptr : &*found;
  }

  Result<void> complete(const std::string& name, FlagValue wanted, std::optional<std::string>& value) {
    if (wanted == FlagValue::none && value) return error(ErrorCode::usage, fmt::format("{} takes no value", name), fmt::format("write {} alone", name));
    if (wanted == FlagValue::optional && !value && at_ < words_.size() && is_sandbox_type(words_[at_])) value = words_[at_++];
    if (wanted != FlagValue::required || value) return {};
    if (at_ == words_.size()) return error(ErrorCode::usage, fmt::format("{} needs a value", name), fmt::format("write {}=VALUE", name));
    value = words_[at_++];
    return {};
  }

  Error unknown(const std::string& name) const {
    std::vector<std::string> known;
    for (const OptionRow& row : own_) known.emplace_back(row.name);
    if (takes_sandbox_flags_) {
      for (const SandboxFlagRow& row : sandbox_flags()) {
        known.emplace_back(row.name);
        for (const std::string_view alias : row.aliases) known.emplace_back(alias);
      }
    }
    auto near = nearest(name, known);
    // "--netwrk" is far from "--net" in letters, and still begins with it.
    const auto begun = std::ranges::find_if(known, [&](const std::string& option) { return option.size() > 4 && name.starts_with(option); });
    if (!near && begun != known.end()) near = *begun;
    return error(ErrorCode::usage, fmt::format("unknown option {}", visible(name)), near ? fmt::format("did you mean {}?", *near) : "see --help");
  }

  const std::vector<std::string>& words_;
  std::span<const OptionRow> own_;
  bool takes_sandbox_flags_;
  Rest rest_;
  std::size_t at_ = 0;
  Arguments out_;
};

}  // namespace

Result<Arguments> parse_arguments(const std::vector<std::string>& words, std::span<const OptionRow> own, bool takes_sandbox_flags, Rest rest) {
  return Parser(words, own, takes_sandbox_flags, rest).parse();
}

}  // namespace paddock
