"""Tests of the scripts that call Swift. A small program stands for it."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


class Clone:
    """A clone with the scripts and a program in place of Swift."""

    def __init__(self, folder):
        self.folder, self.cache, self.bin = folder / "clone", folder / "cache" / "calotype", folder / "bin"
        shutil.copytree(SCRIPTS, self.folder / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        (self.folder / "Package.swift").touch()
        for command in (["init"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-m", "All"]):
            subprocess.run(["git", *command], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        self.bin.mkdir()
        self.cache.mkdir(parents=True)

    def run(self, *command, swift, **more):
        program = self.bin / "swift"
        program.write_text(f"#!/bin/sh\n{swift}\n")
        program.chmod(0o755)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "CALOTYPE_", "OFFLINE"))}
        environment |= {"PATH": f"{self.bin}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(self.cache.parent), **more}
        done = subprocess.run(
            command, cwd=self.folder, timeout=60, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
        print(done.stdout)
        return done.returncode, done.stdout


@pytest.fixture
def clone(tmp_path):
    return Clone(tmp_path)


OVER = "over budget\n0 passed, 0 failed, 0 skipped\n"


def test_everything_includes_the_build(clone):
    status, output = clone.run("scripts/run-tests", swift="[ $1 != build ] || exec sleep 999", CALOTYPE_TEST_BUDGET="0")
    assert status == 6 and output.endswith(OVER)
    assert "OVER BUDGET: " in output and "Building the tests" in output


def test_everything_includes_the_wait_for_another_clone(clone):
    with (clone.cache / "tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write("4321")
        lock.flush()
        status, output = clone.run("scripts/run-tests", swift="", CALOTYPE_TEST_BUDGET="0")
    assert status == 6 and output.endswith(OVER)
    assert "Waiting for process 4321" in output and "Building" not in output


@pytest.mark.parametrize(("arguments", "is_refused"), [(["--soak", "x"], True), (["Name", "x"], False)])
def test_only_the_long_tests_have_a_seed(clone, arguments, is_refused):
    status, output = clone.run("scripts/run-tests", *arguments, swift="[ $1 != build ]")
    assert status == (1 if is_refused else 3)
    assert ("The seed x is no whole number" in output) == is_refused


# Stands for Swift. It resolves at the attempt of a number.
RESOLVES = """
case "$*" in
*dump-package) echo '{"enabledTraits": ["Program"]}' ;;
*resolve)
  echo >>attempts
  [ $(wc -l <attempts) = %s ] || { echo "no network"; exit 1; }
  for name in calotype GRDB.swift swift-asn1 swift-crypto swift-log; do mkdir -p "$3/.build/checkouts/$name"; done ;;
esac
"""


@pytest.mark.parametrize(("attempt", "status"), [(1, 0), (2, 0), (3, 1)])
def test_a_client_is_resolved_in_two_attempts(clone, attempt, status):
    found, output = clone.run("scripts/resolve-client", swift=RESOLVES % attempt)
    assert found == status and ("no network" in output) == (status != 0)
