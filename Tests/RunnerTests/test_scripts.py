"""Tests of the scripts that call Swift. A small program stands for it."""

import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
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


@pytest.mark.parametrize(("arguments", "more", "message"), [
    ([r"\p{Lu}"], {}, r"The filter \p{Lu} is no regular expression"),
    ([], {"CALOTYPE_TEST_BUDGET": "x"}, "CALOTYPE_TEST_BUDGET is x"), ([], {"CALOTYPE_TEST_PATIENCE": "nan"}, "CALOTYPE_TEST_PATIENCE is nan"),
])
def test_a_wrong_argument_is_named(clone, arguments, more, message):
    status, output = clone.run("scripts/run-tests", *arguments, swift="", **more)
    assert status == 1 and message in output and "Traceback" not in output


def test_a_build_that_can_not_begin_has_failed(clone):
    (clone.folder / "Package.swift").unlink()
    status, output = clone.run("scripts/run-tests", swift="")
    assert status == 3 and "Package.swift" in output and output.splitlines()[-2:] == ["build", "0 passed, 0 failed, 0 skipped"]
    assert "Traceback" not in output


# Stands for Swift. It builds the program of the tests from a file of the clone.
BUILDS = '[ $1 != build ] || { mkdir -p "$3/.build/debug"; cp "$3/tests" "$3/.build/debug/calotypePackageTests.xctest"; }'


def test_everything_includes_the_list_of_tests(clone):
    (clone.folder / "tests").write_text("#!/bin/sh\nexec sleep 999\n")
    (clone.folder / "tests").chmod(0o755)
    status, output = clone.run("scripts/run-tests", "Name", swift=BUILDS, CALOTYPE_TEST_BUDGET="5")
    assert status == 6 and output.endswith(OVER) and "Traceback" not in output


def test_a_failure_with_half_a_character_is_printed(clone):
    (clone.folder / "tests").write_text(f"""#!{sys.executable}
import json, sys
if sys.argv[1] == "--list-tests": sys.exit()
payloads = [{{"kind": "issueRecorded", "issue": {{}}, "messages": [{{"text": "half \\ud800"}}]}}, {{"kind": "runEnded"}}]
with open(sys.argv[sys.argv.index("--event-stream-output-path") + 1], "a") as file:
    file.writelines(json.dumps({{"kind": "event", "payload": each}}) + "\\n" for each in payloads)
sys.exit(1)
""")
    (clone.folder / "tests").chmod(0o755)
    status, output = clone.run("scripts/run-tests", "Name", swift=BUILDS)
    assert status == 4 and r"half \ud800" in output and output.endswith("0 passed, 1 failed, 0 skipped\n")


def test_a_hook_of_git_keeps_its_repository(tmp_path):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    test = f"{__file__}::test_everything_includes_the_build"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp", str(tmp_path / "inner"), test], timeout=60,
        env={**environment, "GIT_DIR": str(tmp_path / "hook"), "GIT_INDEX_FILE": str(tmp_path / "index")})
    assert done.returncode == 0
    assert not (tmp_path / "hook").exists() and not (tmp_path / "index").exists()


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


def test_control_c_ends_the_resolution(clone):
    program = clone.bin / "swift"
    program.write_text(f"#!/bin/sh\ncase $* in\n*resolve) echo $$ >id; mv id resolves; exec sleep 999 ;;\nesac\n{RESOLVES % 1}")
    program.chmod(0o755)
    process = subprocess.Popen(
        ["scripts/resolve-client"], cwd=clone.folder, process_group=0, env={**os.environ, "PATH": f"{clone.bin}:{os.environ['PATH']}"},
        # A shell that starts the tests in the background ignores it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        end = time.monotonic() + 60
        while not (clone.folder / "resolves").exists():
            assert time.monotonic() < end, "nothing was resolved"
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=10) != 0
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
