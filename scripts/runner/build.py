"""Builds the tests."""

import re
import subprocess
import time

from runner import processes
from runner.cache import OverBudget

BUILD_FAILED = 3


def build(command, copy, settings):
    """Runs a command that builds a copy of the sources, with its output in a log. Prints a line
    every half minute, and the errors if it fails, with the paths of the clone. Returns the exit
    status of the whole run: 0 or 3. Raises OverBudget if the time for everything ends first."""
    settings.logs.mkdir(parents=True, exist_ok=True)
    log = settings.logs / "build.log"
    print(f"Building the tests (log: {log})", flush=True)
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, start_new_session=True)
    first = processes.process(process.pid)
    last_heartbeat = settings.clock()
    try:
        while (status := process.poll()) is None and (now := settings.clock()) <= settings.end:
            if now - last_heartbeat >= settings.heartbeat:
                last_heartbeat = now
                print(f"{settings.minutes(now)} building: {''.join(lines_of(log, copy)[-1:])[:150]}", flush=True)
            time.sleep(0.1)
    finally:
        processes.kill(lambda: processes.descendants(first, "build"))
        processes.wait(process)
    if status == 0:
        return 0
    lines = lines_of(log, copy)
    print("\n".join(sorted({line for line in lines if re.search("(error|warning):", line)})))
    print(f"The build {'is still running' if status is None else 'failed'}. The end of {log}:")
    print("\n".join(lines[-20:]), flush=True)
    if status is None:
        raise OverBudget(f"the build did not end within the {settings.budget:.0f} seconds for everything")
    print("build\n0 passed, 0 failed, 0 skipped", flush=True)
    return BUILD_FAILED


def lines_of(log, copy):
    """Returns the lines of a log, with the paths of the clone."""
    return log.read_text(errors="replace").replace(f"{copy}/", "").splitlines()
