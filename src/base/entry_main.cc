// Where `paddock` begins, before the C library: a start touches most of the program, its data and the top
// of the stack, and a page fault for each page costs ten times what it costs to ask for all of them at once.
// Runs before the program is relocated: no call of anything, no constant that holds an address.
#include <elf.h>
#include <linux/mman.h>

#include "sys/syscall.h"

extern "C" [[gnu::visibility("hidden")]] const Elf64_Ehdr __ehdr_start;  // the linker's

namespace {

// Without effect on an older kernel (before 5.14) and where pages are larger; then they come by faults.
void populate(unsigned long from, unsigned long to, int advice) {
  constexpr unsigned long page_bytes = 4096;
  from &= ~(page_bytes - 1);
  paddock::sys::call(__NR_madvise, from, to - from, advice);
}

}  // namespace

extern "C" [[gnu::visibility("hidden"), gnu::used]] void paddock_prepare_memory(unsigned long stack_pointer) {
  const auto base = reinterpret_cast<unsigned long>(&__ehdr_start);
  const auto* segment = reinterpret_cast<const Elf64_Phdr*>(base + __ehdr_start.e_phoff);
  for (const auto* end = segment + __ehdr_start.e_phnum; segment != end; ++segment) {
    if (segment->p_type != PT_LOAD) continue;
    const unsigned long at = base + segment->p_vaddr;
    populate(at, at + segment->p_memsz, (segment->p_flags & PF_W) != 0 ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
  }
  // Of the 128 KiB that a new program's stack has (setup_arg_pages() in the kernel's fs/exec.c).
  constexpr unsigned long stack_bytes = 64 << 10;
  populate(stack_pointer - stack_bytes, stack_pointer, MADV_POPULATE_WRITE);
}

// The registers that the C library's own entry reads, and the stack, are as they were.
#if defined(__x86_64__)
__asm__(R"(
	.globl paddock_entry
	.hidden paddock_entry
	.type paddock_entry, @function
paddock_entry:
	xor %ebp, %ebp
	mov %rdx, %rbx
	mov %rsp, %rdi
	call paddock_prepare_memory
	mov %rbx, %rdx
	jmp _start
	.size paddock_entry, .-paddock_entry
)");
#elif defined(__aarch64__)
__asm__(R"(
	.globl paddock_entry
	.hidden paddock_entry
	.type paddock_entry, %function
paddock_entry:
	mov x19, x0
	mov x0, sp
	bl paddock_prepare_memory
	mov x0, x19
	b _start
	.size paddock_entry, .-paddock_entry
)");
#endif
