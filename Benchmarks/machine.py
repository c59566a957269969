"""The conditions of a run: the commit, the machine, its load, the versions of the peers."""

import os
import re
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

BUSY, QUIET = 1.0, 0.5
PATIENCE = 300  # seconds

# The command that prints each peer's version, and the pattern of the version in its output.
PEERS = [
    ("libvips", ["vips", "--version"], r"vips-([\d.]+)"),
    ("libheif", ["heif-enc", "-h"], r"libheif version: ([\d.]+)"),
    ("libjpeg-turbo", ["djpeg", "-version"], r"version ([\d.]+)"),
    ("ExifTool", ["exiftool", "-ver"], r"([\d.]+)"),
    ("ffmpeg", ["ffmpeg", "-version"], r"version (\S+)"),
    ("SQLite", [sys.executable, "-c", "import sqlite3; print(sqlite3.sqlite_version)"], r"([\d.]+)"),
    ("nginx", ["nginx", "-v"], r"nginx/([\d.]+)"),
    ("wrk", ["wrk", "-v"], r"wrk (\S+)"),
    ("Chromium", ["chromium", "--version"], r"Chromium ([\d.]+)"),
]


def cores():
    """Returns the number of cores that this run may use."""
    return len(os.sched_getaffinity(0))


def commit():
    """Returns the name of the commit that is measured."""
    command = ["git", "-C", Path(__file__).parent, "describe", "--always", "--dirty", "--abbrev=8", "--exclude=*"]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip() or "unknown"


def load():
    """Returns the load average of the last minute."""
    return os.getloadavg()[0]


def wait_until_quiet():
    """Waits until the load of a build has gone, for five minutes at most."""
    end = time.monotonic() + PATIENCE
    while load() > QUIET and time.monotonic() < end:
        time.sleep(5)


def facts(commit, load_at_start):
    """Returns the lines for the top of the results."""
    yield f"{date.today().isoformat()}, commit {commit}"
    yield f"{_processor()}, {cores()} cores"
    yield f"load average {load_at_start:.2f} at the start, {load():.2f} at the end"
    if load_at_start > BUSY:
        yield "**The machine was busy with something else when the run started: these figures prove little.**"
    yield "peers: " + ", ".join(f"{name} {_version(command, pattern)}" for name, command, pattern in PEERS)


def _processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        found = re.search(r"^model name\s*: (.+)$", file.read(), re.MULTILINE)
    return found[1] if found else "unknown processor"


def _version(command, pattern):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    found = re.search(pattern, done.stdout + done.stderr)
    return found[1] if found else "(unknown version)"
