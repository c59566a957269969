#ifndef CALOTYPE_CONFINEMENT_H
#define CALOTYPE_CONFINEMENT_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Calls that restrict a process before it reads an untrusted file: the system's constants, and its
// variadic functions with fixed arguments.

/// Returns the kernel's number of this processor's architecture; 0 if no filter is known for it.
static inline uint32_t calotype_architecture(void) {
#if defined(__x86_64__)
  return AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  return AUDIT_ARCH_AARCH64;
#else
  return 0;
#endif
}

static inline int calotype_give_up_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
static inline int calotype_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, 9 /* SIGKILL */, 0, 0, 0); }

/// Tries to trace the parent. A test checks that a worker can't.
static inline long calotype_trace_parent(void) { return syscall(SYS_ptrace, 16 /* PTRACE_ATTACH */, getppid(), 0, 0); }

/// Installs a filter for all threads of the process, or fails for all.
static inline long calotype_install_filter(const struct sock_fprog *program) {
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, program);
}

static inline long calotype_close_from(unsigned int first) { return syscall(SYS_close_range, first, ~0U, 0); }

/// `O_PATH`, which refers to a file without opening it.
static const int calotype_path_only = 010000000;

// Landlock's system calls. Their numbers are the same on all architectures. Their structures grow
// only at the end.

struct calotype_landlock_rules {
  uint64_t files, network, scopes;
};

struct calotype_landlock_path {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

static inline long calotype_landlock_version(void) { return syscall(444, NULL, (size_t)0, 1U); }

static inline long calotype_landlock_create(const struct calotype_landlock_rules *rules, size_t count) {
  return syscall(444, rules, count, 0U);
}

static inline long calotype_landlock_allow(int rules, const struct calotype_landlock_path *path) {
  return syscall(445, rules, 1, path, 0U);
}

static inline long calotype_landlock_restrict(int rules) { return syscall(446, rules, 0U); }

#endif
