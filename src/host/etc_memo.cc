#include "host/etc_memo.h"

#include <fcntl.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include <fmt/core.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"

namespace paddock {
namespace {

constexpr std::size_t memo_bytes_max = 256 << 10;
constexpr std::int64_t settled_s = 3;  // the coarsest file times are even seconds (vfat)

// The file: "REQUEST VIEW SOURCES\n", then one of these for each source, with its name and a NUL behind it.
struct Record {
  std::uint64_t device, inode;
  std::int64_t bytes, changed_s, changed_ns, written_s, written_ns;
  std::uint32_t mode, name_bytes;
  friend bool operator==(const Record&, const Record&) = default;
};

Record record_of(const struct stat& status, std::size_t name_bytes) {
  // Of a directory the names matter, which its times tell; its size is the file system's own affair.
  const std::int64_t bytes = S_ISDIR(status.st_mode) ? 0 : status.st_size;
  return {status.st_dev, status.st_ino, bytes, status.st_ctim.tv_sec, status.st_ctim.tv_nsec, status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_mode, static_cast<std::uint32_t>(name_bytes)};
}

bool is_as_it_was(int etc, const Record& record, const char* name) {
  struct stat status {};
  return ::fstatat(etc, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && record_of(status, record.name_bytes) == record;
}

}  // namespace

std::optional<std::string> recall_etc_view(const std::string& memo, const std::string& request, const std::string& etc) {
  const auto text = read_file_if_any(memo, memo_bytes_max);
  if (!text || !*text) return std::nullopt;
  std::string_view rest = **text;
  const auto line = rest.find('\n');
  if (line == std::string_view::npos) return std::nullopt;
  const std::vector<std::string> words = split(rest.substr(0, line), ' ');
  if (words.size() != 3 || words[0] != request || words[1].empty() || words[1].find('/') != std::string::npos) return std::nullopt;
  rest.remove_prefix(line + 1);
  const Fd at(::open(etc.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  const auto count = parse_unsigned(words[2]);
  if (!at.valid() || !count || *count == 0) return std::nullopt;
  for (std::uint64_t i = 0; i < *count; ++i) {
    Record record;
    if (rest.size() < sizeof record) return std::nullopt;
    std::memcpy(&record, rest.data(), sizeof record);
    rest.remove_prefix(sizeof record);
    if (rest.size() <= record.name_bytes || rest[record.name_bytes] != '\0') return std::nullopt;
    if (!is_as_it_was(at.get(), record, rest.data())) return std::nullopt;
    rest.remove_prefix(record.name_bytes + 1);
  }
  return words[1];
}

void remember_etc_view(const std::string& memo, const std::string& request, const std::string& view,
                       const std::vector<EtcSource>& sources, std::int64_t now) {
  std::string text = fmt::format("{} {} {}\n", request, view, sources.size());
  for (const EtcSource& source : sources) {
    if (std::max<std::int64_t>(source.status.st_ctim.tv_sec, source.status.st_mtim.tv_sec) > now - settled_s) return;
    const Record record = record_of(source.status, source.name.size());
    text.append(reinterpret_cast<const char*>(&record), sizeof record);
    text.append(source.name).push_back('\0');
  }
  if (text.size() <= memo_bytes_max) (void)write_file(memo, text).ok();
}

}  // namespace paddock
