// paddock-warden: pid 1 of every sandbox. Linked without any library (a C library's start would
// cost eight times as much as everything that this program does).
#include "sys/calls.h"
#include "warden/serve.h"

// The compiler may call these even in freestanding code.
extern "C" {
void* memcpy(void* to, const void* from, unsigned long n) {
  char* out = static_cast<char*>(to);
  const char* in = static_cast<const char*>(from);
  while (n-- != 0) *out++ = *in++;
  return to;
}
void* memset(void* to, int value, unsigned long n) {
  char* out = static_cast<char*>(to);
  while (n-- != 0) *out++ = static_cast<char>(value);
  return to;
}
void* memmove(void* to, const void* from, unsigned long n) {
  char* out = static_cast<char*>(to);
  const char* in = static_cast<const char*>(from);
  if (out < in) return memcpy(to, from, n);
  while (n-- != 0) out[n] = in[n];
  return to;
}

[[noreturn]] void paddock_warden_entry() { paddock::sys::exit_group(paddock::warden::serve()); }
}

#if defined(__x86_64__)
__asm__(".globl _start\n_start:\n\txor %ebp, %ebp\n\tand $-16, %rsp\n\tcall paddock_warden_entry\n");
#else
__asm__(".globl _start\n_start:\n\tmov x29, #0\n\tmov x30, #0\n\tb paddock_warden_entry\n");
#endif
