#include <spawn.h>
#include <sys/resource.h>
#include <sys/types.h>

// Functions that glibc's headers declare only for programs with `_GNU_SOURCE`.

int pipe2(int ends[2], int flags);
int memfd_create(const char *name, unsigned int flags);
int prlimit(pid_t pid, int resource, const struct rlimit *new_limit, struct rlimit *old_limit);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *folder);

static const int calotype_data_limit = RLIMIT_DATA;
static const int calotype_processor_limit = RLIMIT_CPU;
static const int calotype_address_limit = RLIMIT_AS;
static const int calotype_core_limit = RLIMIT_CORE;
static const int calotype_descriptor_limit = RLIMIT_NOFILE;
static const int calotype_file_size_limit = RLIMIT_FSIZE;
static const unsigned int calotype_memfd_cloexec = 1;
static const short calotype_spawn_session = 0x80; // POSIX_SPAWN_SETSID
static const int calotype_pipe_size = 1031; // F_SETPIPE_SZ
static const unsigned int calotype_memfd_sealable = 2;
/// `F_ADD_SEALS`, and the seals against writing, growing, shrinking and further seals.
static const int calotype_add_seals = 1033;
static const int calotype_all_seals = 0xF;

#include <stdint.h>
#include <sys/mman.h>

/// Asks for pages of 2 MB. For a large picture, the kernel takes as long to provide small pages as
/// to copy the picture.
static inline void calotype_take_large_pages(void *bytes, size_t count) {
  const uintptr_t page = 2 << 20, start = ((uintptr_t)bytes + page - 1) / page * page;
  const uintptr_t end = ((uintptr_t)bytes + count) / page * page;
  if (bytes && end > start + page) madvise((void *)start, end - start, 14 /* MADV_HUGEPAGE */);
}
