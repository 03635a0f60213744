#include "protocol/brief.h"

namespace paddock::protocol {
namespace {

bool holds(U64 bytes, Part part, U64 element, U64 alignment) {
  return part.offset % alignment == 0 && part.offset <= bytes && part.count <= (bytes - part.offset) / element;
}

bool holds_text(const void* mapped, U64 bytes, Part part) {
  // One more byte than its count: the NUL.
  if (part.offset >= bytes || part.count >= bytes - part.offset) return false;
  const char* at = text(mapped, part);
  for (U32 i = 0; i < part.count; ++i) {
    if (at[i] == '\0') return false;
  }
  return at[part.count] == '\0';
}

// A table of offsets of NUL-terminated texts, the last entry 0.
bool holds_texts(const void* mapped, U64 bytes, Part part) {
  if (part.count == 0 || !holds(bytes, part, sizeof(U64), alignof(U64))) return false;
  const U64* offsets = table<U64>(mapped, part);
  const char* start = static_cast<const char*>(mapped);
  for (U32 i = 0; i + 1 < part.count; ++i) {
    // The file ends in NUL (see opens), so every text inside it ends too.
    if (offsets[i] == 0 || offsets[i] >= bytes) return false;
  }
  return offsets[part.count - 1] == 0 && start[bytes - 1] == '\0';
}

template <typename T>
const T* opens(const void* mapped, U64 bytes, U32 magic) {
  if (mapped == nullptr || bytes < sizeof(T) || bytes > brief_bytes_max) return nullptr;
  const T* head = static_cast<const T*>(mapped);
  if (head->magic != magic || head->layout != version || head->bytes != bytes) return nullptr;
  return static_cast<const char*>(mapped)[bytes - 1] == '\0' ? head : nullptr;
}

}  // namespace

const Brief* open_brief(const void* mapped, U64 bytes) {
  const Brief* brief = opens<Brief>(mapped, bytes, brief_magic);
  if (brief == nullptr || !holds(bytes, brief->checks, sizeof(Check), alignof(Check)) ||
      !holds(bytes, brief->grants, sizeof(Grant), alignof(Grant)) ||
      !holds(bytes, brief->filter, sizeof(sock_filter), alignof(sock_filter))) {
    return nullptr;
  }
  for (U32 i = 0; i < brief->checks.count; ++i) {
    if (!holds_text(mapped, bytes, table<Check>(mapped, brief->checks)[i].path)) return nullptr;
  }
  for (U32 i = 0; i < brief->grants.count; ++i) {
    if (!holds_text(mapped, bytes, table<Grant>(mapped, brief->grants)[i].path)) return nullptr;
  }
  return brief;
}

const Command* open_command(const void* mapped, U64 bytes) {
  const Command* command = opens<Command>(mapped, bytes, command_magic);
  if (command == nullptr || command->argv.count < 2 || !holds_texts(mapped, bytes, command->argv) ||
      !holds_texts(mapped, bytes, command->environment) ||
      !holds_text(mapped, bytes, command->directory) || !holds_text(mapped, bytes, command->search_path)) {
    return nullptr;
  }
  return command;
}

}  // namespace paddock::protocol
