// paddock-warden: pid 1 of every sandbox. Linked without any library (a C library's start would
// cost eight times as much as everything that this program does).
#include "sys/calls.h"
#include "warden/serve.h"

namespace {

bool is_version_option(const char* word) {
  const char* wanted = "--version";
  while (*word != '\0' && *word == *wanted) ++word, ++wanted;
  return *word == *wanted;
}

// For `paddock doctor`: this program and the one that starts it belong together.
int say_version() {
  constexpr char text[] = "paddock-warden " PADDOCK_VERSION "\n";
  return paddock::sys::write(1, text, sizeof text - 1) == sizeof text - 1 ? 0 : 1;
}

}  // namespace

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

// `start` is the stack as the kernel gives it: the count of arguments, then the arguments.
[[noreturn]] void paddock_warden_entry(const unsigned long* start) {
  const bool is_question = start[0] == 2 && is_version_option(reinterpret_cast<const char*>(start[2]));
  paddock::sys::exit_group(is_question ? say_version() : paddock::warden::serve());
}
}

#if defined(__x86_64__)
__asm__(".globl _start\n_start:\n\txor %ebp, %ebp\n\tmov %rsp, %rdi\n\tand $-16, %rsp\n\tcall paddock_warden_entry\n");
#else
__asm__(".globl _start\n_start:\n\tmov x29, #0\n\tmov x30, #0\n\tmov x0, sp\n\tb paddock_warden_entry\n");
#endif
