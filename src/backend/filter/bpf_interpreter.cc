#include "backend/filter/bpf_interpreter.h"

#include <cstddef>
#include <cstring>

namespace paddock {
namespace {

// Words at multiples of four within seccomp_data: all that the kernel lets a filter load.
std::optional<std::uint32_t> load_word(const seccomp_data& call, std::uint32_t offset) {
  if (offset % 4 != 0 || offset > sizeof(call) - 4) return std::nullopt;
  std::uint32_t word = 0;
  std::memcpy(&word, reinterpret_cast<const unsigned char*>(&call) + offset, sizeof(word));
  return word;
}

// How many instructions to skip.
std::optional<std::size_t> jump(const sock_filter& word, std::uint32_t accumulator) {
  bool taken = false;
  switch (word.code) {
    case BPF_JMP | BPF_JA: return word.k;
    case BPF_JMP | BPF_JEQ | BPF_K: taken = accumulator == word.k; break;
    case BPF_JMP | BPF_JGT | BPF_K: taken = accumulator > word.k; break;
    case BPF_JMP | BPF_JGE | BPF_K: taken = accumulator >= word.k; break;
    case BPF_JMP | BPF_JSET | BPF_K: taken = (accumulator & word.k) != 0; break;
    default: return std::nullopt;
  }
  return taken ? word.jt : word.jf;
}

}  // namespace

std::optional<std::uint32_t> run_filter(std::span<const sock_filter> program, const seccomp_data& call) {
  std::uint32_t accumulator = 0;
  for (std::size_t at = 0; at < program.size(); ++at) {
    const sock_filter& word = program[at];
    if (word.code == (BPF_RET | BPF_K)) return word.k;
    if (word.code == (BPF_ALU | BPF_AND | BPF_K)) {
      accumulator &= word.k;
    } else if (word.code == (BPF_LD | BPF_W | BPF_ABS)) {
      const std::optional<std::uint32_t> loaded = load_word(call, word.k);
      if (!loaded) return std::nullopt;
      accumulator = *loaded;
    } else {
      const std::optional<std::size_t> skipped = jump(word, accumulator);
      if (!skipped) return std::nullopt;
      at += *skipped;
    }
  }
  return std::nullopt;
}

}  // namespace paddock
