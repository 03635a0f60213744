// The heap of `paddock`: a start makes and drops thousands of small objects. They come from one block of the
// program's own data, which is there with the program (base/entry_main.cc), by size from lists of free ones;
// what is larger, and what comes when the block is full, is the C library's. For one thread.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t step = 16;            // small sizes are rounded up to it; also the alignment
constexpr std::size_t small_max = 1024;
constexpr std::size_t medium_max = 32 << 10;  // above the small ones in powers of two
constexpr std::size_t block_bytes = 256 << 10;

struct Free {
  Free* next;
};

struct SizeClass {
  std::size_t index;
  std::size_t bytes;
};

constexpr SizeClass class_of(std::size_t bytes) {
  if (bytes <= small_max) {
    const std::size_t steps = bytes == 0 ? 1 : (bytes + step - 1) / step;
    return {steps, steps * step};
  }
  const auto width = static_cast<std::size_t>(std::bit_width(bytes - 1));
  return {small_max / step + width - 10, std::size_t{1} << width};
}

alignas(step) char block[block_bytes];
std::size_t used = 0;
Free* lists[class_of(medium_max).index + 1];

bool is_ours(const void* at) { return reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(block) < block_bytes; }

[[gnu::noinline, gnu::cold]] void* from_library(std::size_t bytes) {
  if (void* got = std::malloc(bytes)) return got;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) {
  if (bytes > medium_max) return from_library(bytes);
  const SizeClass size = class_of(bytes);
  if (Free* first = lists[size.index]) {
    lists[size.index] = first->next;
    return first;
  }
  if (block_bytes - used < size.bytes) return from_library(bytes);
  char* got = block + used;
  used += size.bytes;
  return got;
}

void operator delete(void* at, std::size_t bytes) noexcept {
  if (!is_ours(at)) return std::free(at);
  const std::size_t index = class_of(bytes).index;
  auto* freed = static_cast<Free*>(at);
  freed->next = lists[index];
  lists[index] = freed;
}

// Of unknown size: one of the block's is not used again.
void operator delete(void* at) noexcept {
  if (!is_ours(at)) std::free(at);
}
