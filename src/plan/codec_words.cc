#include "plan/codec_words.h"

namespace paddock {
namespace {

constexpr Word<MountKind> mount_kinds[] = {
    {MountKind::bind, "bind"},           {MountKind::temporary, "temporary"}, {MountKind::processes, "processes"},
    {MountKind::devices, "devices"},     {MountKind::link, "link"},           {MountKind::directory, "directory"},
    {MountKind::data, "data"},           {MountKind::mask_directory, "mask_directory"}, {MountKind::mask_file, "mask_file"},
};

constexpr Word<MountAccess> mount_accesses[] = {{MountAccess::read_only, "ro"}, {MountAccess::read_write, "rw"}};

constexpr Word<SeenAs> seen_as_words[] = {{SeenAs::owner, "owner"}, {SeenAs::others, "others"}};

constexpr Word<ValueSource> value_sources[] = {{ValueSource::literal, "literal"}, {ValueSource::host, "host"}, {ValueSource::given, "given"}};

constexpr Word<GitKind> git_kinds[] = {
    {GitKind::none, "none"},           {GitKind::directory, "directory"},               {GitKind::linked_worktree, "linked_worktree"},
    {GitKind::submodule, "submodule"}, {GitKind::linked_directory, "linked_directory"}, {GitKind::broken, "broken"},
};

constexpr Word<OriginKind> origin_kinds[] = {
    {OriginKind::built_in, "built_in"},       {OriginKind::profile, "profile"},
    {OriginKind::ceiling, "ceiling"},         {OriginKind::user_config, "user_config"},
    {OriginKind::project_config, "project_config"}, {OriginKind::repository_config, "repository_config"},
    {OriginKind::flag, "flag"},               {OriginKind::harness, "harness"},
    {OriginKind::derived, "derived"},
};

}  // namespace

template <>
std::span<const Word<MountKind>> words_of<MountKind>() { return mount_kinds; }
template <>
std::span<const Word<MountAccess>> words_of<MountAccess>() { return mount_accesses; }
template <>
std::span<const Word<SeenAs>> words_of<SeenAs>() { return seen_as_words; }
template <>
std::span<const Word<ValueSource>> words_of<ValueSource>() { return value_sources; }
template <>
std::span<const Word<GitKind>> words_of<GitKind>() { return git_kinds; }
template <>
std::span<const Word<OriginKind>> words_of<OriginKind>() { return origin_kinds; }

}  // namespace paddock
