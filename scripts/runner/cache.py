"""The tests are built in a copy of the sources, in the user's cache folder. So the packages that
Calotype needs are compiled once, and another clone compiles only the modules that differ."""

import contextlib
import fcntl
import filecmp
import hashlib
import math
import os
import shutil
import subprocess
import time
from pathlib import Path

from runner.layout import changed_modules, module, with_dependents

# The tests are built with optimization, because they draw, decode and compare hundreds of pictures.
# Debug information is left out, because making it takes as long as building some modules.
OPTIONS = ["--build-tests", "-Xswiftc", "-O", "-Xswiftc", "-gnone"]
MOST_FOLDERS = 2
HEARTBEAT = 30  # the seconds between two lines of a clone that waits


class OverBudget(Exception):
    """The time was over before the first test."""


def cache_folder():
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "calotype"


class SourceCopy:
    """A copy of a clone's sources. Another toolchain or manifest gets another copy."""

    def __init__(self, clone, cache, toolchain):
        self.clone, self.cache = clone, cache
        manifest = (clone / "Package.swift").read_bytes()
        digest = hashlib.sha256(repr((toolchain, manifest, OPTIONS, "CI" in os.environ)).encode())
        self.folder = cache / f"tests-{digest.hexdigest()[:16]}"
        self.command = ["swift", "build", "--package-path", str(self.folder), *OPTIONS]

    @contextlib.contextmanager
    def locked(self, end=math.inf):
        """Keeps other clones from changing the copy. Raises an error if another clone still works
        at the time `end`."""
        self.cache.mkdir(parents=True, exist_ok=True)
        # The file contains the id of the process that has the lock.
        with (self.cache / "tests.lock").open("a+") as lock:
            last_line = -math.inf
            while not is_locked(lock):
                now = time.monotonic()
                if now - last_line >= HEARTBEAT:
                    last_line = now
                    lock.seek(0)
                    print(f"Waiting for process {lock.read() or '(unknown)'}, which builds or runs tests", flush=True)
                if now >= end:
                    raise OverBudget("another clone builds or runs tests")
                time.sleep(0.1)
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            yield

    def update(self):
        """Copies the files that differ, removes those that are gone, and removes old copies.

        SwiftPM compiles a file again if its time has changed, so an equal file is not copied.
        Where the size of a type may have changed, all files of the modules that use it get another
        time."""
        self.folder.mkdir(exist_ok=True)
        os.utime(self.folder)
        copies = sorted(self.cache.glob("tests-*"), key=lambda folder: folder.stat().st_mtime)
        for old in copies[:-MOST_FOLDERS]:
            # If this is interrupted, the rest is no copy any more.
            shutil.rmtree(old.rename(old.with_name(f"old-{old.name}")))
        for rest in self.cache.glob("old-*"):
            shutil.rmtree(rest)
        listed = subprocess.run(
            ["git", "ls-files", "-coz", "--exclude-standard"], cwd=self.clone, check=True, stdout=subprocess.PIPE, env=without_git())
        names = {name for name in os.fsdecode(listed.stdout).split("\0") if name and (self.clone / name).is_file()}
        # SwiftPM notes the versions of the packages there.
        kept = names | {"Package.resolved"}
        old, new = {}, {}  # the Swift files that differ
        for parent, folders, files in os.walk(self.folder):
            if Path(parent) == self.folder and ".build" in folders:
                folders.remove(".build")
            for file in (Path(parent) / name for name in files):
                if str(file.relative_to(self.folder)) not in kept:
                    if file.suffix == ".swift":
                        old[str(file.relative_to(self.folder))] = file.read_text()
                    file.unlink()
                    remove_empty(file.parent)
        for name in names:
            source, copy = self.clone / name, self.folder / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            # Another program may remove a file meanwhile.
            with contextlib.suppress(FileNotFoundError):
                is_old = copy.is_file()
                if is_old and filecmp.cmp(source, copy, shallow=False) and source.stat().st_mode == copy.stat().st_mode:
                    continue
                if source.suffix == ".swift":
                    old |= {name: copy.read_text()} if is_old else {}
                    new[name] = source.read_text()
                shutil.copy(source, copy)
        self._touch_dependents(changed_modules(old, new), [name for name in names if name.endswith(".swift")])

    def _touch_dependents(self, modules, names):
        if not modules:
            return
        texts = {name: (self.folder / name).read_text() for name in names if (self.folder / name).is_file()}
        modules = with_dependents(modules, texts)
        for name in texts:
            if module(name) in modules:
                os.utime(self.folder / name)

    def link(self):
        """Makes .build/debug of the clone lead to the built programs."""
        link = self.clone / ".build" / "debug"
        link.parent.mkdir(exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(self.folder / ".build" / "debug")


def without_git():
    """Returns the environment without the variables of Git. In a hook, they name a repository."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


def is_locked(file):
    """Locks a file, and returns whether that worked."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def remove_empty(folder):
    """Removes a folder and those above it, as far as they are empty."""
    for each in (folder, *folder.parents):
        try:
            each.rmdir()
        except OSError:
            return


def source_copy(clone):
    version = subprocess.run(["swift", "--version"], check=True, capture_output=True, text=True)
    return SourceCopy(clone, cache_folder(), version.stdout + version.stderr)
