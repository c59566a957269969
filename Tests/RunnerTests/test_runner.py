"""Tests of scripts/run-tests. Small programs stand for the parts."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
sys.path.insert(0, str(SCRIPTS))

from runner.build import build
from runner import execution, processes
from runner.cache import OverBudget, SourceCopy
from runner.drive import Run, Settings
from runner.execution import Execution
from runner.layout import members
from runner.parts import Task, escaped, skip_options, soak_parts, suite, xctest_part
from runner.state import FINISH, GO_ON, RESTART, STALL, PartState
from runner.streams import JSONStream, SwiftStream, XCTestStream

# The seconds that a run of toys has.
LIMIT = 150
# The first lines of each toy. Its arguments are the file for events, the only test that runs or "",
# and those that are left out.
TOY = """
import json, os, signal, subprocess, sys, time
events, only, *left_out = sys.argv[1:]
def tell(event, **fields):
    with open(events, "a") as file:
        file.write(json.dumps({"event": event, **fields}) + "\\n")
def runs(*names):
    names = [name for name in names if name not in left_out and only in ("", name)]
    tell("collected", tests=names)
    return names
def start(name): tell("started", test=name)
def hang():
    open("stuck", "w").close()
    time.sleep(999)
def end(name): tell("ended", test=name, seconds=0.5)
def passes(name):
    start(name)
    end(name)
"""
# Runs the parts that a test defines.
GO = """
import signal, sys, time
from pathlib import Path
sys.path.insert(0, {scripts!r})
from runner import processes
from runner.drive import Run, Settings
from runner.parts import Part, pytest_part
from runner.streams import SwiftStream
def toy(name, **more):
    command = lambda task: [sys.executable, name + ".py", str(task.events), task.only or "", *task.left_out]
    return Part(name, more.pop("kind", name), command, **more)
Path("unstable.txt").touch()
# A shell that starts the tests in the background ignores some.
for number in (signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_DFL)
class Clock:
    # Goes fast while the test "stuck" runs and the file "stuck" is there. No test waits long then,
    # and a slow machine changes nothing. While another test runs beside it, the time only goes fast
    # when one ends: a slow machine would let both run for too long.
    run, ahead, ended = None, 0, 0
    def __call__(self):
        states = [each.state for each in self.run.running] if self.run else []
        running = [test for state in states for test in state.running]
        ended = sum(len(state.outcomes) for state in states)
        stuck = [test for test in running if "stuck" in test]
        if Path("stuck").exists() and stuck and (stuck == running or ended > self.ended):
            self.ahead += 10
        self.ended = ended
        return time.monotonic() + self.ahead
