#ifndef CALOTYPE_SOCKETS_H
#define CALOTYPE_SOCKETS_H

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// Messages that carry descriptors. The system's headers access their parts only by macros.

/// The largest number of descriptors in a message.
enum { calotype_most_descriptors = 32 };

union calotype_control {
  char room[CMSG_SPACE(calotype_most_descriptors * sizeof(int))];
  struct cmsghdr aligned;
};

/// Calls `sendmsg` with at most `calotype_most_descriptors` descriptors; fails with EINVAL for more
/// or none.
static inline ssize_t calotype_send_descriptors(int socket, const void *bytes, size_t count, const int *descriptors,
                                                int number) {
  if (number < 1 || number > calotype_most_descriptors) {
    errno = EINVAL;
    return -1;
  }
  struct iovec part = {(void *)bytes, count};
  union calotype_control control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room,
                           .msg_controllen = CMSG_SPACE(number * sizeof(int))};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(number * sizeof(int));
  memcpy(CMSG_DATA(header), descriptors, number * sizeof(int));
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

/// Calls `recvmsg` and waits for all of `count` bytes. `descriptors` has room for
/// `calotype_most_descriptors`, and `number` is how many were received.
static inline ssize_t calotype_receive_descriptors(int socket, void *bytes, size_t count, int *descriptors,
                                                   int *number) {
  struct iovec part = {bytes, count};
  union calotype_control control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room,
                           .msg_controllen = sizeof control.room};
  ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
  *number = 0;
  struct cmsghdr *header = received > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    *number = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    memcpy(descriptors, CMSG_DATA(header), *number * sizeof(int));
  }
  return received;
}

/// Copies `count` bytes out of another process's memory with `process_vm_readv`.
static inline ssize_t calotype_read_memory(pid_t process, uint64_t address, void *bytes, size_t count) {
  struct iovec to = {bytes, count}, from = {(void *)(uintptr_t)address, count};
  // The last of six arguments is on the stack, and the kernel reads all eight bytes of it.
  return syscall(SYS_process_vm_readv, process, &to, 1UL, &from, 1UL, 0UL);
}

#endif
