"""Builds the tests."""

import re
import subprocess

BUILD_FAILED = 3


def build(command, logs, copy):
    """Runs a command that builds a copy of the sources, with its output in a log. Prints the errors
    if it fails, with the paths of the clone. Returns the exit status of the whole run: 0 or 3."""
    logs.mkdir(parents=True, exist_ok=True)
    log = logs / "build.log"
    print(f"Building the tests (log: {log})", flush=True)
    with log.open("wb") as output:
        status = subprocess.run(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL).returncode
    if status == 0:
        return 0
    lines = log.read_text(errors="replace").replace(f"{copy}/", "").splitlines()
    print("\n".join(sorted({line for line in lines if re.search("(error|warning):", line)})))
    print(f"The build failed. The end of {log}:")
    print("\n".join(lines[-20:]))
    print("build\n0 passed, 0 failed, 0 skipped", flush=True)
    return BUILD_FAILED
