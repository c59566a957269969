"""Finds the processes of a part, describes them, and ends them by their ids."""

import contextlib
import ctypes
import functools
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

MARKER = "CALOTYPE_TEST_PART"
MOST_BACKTRACES = 3
END_LIMIT = 30  # the seconds that a killed process has to end
TICKS = os.sysconf("SC_CLK_TCK")
PR_SET_CHILD_SUBREAPER = 36


def take_charge():
    """Makes this process the parent of all orphans among its descendants. Makes the signals that
    end it an exception, because only an exception lets this process end the others."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        # With nohup, or in the background, a shell ignores one.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda number, _: sys.exit(128 + number))


@dataclass
class Process:
    id: int
    parent: int
    session: int
    state: str
    seconds: float
    began: int


def read(path):
    """Reads a file of /proc. It is empty if the process is gone or belongs to another user."""
    try:
        return Path(path).read_bytes().decode(errors="replace").strip()
    except OSError:
        return ""


def process(id):
    """Reads a process, or returns None if it is gone."""
    # The name in parentheses may contain spaces and parentheses.
    fields = read(f"/proc/{id}/stat").rpartition(")")[2].split()
    if not fields:
        return None
    seconds = (int(fields[11]) + int(fields[12])) / TICKS
    return Process(int(id), int(fields[1]), int(fields[3]), fields[0], seconds, int(fields[19]))


def all_processes():
    found = (process(id) for id in os.listdir("/proc") if id.isdigit())
    return {each.id: each for each in found if each}


def command(id):
    return read(f"/proc/{id}/cmdline").replace("\0", " ").strip() or f"[{read(f'/proc/{id}/comm')}]"


def descendants(first, part):
    """Returns the processes of a part, parents first: its first process, the children of each, and
    the orphans that this process got from it."""
    root = first.id
    known = all_processes()
    marker = f"{MARKER}={part}"

    def is_orphan(each):
        if each.parent != os.getpid() or each.id == root:
            return False
        return each.session == root or marker in read(f"/proc/{each.id}/environ").split("\0")

    # Another process may have got the id of the first one.
    roots = [root] if root in known and known[root].began == first.began else []
    return _with_children(roots + [each.id for each in known.values() if is_orphan(each)], known)


def own_descendants():
    """Returns all processes that began in this one."""
    known = all_processes()
    return _with_children([os.getpid()], known)[1:]


def _with_children(roots, known):
    found = [known[root] for root in roots if root in known]
    for parent in found:
        found += [each for each in known.values() if each.parent == parent.id and each not in found]
    return found


def kill(find):
    """Ends the processes that `find` returns, and again those that it returns then, since each may
    have started others meanwhile. Returns the ones that it ended."""
    ended, refused = {}, set()
    for _ in range(100):
        alive = [each for each in find() if each.state not in "ZX" and each.id not in refused]
        if not alive:
            break
        for each in alive:
            now = process(each.id)
            # Another process may have got the id.
            if now and now.began == each.began:
                try:
                    os.kill(each.id, signal.SIGKILL)
                    ended[each.id] = each
                except ProcessLookupError:
                    pass
                except PermissionError:
                    refused.add(each.id)
                    print(f"Could not end process {each.id}: it belongs to another user", flush=True)
        time.sleep(0.05)
    return list(ended.values())


def wait(process):
    """Takes the exit status of a child that was ended."""
    try:
        process.wait(END_LIMIT)
    except subprocess.TimeoutExpired:
        print(f"Process {process.pid} did not end in {END_LIMIT} seconds", flush=True)


def reap(except_ids):
    """Takes the exit status of ended orphans, so that none stays. `except_ids` are processes whose
    status others take."""
    with contextlib.suppress(ChildProcessError):
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if ended.si_pid in except_ids:
                break
            os.waitpid(ended.si_pid, os.WNOHANG)


def describe(found):
    """Describes processes and their threads, one a line."""
    lines = []
    for each in found:
        lines.append(
            f"process {each.id}, parent {each.parent}, state {each.state}, waits in {wait_channel(f'/proc/{each.id}')}, "
            f"{each.seconds:.1f} s of processor time: {command(each.id)[:300]}")
        # The process may end meanwhile.
        with contextlib.suppress(OSError):
            for thread in sorted(Path(f"/proc/{each.id}/task").glob("*")):
                call = read(thread / "syscall") or "unknown"
                lines.append(f"    thread {thread.name} {read(thread / 'comm')}: waits in {wait_channel(thread)}, system call {call}")
    return lines


def wait_channel(folder):
    channel = read(f"{folder}/wchan")
    return "nothing" if channel in ("", "0") else channel


def writes_stacks(id):
    """Whether a process is one of Python that writes its stacks at SIGUSR1."""
    caught = next((line.split()[1] for line in read(f"/proc/{id}/status").splitlines() if line.startswith("SigCgt")), "0")
    try:
        program = os.readlink(f"/proc/{id}/exe")
    except OSError:
        return False
    return "python" in program and bool(int(caught, 16) >> (signal.SIGUSR1 - 1) & 1)


@functools.cache
def debugger():
    """Returns the command of the debugger that works here, without the process's id."""
    lldb = ["lldb", "--batch", "-o", "thread backtrace all", "-p"]
    gdb = ["gdb", "-nx", "-batch", "-iex", "set debuginfod enabled off", "-ex", "thread apply all bt", "-p"]
    for line in (lldb, gdb):
        try:
            if subprocess.run([line[0], "--version"], capture_output=True, timeout=60).returncode == 0:
                return line
        except (OSError, subprocess.TimeoutExpired):
            pass
    return None


def backtraces(found, limit):
    """Yields the lines of the native backtraces of each of the first processes, which may take
    `limit()` seconds."""
    line = debugger()
    if line is None:
        yield ["No backtraces: neither lldb nor gdb works here."]
        return
    for each in [each for each in found if each.state not in "ZX"][:MOST_BACKTRACES]:
        lines, seconds = [f"Backtraces of process {each.id} by {line[0]}:"], limit()
        try:
            done = subprocess.run(
                [*line, str(each.id)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
            lines += done.stdout.decode(errors="replace").splitlines()
        except subprocess.TimeoutExpired as error:
            lines += (error.stdout or b"").decode(errors="replace").splitlines()
            lines.append(f"The debugger took longer than {seconds:.0f} seconds.")
        yield lines
