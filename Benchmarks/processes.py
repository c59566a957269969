"""Measures programs, and runs servers that are stopped in any case."""

import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

PATIENCE = 30
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Usage:
    """The cost of a program, including the programs that it started and waited for."""

    wall: float = 0
    cpu: float = 0
    peak_bytes: int = 0

    def __add__(self, other):
        """Returns the cost of two programs that run one after the other."""
        return Usage(self.wall + other.wall, self.cpu + other.cpu, max(self.peak_bytes, other.peak_bytes))


def measured(command, **options):
    """Runs a command and returns its cost. The output is discarded unless the command fails."""
    os.sync()
    with tempfile.TemporaryFile() as complaints:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=complaints, **options)
        peak = PeakMemory(process.pid)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.terminate()
            process.wait()
            raise
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            complaints.seek(0)
            raise RuntimeError(f"{command[0]} ended with {process.returncode}: {complaints.read().decode()[-2000:]}")
    return Usage(wall, usage.ru_utime + usage.ru_stime, peak.bytes())


class PeakMemory:
    """Samples the peak memory of a program and its children, fifty times a second.

    It adds the peaks of all processes. `wait4` is unsuitable: its peak is at least that of the
    process that started the program, which is this one.
    """

    def __init__(self, pid):
        self._pid = pid
        self._peak = 0
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self):
        while held := _most_held(self._pid):
            self._peak = max(self._peak, held + sum(_most_held(child) for child in _children(self._pid)))
            time.sleep(0.02)

    def bytes(self):
        """Waits for the program to exit and returns the peak."""
        self._thread.join()
        return self._peak


def _most_held(pid):
    """Returns the peak memory of a process, or 0 if the process has exited."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="utf-8"))
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0


def quietly(command, **options):
    """Runs a command without measuring it. If it fails, the error contains its output."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {(done.stderr or done.stdout)[-2000:]}")
    return done.stdout


@contextmanager
def running(command, **options):
    """Runs a program until the end of the `with` block."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, **options)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@dataclass(frozen=True)
class Served:
    """A running `calotype serve`."""

    process: subprocess.Popen
    address: str
    cookie: str

    @property
    def authorization(self):
        """The header that authorizes a client."""
        return {"Cookie": self.cookie}


@contextmanager
def calotype_server(program, library):
    """Runs `calotype serve` on a free port."""
    command = [program, "--library", library, "serve", "--port", "0"]
    with running(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if found := re.search(r"http://calotype\.localhost(:\d+)/start#([\w-]+)", line):
                # Programs don't resolve the name.
                address = f"http://127.0.0.1{found[1]}"
                yield Served(process, address, _sign_in(address, found[2]))
                return
        raise RuntimeError(f"the server ended with {process.wait()} before it said its address")


def _sign_in(address, link):
    """Returns the cookie of a new session."""
    request = Request(
        f"{address}/api/v1/session/link", json.dumps({"link": link}).encode(),
        {"Content-Type": "application/json", "Origin": address})
    with urlopen(request) as answer:
        return answer.headers.get_all("Set-Cookie")[0].partition(";")[0]


def free_port():
    """Returns a free port of the loopback address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_listening(port, process):
    """Waits until a server accepts connections."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"{process.args[0]} ended with {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.01)
    raise RuntimeError(f"{process.args[0]} does not listen on port {port}")


def cpu_seconds(pid):
    """Returns the processor time of a running process and its children."""
    return _own_cpu_seconds(pid) + sum(_own_cpu_seconds(child) for child in _children(pid))


def _own_cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_A_SECOND


def _children(pid):
    """Returns the children of all threads, since the kernel lists children by thread."""
    children = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children += [int(child) for child in task.read_text(encoding="ascii").split()]
        except OSError:
            continue
    return children
