import CProcess
import Foundation

/// The system calls that confined processes may make.
enum SystemCalls {
  typealias Rule = SystemCallFilter.Rule
  typealias Argument = SystemCallFilter.Argument

  /// The calls that decoding needs: for open descriptors, memory, threads and clocks. None of them
  /// opens a file or a socket, starts a process, or accesses another one.
  static var decoding: [Rule] {
    let descriptors = [
      SYS_read, SYS_pread64, SYS_readv, SYS_preadv, SYS_write, SYS_writev, SYS_lseek, SYS_close, SYS_recvmsg,
      SYS_sendmsg,
      SYS_recvfrom, SYS_sendto, SYS_ppoll,
    ]
    let memory = [SYS_brk, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise]
    let threads = [
      SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_membarrier, SYS_sched_yield, SYS_sched_getaffinity, SYS_gettid,
      SYS_getpid, SYS_getppid, SYS_exit, SYS_exit_group,
    ]
    let signals = [SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall]
    let clocks = [
      SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_nanosleep, SYS_clock_nanosleep, SYS_getrusage,
    ]
    let knowledge = [
      SYS_getrandom, SYS_sysinfo, SYS_uname, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getcpu,
    ]
    var all = descriptors + memory + threads + signals + clocks + knowledge
    #if arch(x86_64)
      all += [SYS_poll, SYS_time]
    #endif
    return all.map { .always(Int32($0)) } + [
      thread, newClone, abort,
      // Reading a limit of its own, but not setting one.
      .when(
        Int32(SYS_prlimit64),
        [Argument(index: 0, test: .equals(0)), Argument(index: 2, test: .equals(0))]),
    ]
  }

  /// The flags of a thread, rather than a process: `CLONE_VM | CLONE_SIGHAND | CLONE_THREAD`.
  private static let threadBits: UInt32 = 0x0000_0100 | 0x0000_0800 | 0x0001_0000
  private static let thread = Rule.when(
    Int32(SYS_clone), [Argument(index: 0, test: .hasBits(threadBits))])
  private static let process = Rule.when(
    Int32(SYS_clone), [Argument(index: 0, test: .lacksBits(threadBits))])
  /// Refused because its flags are in memory, which a filter can't read; glibc then uses `clone`.
  private static let newClone = Rule.missing(Int32(SYS_clone3))
  /// `abort()` signals its own thread. No other process may be signaled.
  private static var abort: Rule {
    .when(Int32(SYS_tgkill), [Argument(index: 0, test: .equals(UInt64(getpid())))])
  }

  // MARK: Programs

  /// The calls that a program that reads one movie (`ffmpeg`) may not make. They access the network
  /// or another process, start one, watch folders, or change the names, owners and permissions of
  /// files. The latter is for kernels without Landlock.
  ///
  /// All others are allowed: the program uses about two hundred libraries, and a missing call would
  /// break it.
  static var refusedToPrograms: [Rule] {
    var all = network + processes + files + system
    #if arch(x86_64)
      all += [SYS_fork, SYS_vfork] + filesByOldNames
    #endif
    return all.map { .always(Int32($0)) } + newCalls.map(Rule.always)
      + [newClone, process, otherRequests, sharedMaps] + callsForOtherProcesses
  }

  private static let network = [
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
  ]
  private static let processes = [
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo, SYS_pidfd_open, SYS_pidfd_send_signal, SYS_pidfd_getfd, SYS_kcmp, SYS_process_madvise,
    SYS_migrate_pages, SYS_move_pages, SYS_setpgid, SYS_setsid,
    // Both can affect all processes of a user at once.
    SYS_setpriority, SYS_ioprio_set,
  ]
  private static let files = [
    SYS_unlinkat, SYS_renameat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_mkdirat, SYS_mknodat, SYS_truncate,
    SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
    SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_name_to_handle_at, SYS_open_by_handle_at,
    // Landlock lets a process watch any folder, and go there.
    SYS_inotify_init1, SYS_inotify_add_watch, SYS_chdir, SYS_fchdir,
  ]
  /// `memfd_secret`, `process_mrelease`, `fchmodat2`, `setxattrat`, `removexattrat` and
  /// `file_setattr`, which older headers don't declare. Their numbers are the same on all
  /// architectures.
  private static let newCalls: [Int32] = [447, 448, 452, 463, 466, 469]
  private static let system = [
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns, SYS_unshare, SYS_bpf, SYS_perf_event_open,
    SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_io_uring_setup, SYS_io_uring_enter,
    SYS_io_uring_register, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot,
    SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex,
    SYS_clock_adjtime, SYS_personality, SYS_syslog, SYS_sethostname, SYS_setdomainname, SYS_fanotify_init,
    // Memory, queues and locks of other processes, whose identifiers can be guessed.
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_semget, SYS_semop,
    SYS_semtimedop, SYS_semctl, SYS_mq_open, SYS_mq_unlink,
    // Files in memory, which no resource limit counts.
    SYS_memfd_create,
  ]
  #if arch(x86_64)
    private static let filesByOldNames = [
      SYS_unlink, SYS_rename, SYS_link, SYS_symlink, SYS_mkdir, SYS_rmdir, SYS_mknod, SYS_chmod, SYS_chown, SYS_lchown,
      SYS_utime, SYS_utimes, SYS_futimesat, SYS_inotify_init,
    ]
  #endif

  /// Refuses calls that a program needs for itself if they refer to another process.
  private static var callsForOtherProcesses: [Rule] {
    let myself = UInt64(getpid())
    let byPid = [
      SYS_prlimit64, SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr,
    ]
    // F_SETOWN, F_SETSIG and F_SETOWN_EX choose the process that a pipe signals, and the signal.
    let ownerCommands: [UInt32] = [8, 10, 15]
    // `execve` keeps the process ID.
    return [.when(Int32(SYS_tgkill), [Argument(index: 0, test: .differs(myself))])]
      + byPid.map {
        .when(Int32($0), [Argument(index: 0, test: .differs(0)), Argument(index: 0, test: .differs(myself))])
      }
      + ownerCommands.map { .when(Int32(SYS_fcntl), [Argument(index: 1, test: .equalsInt($0))]) }
  }

  /// All `ioctl` requests except those that only query or that concern the descriptor: FIOCLEX,
  /// FIONCLEX, FIONBIO, FIONREAD, TCGETS, TIOCGWINSZ. Others type into a terminal (TIOCSTI), choose
  /// the process to be signaled (FIOSETOWN), or change a file that is open for reading only: its
  /// immutable flag (FS_IOC_SETFLAGS), its project, its encryption.
  private static let otherRequests = Rule.when(
    Int32(SYS_ioctl),
    [0x5451, 0x5450, 0x5421, 0x541B, 0x5401, 0x5413].map { Argument(index: 1, test: .differs($0)) })
  /// MAP_SHARED: memory that RLIMIT_DATA does not count.
  private static let sharedMaps = Rule.when(Int32(SYS_mmap), [Argument(index: 3, test: .hasBits(1))])
}
