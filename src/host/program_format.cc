#include "host/program_format.h"

#include <elf.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "base/fd.h"
#include "base/text.h"

namespace paddock {
namespace {

constexpr std::size_t script_line_bytes_max = 256;  // BINPRM_BUF_SIZE, linux/binfmts.h
constexpr std::size_t start_bytes = 4096;
constexpr std::size_t headers_max = 128;

#if defined(__x86_64__)
constexpr unsigned own_machine = EM_X86_64;
constexpr unsigned other_machine = EM_386;  // which the same kernel runs
#else
constexpr unsigned own_machine = EM_AARCH64;
constexpr unsigned other_machine = EM_ARM;
#endif

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_X86_64: return "x86_64";
    case EM_386: return "i386";
    case EM_AARCH64: return "aarch64";
    case EM_ARM: return "arm";
    case EM_RISCV: return "riscv";
    case EM_PPC64: return "ppc64";
    case EM_S390: return "s390x";
    default: return "machine " + std::to_string(machine);
  }
}

std::string read_at(int fd, std::size_t bytes, std::uint64_t offset) {
  std::string text(bytes, '\0');
  const ssize_t n = ::pread(fd, text.data(), bytes, static_cast<off_t>(offset));
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

// Mostly it lies in what has been read of the file already.
std::string part_of(int fd, std::string_view start, std::size_t bytes, std::uint64_t offset) {
  if (offset <= start.size() && bytes <= start.size() - offset) return std::string(start.substr(offset, bytes));
  return read_at(fd, bytes, offset);
}

// The interpreter among the program headers of either width.
template <typename Header, typename Segment>
void read_segments(int fd, std::string_view start, ProgramFormat& format) {
  Header header;
  if (start.size() < sizeof header) return;
  std::memcpy(&header, start.data(), sizeof header);
  if (header.e_machine != own_machine && header.e_machine != other_machine) {
    format.foreign = machine_name(header.e_machine);
  }
  if (header.e_phentsize != sizeof(Segment) || header.e_phnum > headers_max) return;
  const std::string table = part_of(fd, start, header.e_phnum * sizeof(Segment), header.e_phoff);
  for (std::size_t at = 0; at + sizeof(Segment) <= table.size(); at += sizeof(Segment)) {
    Segment segment;
    std::memcpy(&segment, table.data() + at, sizeof segment);
    if (segment.p_type != PT_INTERP || segment.p_filesz == 0 || segment.p_filesz > PATH_MAX) continue;
    format.interpreter = part_of(fd, start, segment.p_filesz, segment.p_offset);
    format.interpreter.resize(std::strlen(format.interpreter.c_str()));
    return;
  }
}

bool is_assignment(std::string_view word) { return word.find('=') != std::string_view::npos && word.front() != '='; }

}  // namespace

ProgramFormat parse_script_line(std::string_view start) {
  ProgramFormat format;
  if (!start.starts_with("#!")) return format;
  format.kind = ProgramKind::script;
  std::string_view line = start.substr(2, script_line_bytes_max - 2);
  line = line.substr(0, line.find('\n'));
  line = line.substr(0, line.find('\0'));
  constexpr std::string_view blank = " \t";  // all that the kernel skips: a CR is a part of the name
  const auto first = line.find_first_not_of(blank);
  if (first == std::string_view::npos) return format;
  line = line.substr(first, line.find_last_not_of(blank) - first + 1);
  format.carriage_return = line.ends_with('\r');
  const auto end = line.find_first_of(blank);
  format.interpreter = line.substr(0, end);
  if (end != std::string_view::npos) format.argument = line.substr(line.find_first_not_of(blank, end));
  return format;
}

ProgramFormat read_program_format(const std::string& path) {
  ProgramFormat format;
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!fd.valid()) {
    format.kind = ProgramKind::unreadable;
    return format;
  }
  const std::string start = read_at(fd.get(), start_bytes, 0);
  if (!start.starts_with(std::string_view(ELFMAG, SELFMAG)) || start.size() < EI_NIDENT) return parse_script_line(start);
  format.kind = ProgramKind::elf;
  if (start[EI_DATA] != ELFDATA2LSB) {
    format.foreign = "a big-endian machine";
  } else if (start[EI_CLASS] == ELFCLASS64) {
    read_segments<Elf64_Ehdr, Elf64_Phdr>(fd.get(), start, format);
  } else {
    read_segments<Elf32_Ehdr, Elf32_Phdr>(fd.get(), start, format);
  }
  return format;
}

std::string program_of_wrapper(const std::string& path, std::string_view interpreter) {
  const auto name = interpreter.substr(interpreter.rfind('/') + 1);
  if (name != "sh" && name != "bash" && name != "dash") return {};
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  const std::string start = fd.valid() ? read_at(fd.get(), start_bytes, 0) : std::string();
  const bool is_wrapper = start.find("basedir=") != std::string::npos && start.find(" exec node ") != std::string::npos;
  return is_wrapper ? "node" : "";
}

std::string program_of_env(std::string_view argument) {
  std::vector<std::string> words;
  if (argument.starts_with("-") && argument.find('S') != std::string_view::npos) {
    for (const std::string& word : split(argument, ' ')) {
      if (!trim(word).empty()) words.emplace_back(trim(word));
    }
  } else if (argument.starts_with("--split-string=")) {
    return program_of_env("-S " + std::string(argument.substr(std::string_view("--split-string=").size())));
  } else {
    return std::string(argument);  // one word to env, with whatever is in it
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    if (const auto split_flag = word.find('S'); i == 0 && split_flag != std::string_view::npos) {
      word.remove_prefix(split_flag + 1);  // "-S", "-vS", and "-Snode" with the name behind it
      if (word.empty()) continue;
    } else if (word == "-u" || word == "-C" || word == "--unset" || word == "--chdir") {
      ++i;
      continue;
    }
    if (word.starts_with('-') || is_assignment(word)) continue;
    return std::string(word);
  }
  return {};
}

}  // namespace paddock