clock = Clock()
{before}
settings = dict(patience=100, budget=100_000, heartbeat=0.2, backtrace_limit=20, logs=Path("logs"), unstable=Path("unstable.txt"))
clock.run = Run([{parts}], Settings(clock=clock, **{{**settings, **dict({settings})}}))
processes.take_charge()
sys.exit(clock.run.run())
"""


class Toys:
    """A folder with programs that stand for parts, and a run of them."""

    def __init__(self, folder):
        self.folder = folder
        self.status = None
        self.output = ""

    def add(self, name, text):
        (self.folder / f"{name}.py").write_text(TOY + textwrap.dedent(text))

    def run(self, parts, settings="", before="", **more):
        go = self.folder / "go.py"
        go.write_text(GO.format(scripts=str(ROOT / "scripts"), parts=parts, settings=settings, before=before))
        # A pytest in this one must not take itself for a part of it.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        process = subprocess.Popen(
            [sys.executable, "go.py"], cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**environment, **more})
        try:
            self.output = process.communicate(timeout=LIMIT)[0]
        except subprocess.TimeoutExpired:
            # At SIGTERM, it ends its parts.
            process.terminate()
            print(process.communicate(timeout=30)[0])
            raise
        finally:
            process.kill()
        self.status = process.returncode
        print(self.output)

    @property
    def last_lines(self):
        return self.output.splitlines()[-2:]


@pytest.fixture
def toys(tmp_path):
    return Toys(tmp_path)


def is_alive(id):
    stat = Path(f"/proc/{id}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def test_parts_that_pass_end_with_0_and_the_counts(toys):
    toys.add("A", 'for name in runs("a", "b"): passes(name)\ntell("skipped", test="c", text="no camera")\ntell("closed")')
    toys.add("B", 'for name in runs("d"): passes(name)\ntell("closed")')
    toys.run('toy("A"), toy("B")')
    assert toys.status == 0
    assert toys.output.splitlines()[-3:] == ["A tests passed", "B tests passed", "3 passed, 0 failed, 1 skipped"]
    assert "1 x no camera (c)" in toys.output


def test_the_seconds_of_each_file_of_pytest_are_printed(toys):
    toys.add("A", 'for name in runs("x/test_a.py::a", "x/test_b.py::c", "x/test_b.py::d", "e"): passes(name)\ntell("closed")')
    toys.run('toy("A")')
    assert toys.status == 0
    assert "The seconds of each file:\n    test_b 1, test_a 0\n\n" in toys.output


def test_the_scenarios_are_printed_with_their_outcomes(toys):
    (toys.folder / "list.txt").write_text(
        "# A comment\nC-01 | a cover\nC-02 | a title\nC-03 | a count\nC-04 | an order | not built\n"
        "C-05 | a name\nD-01 | a day\nD-02 | a month | Swift tests show it\n")
    toys.add("A", """
        for name in runs("x/test_a.py::test_c_01_one", "x/test_a.py::test_c_01_two[a]", "x/test_a.py::test_c_02_one", "x/test_a.py::test_d_01_a", "x/test_a.py::test_ax_09_a"):
            passes(name)
        for name in runs("x/test_a.py::test_d_01_bad"):
            start(name)
            tell("failed", test=name, text="no day")
            end(name)
        tell("skipped", test="x/test_a.py::test_c_05_one", text="no camera")
        tell("closed")
        sys.exit(1)
        """)
    toys.run('toy("A", scenarios=Path("list.txt"))')
    printed = toys.output.partition("The scenarios of the web app (3 of 8 passed; ")[2].partition("The parts:")[0]
    assert printed.splitlines()[1:-1] == [
        "    C   passed: 01–02 | no test ran: 03 | not built: 04 | skipped: 05",
        "    D   failed: 01 | Swift tests show it: 02",
        "    AX  passed: 09"]
    assert (toys.folder / "logs" / "scenarios.md").read_text().splitlines()[2:6] == [
        "| C-01 | a cover | passed |", "| C-02 | a title | passed |", "| C-03 | a count | no test ran |", "| C-04 | an order | not there: not built |"]


def test_a_part_has_folders_of_its_own_and_they_are_removed(toys):
    toys.add("A", """
        names = ["HOME", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"]
        print("folders", *(os.environ[name] for name in names))
        print("library", os.environ.get("CALOTYPE_LIBRARY"), "threads", os.environ["VIPS_CONCURRENCY"])
        print("git", [name for name in os.environ if name.startswith("GIT_")])
        print("mode", oct(os.stat(os.environ["XDG_RUNTIME_DIR"]).st_mode & 0o777))
        passes(runs("a")[0])
        tell("closed")
        """)
    toys.run('toy("A")', CALOTYPE_LIBRARY="/nowhere", GIT_DIR="/nowhere")
    log = (toys.folder / "logs" / "A.log").read_text()
    folders = re.search("^folders (.*)$", log, re.M)[1].split()
    assert toys.status == 0 and len(set(folders)) == 6
    assert not any(Path(folder).exists() for folder in folders)
    assert "library None threads 1" in log and "mode 0o700" in log and "git []" in log


def test_only_a_long_part_has_the_seed_of_the_long_tests(toys):
    for name in ("A", "B"):
        toys.add(name, 'print("seed", os.environ.get("CALOTYPE_SOAK_SEED"))\npasses(runs("a")[0])\ntell("closed")')
    toys.run('toy("A"), toy("B", environment={"CALOTYPE_SOAK_SEED": "7"})', CALOTYPE_SOAK_SEED="5")
    logs = [(toys.folder / "logs" / f"{name}.log").read_text() for name in ("A", "B")]
    assert toys.status == 0 and "seed None" in logs[0] and "seed 7" in logs[1]


def test_a_part_that_hangs_is_named_and_the_rest_runs(toys):
    toys.add("A", """
        for name in runs("a", "stuck", "b"):
            start(name)
            if name == "stuck":
                print("printed before the pause", flush=True)
                child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(999)"])
                open("child", "w").write(str(child.pid))
                hang()
            end(name)
        tell("closed")
        """)
    toys.run('toy("A")')
    child = (toys.folder / "child").read_text()
    assert toys.status == 5 and toys.last_lines == ["hung", "2 passed, 1 failed, 0 skipped"]
    assert re.search(r"running test for \d+ s: stuck", toys.output)
    assert "HUNG stuck (A" in toys.output
    assert f"process {child}, parent " in toys.output and "printed before the pause" in toys.output
    assert "    thread " in toys.output and "waits in" in toys.output
    assert re.search(r"Backtraces of process \d+ by |neither lldb nor gdb", toys.output)
    assert "A tests FAILED" in toys.output
    assert not is_alive(child)


def test_a_part_that_crashes_is_named_with_its_signal_and_the_rest_runs(toys):
    toys.add("A", """
        for name in runs("a", "broken", "b"):
            start(name)
            if name == "broken":
                print("printed before the end", flush=True)
                os.kill(os.getpid(), signal.SIGSEGV)
            end(name)
        tell("closed")
        """)
    toys.run('toy("A")')
    assert toys.status == 4 and toys.last_lines == ["failed", "2 passed, 1 failed, 0 skipped"]
    assert "CRASHED broken" in toys.output and "SIGSEGV" in toys.output
    assert "printed before the end" in toys.output
    assert "A second run" not in toys.output


def test_a_part_that_crashes_again_and_again_starts_six_times(toys):
    toys.add("A", 'start(runs(*"abcdefgh")[0])\nprint("one start")\nos.kill(os.getpid(), signal.SIGKILL)')
    toys.run('toy("A")')
    assert toys.status == 4
    assert (toys.folder / "logs" / "A.log").read_text().count("$ ") == 6
    assert "2 tests or files did not end: g, h" in toys.output


def test_a_part_that_crashes_before_its_first_test_is_named_with_its_signal(toys):
    toys.add("A", 'runs("a")\nos.kill(os.getpid(), signal.SIGSEGV)')
    toys.run('toy("A")')
    assert toys.status == 4 and "A CRASHED: the process ended by SIGSEGV\n" in toys.output


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGTERM])
def test_a_signal_ends_the_run_and_its_processes(toys, number):
    toys.add("A", f"""
        start(runs("a")[0])
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(999)"], start_new_session=True)
        open("child", "w").write(str(child.pid))
        os.kill(os.getppid(), {number:d})
        time.sleep(999)
        """)
    toys.run('toy("A")')
    assert toys.status == 128 + number and "Traceback" not in toys.output
    assert not is_alive((toys.folder / "child").read_text())


def test_a_signal_that_is_ignored_stays_so(toys):
    toys.add("A", f'os.kill(os.getppid(), {signal.SIGHUP:d})\npasses(runs("a")[0])\ntell("closed")')
    toys.run('toy("A")', before="signal.signal(signal.SIGHUP, signal.SIG_IGN)")
    assert toys.status == 0


def test_a_grandchild_in_a_session_of_its_own_is_ended(toys):
    toys.add("A", """
        start(runs("stuck")[0])
        subprocess.run([sys.executable, "-c", '''
        import subprocess, sys
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(999)"], start_new_session=True)
        open("grandchild", "w").write(str(child.pid))
        '''.replace("\\n        ", "\\n")])
        hang()
        """)
    toys.run('toy("A")')
    grandchild = (toys.folder / "grandchild").read_text()
    assert toys.status == 5
    assert f"process {grandchild}, " in toys.output
    assert not is_alive(grandchild)


def test_an_orphan_that_ends_is_reaped_while_its_part_runs(toys):
    text = """
        parent = "import subprocess; print(subprocess.Popen(['sleep', '0.2']).pid, flush=True)"
        orphan = int(subprocess.run([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True).stdout)
        runs("a")
        start("a")
        end_of_waiting = time.monotonic() + 60
        while os.path.exists(f"/proc/{orphan}"):
            assert time.monotonic() < end_of_waiting, "it is a zombie still"
            time.sleep(0.01)
        end("a")
        tell("closed")
        """
    toys.add("A", textwrap.dedent(text))
    toys.run('toy("A")', "heartbeat=1000")
    assert toys.status == 0


def test_a_process_that_a_part_leaves_behind_is_ended(toys):
    toys.add("A", """
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(999)"], start_new_session=True)
        open("child", "w").write(str(child.pid))
        passes(runs("a")[0])
        tell("closed")
        """)
    toys.run('toy("A")')
    child = (toys.folder / "child").read_text()
    assert toys.status == 0 and f"A left a process behind, which was ended: {child}" in toys.output
    assert not is_alive(child)


# Fails the first time that each of its tests runs.
FLAKY = """
for name in runs(*tests):
    start(name)
    if not os.path.exists(name):
        open(name, "w").close()
        tell("failed", test=name, text="the reason of " + name)
    else:
        print("the second output of " + name)
    end(name)
tell("closed")
"""


def test_a_test_that_fails_once_and_then_passes_is_unstable(toys):
    toys.add("A", 'tests = ["one", "two"]' + FLAKY)
    toys.run('toy("A")')
    assert toys.status == 0
    assert "UNSTABLE one" in toys.output and "UNSTABLE two" in toys.output
    assert "the reason of one" in toys.output and "the second output of one" in toys.output
    assert toys.last_lines == ["A tests passed", "2 passed, 0 failed, 0 skipped"]


def test_a_third_unstable_test_fails(toys):
    toys.add("A", 'tests = ["one", "two", "three"]' + FLAKY)
    toys.run('toy("A")')
    assert toys.status == 4 and toys.last_lines == ["failed", "2 passed, 1 failed, 0 skipped"]


def test_a_listed_unstable_test_fails(toys):
    toys.add("A", 'tests = ["one"]' + FLAKY)
    (toys.folder / "unstable.txt").write_text("# A comment.\none\n")
    toys.run('toy("A")')
    assert toys.status == 4 and "unstable.txt lists it" in toys.output


@pytest.mark.parametrize("end", ["os.kill(os.getpid(), signal.SIGSEGV)", "sys.exit(3)", "tell('failed', test='a suite', text='no')\ntell('closed')"])
def test_a_second_run_passes_only_as_a_whole(toys, end):
    toys.add("A", 'tests = ["one"]' + FLAKY + f"if only:\n    " + end.replace("\n", "\n    "))
    toys.run('toy("A")')
    assert toys.status == 4 and "UNSTABLE" not in toys.output


def test_tests_that_fail_twice_fail(toys):
    toys.add("A", """
        for name in runs("good", "bad", "worse"):
            start(name)
            if name != "good": tell("failed", test=name, text="a long reason\\n" * 20 + "the last line of " + name)
            end(name)
        tell("closed")
        """)
    toys.run('toy("A")')
    assert toys.status == 4 and toys.last_lines == ["failed", "1 passed, 2 failed, 0 skipped"]
    assert "FAILED bad (A, 0.5 s)" in toys.output and "the last line of worse" in toys.output
    assert "The second run, alone, failed too" in toys.output and "UNSTABLE" not in toys.output


def test_eleven_failures_have_no_second_run(toys):
    toys.add("A", f'tests = list("abcdefghijk"){FLAKY}')
    toys.run('toy("A")')
    assert toys.status == 4 and "A second run" not in toys.output


def test_the_time_for_all_tests_is_limited(toys):
    toys.add("A", 'passes(runs("a", "stuck")[0])\nstart("stuck")\nhang()')
    toys.add("B", 'passes(runs("b")[0])\ntell("closed")')
    toys.run('toy("A", lanes=2), toy("B")', "budget=500, patience=100_000")
    assert toys.status == 6 and toys.last_lines == ["over budget", "1 passed, 1 failed, 0 skipped"]
    assert "CUT OFF stuck" in toys.output and "Parts that did not start: B" in toys.output
    assert "B tests FAILED" in toys.output


def test_the_time_before_the_first_test_counts(toys):
    toys.add("A", 'passes(runs("a")[0])\nstart("b")\ntime.sleep(999)')
    toys.run('toy("A")', "began=time.monotonic() - 1000, budget=500")
    assert toys.status == 6


def test_a_debugger_gets_less_time_once_the_time_is_over(toys):
    debugger = toys.folder / "bin" / "lldb"
    debugger.parent.mkdir()
    debugger.write_text('#!/bin/sh\n[ "$1" != --version ] || { echo >>asked; exit 0; }\nexec sleep 999\n')
    debugger.chmod(0o755)
    for name in ("A", "B"):
        toys.add(name, 'start(runs("stuck")[0])\nhang()')
    toys.run(
        'setattr(__import__("runner.drive").drive, "LAST_BACKTRACE_LIMIT", 1) or toy("A"), toy("B")',
        "budget=500, patience=100_000, backtrace_limit=100_000", PATH=f"{debugger.parent}:{os.environ['PATH']}")
    assert toys.status == 6
    assert toys.output.count("The debugger took longer than 1 seconds.") >= 2
    assert (toys.folder / "asked").read_text() == "\n"


def test_a_line_of_each_half_minute_comes_between_two_backtraces(toys):
    debugger = toys.folder / "bin" / "lldb"
    debugger.parent.mkdir()
    debugger.write_text("#!/bin/sh\necho a frame\n")
    debugger.chmod(0o755)
    toys.add("A", 'start(runs("stuck")[0])\nsubprocess.Popen(["sleep", "999"])\nhang()')
    toys.run('toy("A")', PATH=f"{debugger.parent}:{os.environ['PATH']}")
    line = r"Backtraces of process \d+ by lldb:\na frame\n"
    assert re.search(rf"{line}\d+:\d\d A 0/1 running stuck .*\n{line}", toys.output)


@pytest.mark.parametrize(("now", "limit"), [(0, 60), (70, 30), (200, 15)])
def test_a_debugger_gets_no_more_time_than_is_left(now, limit):
    run = Run([], Settings(patience=1, budget=100, began=0, clock=lambda: now))
    assert run.backtrace_limit() == limit


def test_a_line_of_each_half_minute_names_the_running_test(toys):
    toys.add("A", 'passes(runs("a", "b")[0])\nstart("b")\ntime.sleep(2)\nend("b")\ntell("closed")')
    toys.run('toy("A")')
    assert re.search(r"^\d:\d\d A 1/2 running b \d+ s, 0 failed$", toys.output, re.M)


@pytest.mark.parametrize(("text", "reason"), [
    ('passes(runs("a")[0])', "its closing event is missing"),
    ('tell("closed")', "A tests FAILED: no test ran"),
    ('passes(runs("a")[0])\ntell("closed")\nsys.exit(1)', "but no test failed"),
], ids=["without a closing event", "without a test", "with a status"])
def test_a_part_that_did_not_really_pass_has_failed(toys, text, reason):
    toys.add("A", text)
    toys.run('toy("A")')
    assert toys.status == 4 and reason in toys.output


def test_two_lanes_run_at_once(toys):
    text = """
        open(name + ".begun", "w").close()
        while not os.path.exists(other + ".begun"): time.sleep(0.05)
        assert not os.path.exists("C.begun")
        passes(runs("a")[0])
        tell("closed")
        """
    toys.add("A", 'name, other = "A", "B"' + textwrap.dedent(text))
    toys.add("B", 'name, other = "B", "A"' + textwrap.dedent(text))
    toys.add("C", 'open("C.begun", "w").close()\npasses(runs("a")[0])\ntell("closed")')
    toys.run('toy("A"), toy("B"), toy("C", lanes=2)')
    assert toys.status == 0


def test_a_failed_build_ends_with_3_and_its_errors(tmp_path, capfd):
    command = [sys.executable, "-c", "print('/copy/x.swift:1: error: no such type'); exit(1)"]
    settings = Settings(patience=10, budget=10_000, logs=tmp_path)
    assert build(command, Path("/copy"), settings) == 3
    output = capfd.readouterr().out
    assert "\nx.swift:1: error: no such type\n" in output
    assert output.splitlines()[-2] == "build"
    assert build([sys.executable, "-c", ""], Path("/copy"), settings) == 0


def test_the_time_of_the_build_is_limited_and_its_processes_end(tmp_path, capfd):
    child = tmp_path / "child"
    program = f"""
        import subprocess, sys, time
        from pathlib import Path
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(999)"], process_group=0)
        print("[1/2] Compiling", flush=True)
        Path({str(tmp_path / "new")!r}).write_text(str(child.pid))
        Path({str(tmp_path / "new")!r}).rename({str(child)!r})
        time.sleep(999)
        """
    # Goes fast once the child is there.
    ahead = iter(range(0, 1_000_000, 10))
    clock = lambda: time.monotonic() + (next(ahead) if child.exists() else 0)
    settings = Settings(patience=10, budget=1000, logs=tmp_path, clock=clock)
    with pytest.raises(OverBudget):
        build([sys.executable, "-c", textwrap.dedent(program)], Path("/copy"), settings)
    output = capfd.readouterr().out
    assert re.search(r"^\d+:\d\d building: \[1/2\] Compiling$", output, re.M)
    assert output.endswith("build.log:\n[1/2] Compiling\n")
    assert not is_alive(child.read_text())


def test_a_part_whose_program_is_missing_has_failed_and_the_rest_runs(toys):
    toys.add("B", 'for name in runs("b"): passes(name)\ntell("closed")')
    toys.run('Part("A", "A", lambda task: ["./nothing-of-that-name"]), toy("B")')
    assert toys.status == 4 and toys.last_lines == ["failed", "1 passed, 0 failed, 0 skipped"]
    assert "A tests FAILED" in toys.output and "nothing-of-that-name" in toys.output


def test_a_part_whose_program_goes_missing_has_no_second_run(toys):
    toys.add("A", """
        start(runs("a")[0])
        tell("failed", test="a", text="no")
        end("a")
        tell("closed")
        os.remove("program")
        """)
    (toys.folder / "program").symlink_to(sys.executable)
    toys.run('Part("A", "A", lambda task: ["./program", "A.py", str(task.events), task.only or ""])')
    assert toys.status == 4 and toys.last_lines == ["failed", "0 passed, 1 failed, 0 skipped"]


def test_a_process_of_another_user_is_left_alone(monkeypatch, capfd):
    def refuse(*_):
        raise PermissionError

    child = subprocess.Popen(["sleep", "999"])
    try:
        monkeypatch.setattr(os, "kill", refuse)
        assert processes.kill(lambda: [processes.process(child.pid)]) == []
        assert capfd.readouterr().out == f"Could not end process {child.pid}: it belongs to another user\n"
    finally:
        monkeypatch.undo()
        child.kill()
        child.wait()


def test_a_killed_process_that_does_not_end_is_mentioned(monkeypatch, capfd):
    monkeypatch.setattr(processes, "END_LIMIT", 0.01)
    child = subprocess.Popen(["sleep", "999"])
    try:
        processes.wait(child)
        assert capfd.readouterr().out == f"Process {child.pid} did not end in 0.01 seconds\n"
    finally:
        child.kill()
        child.wait()


def test_a_process_that_ends_while_it_is_described_does_no_harm(monkeypatch):
    def gone(*_):
        raise FileNotFoundError

    monkeypatch.setattr(Path, "glob", gone)
    assert len(processes.describe([processes.process(os.getpid())])) == 1


class Moments:
    """A time that passes only by pauses. At some moments, a log grows."""

    def __init__(self, log, writes):
        self.log, self.writes, self.now = log, writes, 0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds
        with self.log.open("a") as file:
            while self.writes and self.writes[0] <= self.now:
                file.write(f"{self.writes.pop(0)}\n")


@pytest.mark.parametrize(("writes", "count", "end"), [
    ([1, 1.2, 1.4, 5], 3, 1.7), ([], 0, 10), ([second / 5 for second in range(100)], 50, 10),
], ids=["pieces", "nothing", "endless"])
def test_lines_are_read_until_the_log_stops_growing(tmp_path, monkeypatch, writes, count, end):
    each = Execution.__new__(Execution)
    each.log = tmp_path / "log"
    each.log.write_text("before\n")
    moments = Moments(each.log, list(writes))
    monkeypatch.setattr(execution, "time", moments)
    lines = each.new_lines(len("before\n"), 10)
    assert lines == [str(moment) for moment in writes[:len(lines)]] and abs(len(lines) - count) <= 1
    assert moments.now == pytest.approx(end, abs=0.11)


@pytest.mark.parametrize("line", ["no JSON", "3", "[]", "null", '"event"', '{"test": "a"}'])
def test_a_line_that_is_no_event_does_no_harm(line):
    assert JSONStream().events(line) == [{"event": "unreadable line"}]
    assert JSONStream().events('{"event": "closed"}') == [{"event": "closed"}]


# The copy of the sources

@pytest.fixture
def clone(tmp_path):
    folder = tmp_path / "clone"
    (folder / "Sources").mkdir(parents=True)
    for name in ("Package.swift", "README.md", "Sources/a.swift", "Sources/b.swift"):
        (folder / name).write_text(name)
    (folder / ".gitignore").write_text(".build\n")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder


def test_only_changed_files_of_a_clone_are_copied(clone, tmp_path):
    copy = SourceCopy(clone, tmp_path, "Swift 6.3")
    copy.update()
    (copy.folder / ".build").mkdir()
    (copy.folder / ".build" / "product").touch()
    times = {name: (copy.folder / "Sources" / name).stat().st_mtime_ns for name in ("a.swift", "b.swift")}
    (clone / "Sources" / "a.swift").touch()
    (clone / "Sources" / "b.swift").write_text("changed")
    (copy.folder / "Package.resolved").touch()
    (clone / "README.md").rename(clone / "Sources" / "c.swift")
    copy.update()
    assert (copy.folder / "Sources" / "a.swift").stat().st_mtime_ns == times["a.swift"]
    assert (copy.folder / "Sources" / "b.swift").stat().st_mtime_ns > times["b.swift"]
    assert (copy.folder / "Sources" / "b.swift").read_text() == "changed"
    files = sorted(str(file.relative_to(copy.folder)) for file in copy.folder.rglob("*") if file.is_file())
    assert files == [".build/product", ".gitignore", "Package.resolved", "Package.swift", "Sources/a.swift", "Sources/b.swift", "Sources/c.swift"]


@pytest.mark.parametrize(
    ("change", "compiled"),
    [
        ("public struct Query {\n  var limit = 0\n  var words: String?\n}\n", "Engine Others Page"),
        ("public struct Query {\n  var limit = 0\n  var isAll: Bool { limit == 0 }\n}\n", ""),
        ("public struct Query {\n  var limit = 0\n}\nstruct Other {\n  var a = 1\n}\n", ""),
    ],
    ids=["a stored property", "a computed property", "a new type"])
def test_modules_that_use_a_type_of_another_size_are_compiled(clone, tmp_path, change, compiled):
    files = {
        "Engine/Query": "public struct Query {\n  var limit = 0\n}\n",
        "Engine/Second": "let two = 2\n",
        "Page/Box": "internal import Engine\nstruct Box { var query = Query() }\n",
        "Others/Use": "@testable import Page\nlet size = MemoryLayout<Box>.size\n",
        "Apart/Third": "import Foundation\n",
    }
    for name, text in files.items():
        file = clone / "Sources" / f"{name}.swift"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    copy = SourceCopy(clone, tmp_path, "Swift 6.3")
    copy.update()
    copies = {name: copy.folder / "Sources" / f"{name}.swift" for name in files if name != "Engine/Query"}
    for file in copies.values():
        os.utime(file, (1, 1))
    (clone / "Sources/Engine/Query.swift").write_text(change)
    copy.update()
    assert " ".join(sorted(name.split("/")[0] for name, file in copies.items() if file.stat().st_mtime != 1)) == compiled


def test_the_members_of_a_type_are_its_stored_properties_and_cases():
    text = """
        public final class Store: Sendable
        {
          static let most = 1
          let path: String
          private(set) var count = 0 {
            didSet { print(count) }
          }
          var isEmpty: Bool {
            let none = count == 0
            return none
          }
          enum State: Hashable {
            case open
            case failed(
              code: Int,
              text: String)
          }
          class func make() -> Store {
            var made = Store()
            return made
          }
        }
        extension Store {
          var other: Int { 1 }
          package struct Row { }
        }
        private typealias Number = Int
        """
    assert members(textwrap.dedent(text)) == {
        "Store": ["let path: String", "private(set) var count = 0 {"],
        "Store.State": ["case open", "case failed(", "code: Int,", "text: String)"],
        "typealias Number": ["private typealias Number = Int"],
    }


def test_a_file_that_vanishes_is_not_copied(clone, tmp_path, monkeypatch):
    copy = SourceCopy(clone, tmp_path, "Swift 6.3")

    def vanish(source, *_):
        raise FileNotFoundError(source)

    monkeypatch.setattr(shutil, "copy", vanish)
    copy.update()
    assert not (copy.folder / "README.md").exists()


def test_another_toolchain_or_manifest_has_another_copy_and_two_are_kept(clone, tmp_path):
    folders = []
    for toolchain, manifest in [("6.3", "a"), ("6.4", "a"), ("6.4", "b")]:
        (clone / "Package.swift").write_text(manifest)
        copy = SourceCopy(clone, tmp_path, toolchain)
        copy.update()
        folders.append(copy.folder)
        os.utime(copy.folder, (len(folders), len(folders)))
    assert [folder.exists() for folder in folders] == [False, True, True]


def test_the_built_programs_are_found_in_the_clone(clone, tmp_path):
    copy = SourceCopy(clone, tmp_path, "Swift 6.3")
    for _ in range(2):
        copy.link()
    assert (clone / ".build" / "debug").readlink() == copy.folder / ".build" / "debug"


def test_a_second_clone_waits_for_the_first(clone, tmp_path):
    script = f"""
        import sys
        from pathlib import Path
        sys.path.insert(0, {str(SCRIPTS)!r})
        from runner import cache
        cache.HEARTBEAT = 0.01
        with cache.SourceCopy(Path({str(clone)!r}), Path({str(tmp_path)!r}), "Swift 6.3").locked():
            print("locked by", Path({str(tmp_path / "tests.lock")!r}).read_text(), flush=True)
        """
    with SourceCopy(clone, tmp_path, "Swift 6.3").locked():
        other = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True)
        waiting = f"Waiting for process {os.getpid()}, which builds or runs tests\n"
        assert [other.stdout.readline() for _ in range(2)] == [waiting, waiting]
    rest = other.communicate(timeout=60)[0]
    assert rest.replace(waiting, "") == f"locked by {other.pid}\n"


# The long tests

def test_the_long_tests_are_those_that_ask_for_the_seed(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    stress, others, browser = [part.command(Task(events=tmp_path / "events")) for part in soak_parts(7)]
    assert re.search(r"\bStressTests\\.KillTests\b", stress[-1]) and "CommitCutTests" not in stress[-1]
    assert re.search(r"\bLibraryStoreTests\\.CommitCutTests\b", others[-1]) and "MigrationTests" not in others[-1]
    # A suite inside of another one is found by the outer one's name.
    assert re.search(r"\bImagingTests\\.ProfileParsingTests\b", others[-1])
    assert "Tests/WebTests/test_stress.py" in browser and "Tests/WebTests/test_grid.py" not in browser
    assert all(part.environment["CALOTYPE_SOAK_SEED"] == "7" for part in soak_parts(7))


# Swift

def swift_line(kind, payload):
    return json.dumps({"version": 0, "kind": kind, "payload": payload, "unknown": 1})


def test_the_event_stream_of_swift_is_read():
    stream = SwiftStream()
    test, skipped = "M.Suite/`reads a/b`(x:)/File.swift:1:2", "M.Other/f()/File.swift:5:2"
    lines = [swift_line("test", {"kind": "suite", "id": "M.Suite", "name": "Suite"})]
    lines += [swift_line("test", {"kind": "function", "id": each, "name": "x"}) for each in (test, skipped)]
    event = lambda kind, **more: swift_line("event", {"kind": kind, "messages": [], **more})
    lines += [
        event("runStarted"), event("testStarted", testID="M.Suite"), event("testStarted", testID=test, instant={"absolute": 10}),
        event("testCaseStarted", testID=test),
        event("issueRecorded", testID=test, issue={"isKnown": True}),
        event("issueRecorded", testID=test, issue={"isKnown": False, "severity": "warning"}),
        event("issueRecorded", testID=test, issue={"isKnown": False, "sourceLocation": {"fileID": "M/File.swift", "line": 7}},
              messages=[{"symbol": "fail", "text": "1 == 2"}, {"symbol": "details", "text": "more"}]),
        event("testEnded", testID=test, instant={"absolute": 12.5}), event("testEnded", testID="M.Suite"),
        event("testSkipped", testID="M.Other", messages=[{"symbol": "skip", "text": "no corpus"}]),
        "no JSON", event("somethingNew"), event("runEnded"),
    ]
    state = PartState(10, 0)
    for line in lines:
        for each in stream.events(line):
            state.feed(each, 1)
    assert state.is_closed and state.remaining() == []
    assert {name: (outcome.status, outcome.seconds, outcome.texts) for name, outcome in state.outcomes.items()} == {
        test: ("failed", 2.5, ["M/File.swift:7: 1 == 2\nmore"]), skipped: ("skipped", 0, ["no corpus"])}


def test_an_issue_outside_of_a_test_fails_the_part():
    state = PartState(10, 0)
    for line in [swift_line("event", {"kind": "issueRecorded", "issue": {}}), swift_line("event", {"kind": "runEnded"})]:
        for each in SwiftStream().events(line):
            state.feed(each, 1)
    assert state.process_ended(1, 2) == FINISH and state.has_failed()


@pytest.mark.parametrize("name", ["All tests", "Selected tests"])
def test_the_output_of_xctest_is_read(name):
    lines = """\
Test Suite 'SUITE' started at 2026-01-01 00:00:00.000
Test Suite 'GalleryTests' started at 2026-01-01 00:00:00.000
Test Case 'GalleryTests.testA' started at 2026-01-01 00:00:00.000
Test Case 'GalleryTests.testA' passed (0.25 seconds)
Test Case 'GalleryTests.testB' started at 2026-01-01 00:00:00.000
/a/File.swift:9: error: GalleryTests.testB : XCTAssertEqual failed
Test Case 'GalleryTests.testB' failed (0.5 seconds)
Test Suite 'GalleryTests' failed at 2026-01-01 00:00:00.000
\t Executed 2 tests, with 1 failure (0 unexpected) in 0.75 (0.75) seconds
Test Suite 'SUITE' failed at 2026-01-01 00:00:00.000
\t Executed 2 tests, with 1 failure (0 unexpected) in 0.75 (0.75) seconds"""
    state, stream, closed = PartState(10, 0), XCTestStream(), []
    for line in lines.replace("SUITE", name).splitlines():
        for each in stream.events(line):
            state.feed(each, 1)
        closed.append(state.is_closed)
    assert closed == [False] * (len(closed) - 1) + [True]
    assert state.outcomes["GalleryTests.testA"].status == "passed"
    assert state.outcomes["GalleryTests.testB"].status == "failed"
    assert "XCTAssertEqual failed" in state.outcomes["GalleryTests.testB"].texts[0]


def test_a_test_of_xctest_runs_again_alone():
    listed = ["M.Gallery/testA", "M.Gallery/testB", "M.NoGallery/testA"]
    command = xctest_part(listed, listed[:2]).command
    assert command(Task(events=None))[1:] == ["M.Gallery/testA,M.Gallery/testB"]
    assert command(Task(events=None, only="Gallery.testA"))[1:] == ["M.Gallery/testA"]


def left_out_by(options, tests):
    patterns = [pattern for option, pattern in zip(options[::2], options[1::2]) if option == "--skip"]
    return [test for test in tests if any(re.search(pattern, test) for pattern in patterns)]


def test_swift_leaves_out_exactly_the_tests_that_ran():
    tests = [
        "M.Suite/a()/F.swift:1:1", "M.Suite/b()/F.swift:2:1", "M.Suite/Inner/a()/F.swift:3:1", "M.SuiteTwo/a()/F.swift:4:1",
        "M.free()/F.swift:5:1", "M.free2()/F.swift:6:1", "M.Suite/`a + (b)/c?`()/F.swift:7:1", "M.Suite/ab()/F.swift:8:1"]
    for number in range(2 ** len(tests)):
        left_out = [test for place, test in enumerate(tests) if number >> place & 1]
        assert left_out_by(skip_options(left_out, tests), tests) == left_out


def test_swift_leaves_out_thousands_of_tests_with_short_arguments():
    tests = [f"Module.Suite/test{number}WithAName{'x' * 60}()/File.swift:{number}:1" for number in range(5000)]
    options = skip_options(tests[:-1], tests)
    assert max(len(option) for option in options) <= 100_000 and options.count("--skip") > 1
    assert left_out_by(options, tests[-3:]) == tests[-3:-1]


def test_a_suite_with_a_name_in_backquotes_keeps_it():
    assert suite("M.S/`a/b`(x:)/F.swift:1:1") == "M.S"
    assert suite("M.S/T/f()/F.swift:1:1") == "M.S/T"
    assert re.search(escaped("a.b(c)[d]{e}^$|*+?\\"), "a.b(c)[d]{e}^$|*+?\\")


DEEP = """
@inline(never) func sink(_ depth: Int) -> Int {
  if depth == 0 { fatalError("the bottom") }
  return sink(depth - 1) + 1
}
print(sink(70))
"""


@pytest.mark.skipif(shutil.which("swiftc") is None, reason="Swift is missing")
def test_a_deep_stack_of_a_crash_has_its_first_lines(toys):
    (toys.folder / "deep.swift").write_text(DEEP)
    subprocess.run(["swiftc", "-Onone", "-gnone", "deep.swift"], cwd=toys.folder, check=True, capture_output=True)
    toys.run('Part("A", "A", lambda task: ["./deep"], environment={"SWIFT_BACKTRACE": __import__("runner.parts").parts.CRASH})')
    tail = toys.output.partition("The last ")[2]
    assert "Fatal error: the bottom" in tail and "Program crashed" in tail
    # The frames are numbered from the crash.
    assert re.search(r"^ *15 .* sink\(_:\)", tail, re.M)


# The state of a part, at times that the test gives

def test_a_state_waits_for_its_patience_after_each_event():
    state = PartState(10, now=0)
    assert state.tick(10) == GO_ON and state.tick(10.1) == STALL
    state.feed({"event": "anything new"}, 9)
    assert state.tick(19) == GO_ON and state.tick(19.5) == STALL


def test_a_state_that_hangs_runs_the_rest():
    state = PartState(10, 0)
    for event in [{"event": "collected", "tests": ["a", "b", "c"]}, {"event": "started", "test": "a"}]:
        state.feed(event, 1)
    assert state.hang(12, *state.stall(12)) == RESTART and state.remaining() == ["b", "c"]
    assert state.outcomes["a"].status == "hung" and state.outcomes["a"].seconds == 11


@pytest.mark.parametrize(("status", "trouble"), [(0, "did not end: b"), (3, "did not end: b"), (-11, "SIGSEGV")])
def test_a_part_that_closes_early_has_failed(status, trouble):
    state = PartState(10, 0)
    state.feed({"event": "collected", "tests": ["a", "b"]}, 0)
    state.feed({"event": "failed", "test": "a", "text": "no"}, 0)
    state.feed({"event": "ended", "test": "a"}, 0)
    if status < 0:
        state.feed({"event": "ended", "test": "b"}, 0)
    state.feed({"event": "closed"}, 0)
    assert state.process_ended(status, 1) == FINISH
    assert any(trouble in each for each in state.troubles)


@pytest.mark.parametrize(("status", "trouble"), [(1, None), (3, "status 3"), (-11, "SIGSEGV"), (-40, "signal 40")])
def test_a_failed_test_hides_no_other_status(status, trouble):
    state = PartState(10, 0)
    for event in ({"event": "failed", "test": "a"}, {"event": "ended", "test": "a"}, {"event": "closed"}):
        state.feed(event, 0)
    assert state.process_ended(status, 1) == FINISH
    assert [trouble in each for each in state.troubles] == ([True] if trouble else [])


@pytest.mark.parametrize("has_workers", [False, True])
def test_a_test_that_ends_while_it_is_looked_at_puts_no_blame_on_the_next(has_workers):
    state = PartState(10, 0, has_workers=has_workers)
    state.feed({"event": "collected", "tests": ["slow", "next", "last"]}, 0)
    state.feed({"event": "started", "test": "slow"}, 0)
    reason, tests = state.stall(11)
    state.feed({"event": "ended", "test": "slow"}, 12)
    state.feed({"event": "started", "test": "next"}, 12)
    assert state.hang(13, reason, tests) == RESTART
    assert {test: outcome.status for test, outcome in state.outcomes.items()} == {"slow": "passed"}
    assert "slow ended meanwhile" in state.troubles[0] and state.remaining() == ["next", "last"]


def test_a_worker_that_hangs_is_noticed_while_the_other_goes_on():
    state = PartState(10, 0, has_workers=True)
    state.feed({"event": "collected", "tests": ["a", "b", "c"]}, 0)
    state.feed({"event": "started", "test": "a"}, 0)
    state.feed({"event": "started", "test": "b"}, 8)
    assert state.tick(10) == GO_ON
    assert state.tick(11) == STALL and state.stall(11) == ("a test ran for 11 seconds", ["a"])
    assert state.hang(11, *state.stall(11)) == RESTART
    assert {test: outcome.status for test, outcome in state.outcomes.items()} == {"a": "hung"}
    assert state.remaining() == ["b", "c"]


def test_a_part_whose_tests_all_stop_blames_those_beside_each_other():
    state = PartState(10, 0, has_workers=True)
    state.feed({"event": "started", "test": "a"}, 0)
    state.feed({"event": "started", "test": "b"}, 8)
    # Nothing was reported for too long, and tests ran for too long.
    assert state.tick(19) == STALL and state.stall(19) == ("a test ran for 19 seconds", ["a", "b"])


def test_the_time_of_a_test_begins_again_with_each_phase():
    state = PartState(10, 0, has_workers=True)
    state.feed({"event": "started", "test": "a"}, 0)
    state.feed({"event": "started", "test": "a"}, 9)
    assert state.tick(19) == GO_ON and state.tick(19.5) == STALL


def test_a_state_that_hangs_before_its_first_test_does_not_start_again():
    state = PartState(10, 0)
    state.feed({"event": "collected", "tests": ["a"]}, 1)
    assert state.hang(12, *state.stall(12)) == FINISH and state.has_failed()


def test_a_state_that_hangs_after_its_last_test_has_failed():
    state = PartState(10, 0)
    for event in [{"event": "ended", "test": "a"}, {"event": "closed"}]:
        state.feed(event, 1)
    assert state.hang(12, *state.stall(12)) == FINISH and "the tests were over" in state.troubles[0]


# pytest and Node

PYTEST = """
import os, time, pytest
def test_good(): pass
def test_bad(): assert 1 == 2
@pytest.mark.skip(reason="no camera")
def test_skipped(): pass
def test_stuck():
    open("stuck", "w").close()
    time.sleep(999)
def test_after(): pass
"""


@pytest.mark.parametrize("processes", [None, 2])
def test_a_test_of_pytest_that_hangs_is_named_with_its_stack(toys, processes):
    if processes:
        pytest.importorskip("xdist")
    (toys.folder / "test_it.py").write_text(PYTEST)
    toys.run(f'pytest_part("Page", ["test_it.py"], processes={processes}, program=({sys.executable!r}, "-m", "pytest"))', "patience=1000")
    assert toys.status == 5 and toys.last_lines == ["hung", "2 passed, 2 failed, 1 skipped"]
    assert "HUNG test_it.py::test_stuck" in toys.output and "in test_stuck" in toys.output
    assert "FAILED test_it.py::test_bad" in toys.output and "assert 1 == 2" in toys.output
    assert "no camera" in toys.output


# Has the stuck test in the first place. The others begin after it.
PYTEST_BESIDE = """
import os, time, pytest
def test_stuck():
    open("stuck", "w").close()
    time.sleep(999)
@pytest.mark.parametrize("number", range(40))
def test_other(number):
    end = time.monotonic() + 60
    while not os.path.exists("stuck"):
        assert time.monotonic() < end, "the stuck test did not begin"
        time.sleep(0.01)
"""


def test_a_process_of_pytest_that_hangs_is_noticed_while_another_goes_on(toys):
    pytest.importorskip("xdist")
    (toys.folder / "test_it.py").write_text(PYTEST_BESIDE)
    toys.run(f'pytest_part("Page", ["test_it.py"], processes=2, program=({sys.executable!r}, "-m", "pytest"))')
    assert toys.status == 5 and toys.last_lines == ["hung", "40 passed, 1 failed, 0 skipped"]
    assert "HUNG test_it.py::test_stuck" in toys.output and "Page HUNG: a test ran for" in toys.output


def test_a_phase_of_a_test_of_pytest_is_reported(toys):
    (toys.folder / "test_it.py").write_text(
        "import pytest\n@pytest.fixture\ndef slow(): pass\ndef test_a(slow): pass\n"
        "@pytest.mark.skip(reason='no camera')\ndef test_b(): pass\n")
    toys.run(f'''pytest_part("Page", ["test_it.py"], program=({sys.executable!r}, "-c", "import os, pytest, sys; status = pytest.main(sys.argv[1:]); print(open(os.environ['CALOTYPE_TEST_EVENTS']).read()); sys.exit(status)"))''')
    log = (toys.folder / "logs" / "Page.log").read_text()
    assert toys.status == 0 and toys.last_lines == ["Page tests passed", "1 passed, 0 failed, 1 skipped"]
    assert log.count('{"event": "started", "test": "test_it.py::test_a"}') == 3


def test_a_process_of_pytest_that_crashes_names_its_test(toys):
    pytest.importorskip("xdist")
    (toys.folder / "test_it.py").write_text("import os\ndef test_a(): pass\ndef test_crash(): os.abort()\ndef test_b(): pass\n")
    (toys.folder / "test_other.py").write_text("def test_c(): pass\n")
    toys.run(f'pytest_part("Page", ["."], "--dist", "loadfile", processes=3, program=({sys.executable!r}, "-m", "pytest"))')
    assert toys.status == 4 and toys.last_lines == ["failed", "3 passed, 1 failed, 0 skipped"]
    assert "FAILED test_it.py::test_crash" in toys.output and "did not end" not in toys.output


def test_a_file_of_pytest_that_can_not_be_read_fails(toys):
    (toys.folder / "test_it.py").write_text("import nothing_of_that_name\ndef test_a(): pass\n")
    toys.run(f'pytest_part("Page", ["test_it.py"], program=({sys.executable!r}, "-m", "pytest"))')
    assert toys.status == 4 and "nothing_of_that_name" in toys.output


NODE = """
import { test, describe } from "node:test";
import assert from "node:assert";
test("good", () => {});
test("skipped", { skip: "no camera" }, () => {});
describe("group", () => { test("bad", () => assert.equal(1, 2)); });
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is missing")
def test_the_tests_of_node_are_read(toys):
    (toys.folder / "scripts").symlink_to(ROOT / "scripts")
    (toys.folder / "a.test.mjs").write_text(NODE)
    (toys.folder / "b.test.mjs").write_text('import { test } from "node:test";\ntest("other", () => {});\n')
    (toys.folder / "c.test.mjs").write_text('import "./nothing.mjs";\n')
    toys.run('__import__("runner.parts").parts.node_part(["a.test.mjs", "b.test.mjs", "c.test.mjs"])')
    assert toys.status == 4 and toys.last_lines == ["failed", "2 passed, 2 failed, 1 skipped"]
    assert "FAILED a.test.mjs > group > bad" in toys.output and "1 == 2" in toys.output
    assert "FAILED c.test.mjs" in toys.output and "no camera" in toys.output


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is missing")
def test_a_test_of_node_that_hangs_is_named_and_the_other_files_run(toys):
    (toys.folder / "scripts").symlink_to(ROOT / "scripts")
    (toys.folder / "stuck.test.mjs").write_text(
        'import { writeFileSync } from "node:fs";\nimport { test } from "node:test";\n'
        'function spin() { for (;;); }\n'
        'test("first", () => { writeFileSync("stuck", ""); spin(); });\n')
    (toys.folder / "z.test.mjs").write_text('import { test } from "node:test";\ntest("other", () => {});\n')
    toys.run('__import__("runner.parts").parts.node_part(["stuck.test.mjs", "z.test.mjs"])')
    assert toys.status == 5 and "HUNG stuck.test.mjs" in toys.output
    assert re.search(r"The stack of process \d+:\n +at spin \S+stuck.test.mjs:3\n", toys.output)
    assert re.search(r"process \d+ waits for: \S+", toys.output)
    assert "z.test.mjs > other" in toys.output


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is missing")
def test_a_test_of_node_that_waits_for_ever_shows_its_resources(toys):
    (toys.folder / "scripts").symlink_to(ROOT / "scripts")
    (toys.folder / "stuck.test.mjs").write_text(
        'import { writeFileSync } from "node:fs";\nimport { test } from "node:test";\n'
        'test("first", async () => { setInterval(() => {}, 1e9); writeFileSync("stuck", ""); await new Promise(() => {}); });\n'
        'test("second", () => {});\n')
    toys.run('__import__("runner.parts").parts.node_part(["stuck.test.mjs"])')
    assert toys.status == 5 and "HUNG stuck.test.mjs > first" in toys.output
    assert re.search(r"process \d+ waits for: .*\bTimeout\b", toys.output)
    assert "Node: 1 tests or files did not end: stuck.test.mjs > second" in toys.output


def test_a_process_of_node_without_a_stack_is_mentioned(toys):
    toys.add("A", 'start(runs("stuck")[0])\nhang()')
    toys.run('setattr(__import__("runner.drive").drive, "STACK_LIMIT", 1) or toy("A", kind="Node")')
    assert toys.status == 5 and "Node wrote no stack in 1 seconds: " in toys.output
