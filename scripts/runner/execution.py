"""A run of a part's program: its folders and environment, its log, and its events."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from runner import processes
from runner.cache import without_git
from runner.parts import SOAK_SEED

FOLDERS = {"HOME": "h", "XDG_CONFIG_HOME": "c", "XDG_DATA_HOME": "d", "XDG_CACHE_HOME": "k", "XDG_RUNTIME_DIR": "r", "TMPDIR": "t"}
STACK = "stack"  # the file at whose sight processes of Node write their stacks
QUIET = 0.3  # the seconds without a new line after which a process has written its stack
CORPUS = Path("../shared/media")


def environment(part, folder, events):
    """Returns the environment of a part, whose folders belong to it alone."""
    inherited = {name: value for name, value in without_git().items() if name not in ("CALOTYPE_LIBRARY", SOAK_SEED)}
    values = {
        **inherited, **part.environment, processes.MARKER: part.name, "CALOTYPE_TEST_EVENTS": str(events),
        "CALOTYPE_TEST_STACK": str(folder / STACK),
        # Two parts run at once, on two processors or more.
        "VIPS_CONCURRENCY": "1",
    }
    if "CALOTYPE_CORPUS" not in values and CORPUS.is_dir():
        values["CALOTYPE_CORPUS"] = str(CORPUS.resolve())
    for name, letter in FOLDERS.items():
        path = folder / letter
        path.mkdir(mode=0o700)
        # Some tests work as another user for a while.
        if name == "TMPDIR":
            path.chmod(0o1777)
        values[name] = str(path)
    return values


class Execution:
    """A program that runs, with the state of its part."""

    def __init__(self, part, state, folder, log, task):
        self.part, self.state, self.folder, self.log = part, state, folder, log
        folder.mkdir()
        self._stream = part.stream()
        self._rest = b""
        command = part.command(task)
        log.parent.mkdir(parents=True, exist_ok=True)
        self._log_began = log.stat().st_size if log.exists() else 0
        with log.open("ab") as output:
            output.write(f"$ {' '.join(command)[:2000]}\n".encode())
            output.flush()
            source = log if part.reads_log else task.events
            source.touch()
            self._source = source.open("rb")
            self._source.seek(0, os.SEEK_END)
            self.process = subprocess.Popen(
                command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, start_new_session=True,
                env=environment(part, folder, task.events))
        self._first = processes.process(self.process.pid)

    def read_events(self, now):
        """Gives the state the events that came since the last call."""
        *lines, self._rest = (self._rest + self._source.read()).split(b"\n")
        for line in lines:
            for event in self._stream.events(line.decode(errors="replace")):
                self.state.feed(event, now)

    def descendants(self):
        return processes.descendants(self._first, self.part.name)

    def end(self, now):
        """Ends all processes of the part. Returns those that its first process left behind."""
        had_ended = self.process.poll() is not None
        ended = processes.kill(self.descendants)
        processes.wait(self.process)
        self.read_events(now)
        self._source.close()
        shutil.rmtree(self.folder, ignore_errors=True)
        return ended if had_ended else []

    def ask_for_stacks(self):
        """Makes processes of Node write their stacks, to the log."""
        (self.folder / STACK).touch()

    def tail(self):
        """Returns the last lines that this program printed."""
        lines = self.lines_since(self._log_began)[-40:]
        return [f"The last {len(lines)} lines of {self.log}:", *lines]

    def new_lines(self, size, limit):
        """Returns what the log gained after `size`. Waits until it has grown and then rests, at
        most `limit` seconds."""
        last, since = size, time.monotonic()
        end = since + limit
        while (now := time.monotonic()) < end and (last == size or now - since < QUIET):
            if (grown := self.log.stat().st_size) != last:
                last, since = grown, now
            time.sleep(0.05)
        return self.lines_since(size)

    def lines_since(self, size):
        """Returns the lines of the log that came after it had a size."""
        return self.log.read_bytes()[size:].decode(errors="replace").splitlines()
