#include "protocol/brief_writer.h"

#include <algorithm>
#include <cstring>

namespace paddock::protocol {
namespace {

// A file that grows: the head first, then parts, each aligned to eight bytes.
class Writer {
 public:
  explicit Writer(std::size_t head_bytes) : bytes_(head_bytes, '\0') {}

  Part text(std::string_view value) {
    const std::string_view whole = value.substr(0, value.find('\0'));
    const Part part{static_cast<U32>(bytes_.size()), static_cast<U32>(whole.size())};
    bytes_.append(whole).push_back('\0');
    return part;
  }

  template <typename T>
  Part table(std::span<const T> rows) {
    bytes_.resize((bytes_.size() + 7) / 8 * 8, '\0');
    const Part part{static_cast<U32>(bytes_.size()), static_cast<U32>(rows.size())};
    bytes_.append(reinterpret_cast<const char*>(rows.data()), rows.size_bytes());
    return part;
  }

  Part texts(const std::vector<std::string>& values) {
    std::vector<U64> offsets;
    for (const std::string& value : values) offsets.push_back(text(value).offset);
    offsets.push_back(0);
    return table(std::span<const U64>(offsets));
  }

  template <typename Head>
  std::string finish(Head head) && {
    bytes_.push_back('\0');
    head.bytes = bytes_.size();
    std::memcpy(bytes_.data(), &head, sizeof head);
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

}  // namespace

std::string write_brief(const BriefInput& input) {
  Writer writer(sizeof(Brief));
  std::vector<Check> checks;
  for (const CheckRow& row : input.checks) {
    checks.push_back({writer.text(row.path), row.device, row.inode, row.flags, row.mount});
  }
  std::vector<Grant> grants;
  for (const GrantRow& row : input.grants) grants.push_back({writer.text(row.path), row.access, 0});
  Brief brief;
  brief.flags = input.flags;
  brief.checks = writer.table(std::span<const Check>(checks));
  brief.grants = writer.table(std::span<const Grant>(grants));
  brief.filter = writer.table(input.filter);
  brief.processes_max = input.processes_max;
  brief.open_files_soft = input.open_files_soft;
  brief.open_files_hard = input.open_files_hard;
  std::ranges::copy(input.outer_namespaces, brief.outer_namespaces);
  return std::move(writer).finish(brief);
}

std::string write_command(const CommandInput& input) {
  Writer writer(sizeof(Command));
  Command command;
  command.flags = input.flags;
  command.argv = writer.texts(input.argv);
  command.environment = writer.texts(input.environment);
  command.directory = writer.text(input.directory);
  command.search_path = writer.text(input.search_path);
  command.rows = input.rows;
  command.columns = input.columns;
  return std::move(writer).finish(command);
}

}  // namespace paddock::protocol
