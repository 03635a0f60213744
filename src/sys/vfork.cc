#include "sys/calls.h"

namespace paddock::sys {

// CLONE_VM | CLONE_VFORK | SIGCHLD (linux/sched.h)
constexpr unsigned long vfork_flags = 0x100 | 0x4000 | signal_child;

Word vfork_on(void* stack_top, void (*step)(void*), void* argument) {
  void** top = static_cast<void**>(stack_top) - 2;
  top[0] = reinterpret_cast<void*>(step);
  top[1] = argument;
#if defined(__x86_64__)
  Word result;
  register Word r10 __asm__("r10") = 0;
  register Word r8 __asm__("r8") = 0;
  __asm__ volatile(
      "syscall\n\t"
      "test %%rax, %%rax\n\t"
      "jnz 1f\n\t"
      "xor %%ebp, %%ebp\n\t"
      "pop %%rax\n\t"
      "pop %%rdi\n\t"
      "call *%%rax\n\t"
      "ud2\n"
      "1:"
      : "=a"(result)
      : "a"((Word)__NR_clone), "D"(vfork_flags), "S"(top), "d"(0L), "r"(r10), "r"(r8)
      : "rcx", "r11", "memory");
  return result;
#else
  register Word x8 __asm__("x8") = __NR_clone;
  register Word x0 __asm__("x0") = (Word)vfork_flags;
  register Word x1 __asm__("x1") = (Word)top;
  register Word x2 __asm__("x2") = 0;
  register Word x3 __asm__("x3") = 0;
  register Word x4 __asm__("x4") = 0;
  __asm__ volatile(
      "svc 0\n\t"
      "cbnz x0, 1f\n\t"
      "ldp x9, x0, [sp], #16\n\t"
      "blr x9\n\t"
      "brk #1\n"
      "1:"
      : "+r"(x0)
      : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
      : "x9", "memory");
  return x0;
#endif
}

}  // namespace paddock::sys
