// One system call, by number, without libc: for programs that are linked without any library, and
// for calls that the C library does not wrap. Returns the kernel's value: -4095..-1 is -errno
// (man 2 syscall, "Architecture calling conventions").
#pragma once

#include <asm/unistd.h>

namespace paddock::sys {

using Word = long;

#if defined(__x86_64__)
inline Word syscall6(Word number, Word a, Word b, Word c, Word d, Word e, Word f) {
  Word result;
  register Word r10 __asm__("r10") = d;
  register Word r8 __asm__("r8") = e;
  register Word r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
inline Word syscall6(Word number, Word a, Word b, Word c, Word d, Word e, Word f) {
  register Word x8 __asm__("x8") = number;
  register Word x0 __asm__("x0") = a;
  register Word x1 __asm__("x1") = b;
  register Word x2 __asm__("x2") = c;
  register Word x3 __asm__("x3") = d;
  register Word x4 __asm__("x4") = e;
  register Word x5 __asm__("x5") = f;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}
#else
#error "paddock knows the system call convention of x86_64 and aarch64 only"
#endif

// Pointers and integers of any width become words; unused arguments are 0.
template <typename T>
Word word(T value) {
  return (Word)value;  // a pointer or an integer: both casts are wanted here, in one form
}

template <typename... Args>
Word call(Word number, Args... args) {
  const Word words[6] = {word(args)...};
  return syscall6(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

}  // namespace paddock::sys
