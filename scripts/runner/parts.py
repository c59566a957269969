"""The parts of the tests: their commands, and the streams of their events."""

import re
import subprocess
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from runner.streams import JSONStream, SwiftStream, XCTestStream

BINARY = ".build/debug/calotypePackageTests.xctest"
# The bytes of one argument of a program are limited to 128 kB.
LONGEST_ARGUMENT = 100_000


@dataclass
class Task:
    """A run of a part's program: the first one, one without the tests that ran, or one of a single
    test."""

    events: Path  # the file for events
    only: str | None = None  # the only test that runs
    left_out: list = field(default_factory=list)  # the tests that don't run
    collected: list = field(default_factory=list)  # all tests, as far as they are known
    files: list = field(default_factory=list)  # the files that run, if the part runs files


@dataclass
class Part:
    name: str
    kind: str
    command: Callable[[Task], list]
    stream: Callable = JSONStream
    # Whether the stream's lines are the log itself.
    reads_log: bool = False
    # The number of lanes of the two that the part takes.
    lanes: int = 1
    environment: dict = field(default_factory=dict)
    files: tuple = ()
    can_restart: bool = True
    empty_status: int | None = None
    # The file that lists the scenarios that the part's tests show.
    scenarios: Path | None = None


LIBRARY = r"^(LibraryStore|Photos|PhotosUI|PhotosTesting|Importing)Tests\."
MEDIA = r"^(Imaging|Compatibility|Calotype)Tests\."
# The server's suites take as long as all others: about half of them run in each lane.
SERVER = r"^PhotosServerTests\.[A-L]"
SOAK_SEED = "CALOTYPE_SOAK_SEED"
# After a crash, the log ends with the stack of the thread that crashed. Registers and the list of
# libraries are left out. Of a deep stack, the log has the 20 frames next to the crash and the four
# outermost ones, because the runner prints 40 lines.
CRASH = "interactive=no,color=no,threads=crashed,registers=none,images=none,limit=24,top=4"
STACK_WRITER = str(Path(__file__).with_name("node-stack.cjs"))
NO_TESTS_FOUND = 69  # the status of Swift Testing


def all_parts(listed):
    """The parts with every test. Of XCTest, `listed` names all."""
    # Each file runs in one of three processes, because usually one of them waits for a page.
    browser = pytest_part("Browser", ["Tests/WebTests"], "--dist", "loadfile", "--no-loadscope-reorder", processes=3)
    browser.scenarios = Path("Tests/WebTests/scenarios.txt")
    return [
        swift_part("Swift-1", "--filter", LIBRARY),
        swift_part("Swift-2", "--filter", MEDIA),
        swift_part("Swift-3", "--filter", SERVER),
        swift_part("Swift-4", "--skip", LIBRARY, "--skip", MEDIA, "--skip", SERVER),
        xctest_part(listed),
        node_part(sorted(map(str, Path("Tests/WebTests").glob("**/*.test.js")))),
        pytest_part("Runner", ["Tests/RunnerTests"]),
        browser,
    ]


def soak_parts(seed):
    """The parts with the long tests: the suites in Swift files that mention `Soak`, and the files
    of browser tests that import from `soak`."""
    suites = [
        f"{path.parts[1]}.{name}" for path in sorted(Path("Tests").glob("*Tests/**/*.swift"))
        if "Soak." in (text := path.read_text()) for name in re.findall(r"^(?:@Suite.*)?\b(?:struct|extension) (\w+Tests) ", text, re.M)]
    files = [str(path) for path in sorted(Path("Tests/WebTests").glob("test_*.py")) if "\nfrom soak import " in path.read_text()]
    halves = [[suite for suite in suites if suite.startswith("StressTests.") == is_stress] for is_stress in (True, False)]
    parts = [
        swift_part(f"Swift-{number}", "--filter", f"^({'|'.join(map(escaped, half))})/")
        for number, half in enumerate(halves, 1)]
    parts.append(pytest_part("Browser", files))
    for part in parts:
        part.environment |= {SOAK_SEED: str(seed), "CALOTYPE_FUZZ_FOLDER": str(Path(".build/fuzz").resolve())}
    return parts


def listed_tests(limit):
    """Returns the names of the tests of XCTest. The program has `limit` seconds to list them."""
    listed = subprocess.run([BINARY, "--list-tests"], capture_output=True, text=True, timeout=limit).stdout
    return [line for line in listed.splitlines() if re.fullmatch(r"[\w.]+/\w+", line)]


def filtered_parts(pattern, listed):
    """The parts with the Swift tests whose names match."""
    parts = [swift_part("Swift-1", "--filter", pattern)]
    parts[0].empty_status = NO_TESTS_FOUND
    matching = [test for test in listed if re.search(pattern, test)]
    return parts + ([xctest_part(listed, matching)] if matching else [])


def swift_part(name, *options):
    def command(task):
        chosen = options if task.only is None else ("--filter", f"^{escaped(task.only)}$")
        # The tests run one at a time: some start programs and wait for them, and would delay the
        # tests that measure time.
        return [
            BINARY, "--testing-library", "swift-testing", "--no-parallel", "--event-stream-version", "0",
            "--event-stream-output-path", str(task.events), *chosen, *skip_options(task.left_out, task.collected)]

    return Part(name, "Swift", command, SwiftStream, environment={"NO_COLOR": "1", "SWIFT_BACKTRACE": CRASH})


def escaped(name):
    """Escapes the characters that mean something in a regular expression of Swift."""
    return re.sub(r"[\\.+*?()\[\]{}^$|]", r"\\\g<0>", name)


def skip_options(left_out, collected):
    """Returns options by which Swift Testing leaves out tests. There may be thousands: a suite all
    of whose tests are left out takes one pattern."""
    left_out = set(left_out)
    suites = defaultdict(list)
    for test in collected:
        suites[suite(test)].append(test)
    # A suite in another has its tests among those of the other, too.
    ends = [name for name, tests in suites.items() if not left_out.issuperset(tests)]
    patterns = []
    for name, tests in suites.items():
        if any(each == name or each.startswith(f"{name}/") for each in ends):
            patterns += [f"^{escaped(test)}$" for test in tests if test in left_out]
        else:
            patterns.append(f"^{escaped(name)}/")
    arguments = []
    for pattern in patterns:
        if arguments and len(f"{arguments[-1]}|{pattern}".encode()) <= LONGEST_ARGUMENT:
            arguments[-1] += f"|{pattern}"
        else:
            arguments.append(pattern)
    return [option for argument in arguments for option in ("--skip", argument)]


def suite(test):
    """Returns the name of a test's suite: of "Tests.Suite/test()/File.swift:1:2" it is
    "Tests.Suite". A name in backquotes may contain a slash."""
    name = test.rpartition("/")[0]
    raw = re.match(r"(.*)/`[^`]*`\([^/]*\)$", name)
    return raw[1] if raw else name.rpartition("/")[0] or name


def xctest_part(listed, chosen=()):
    def command(task):
        # XCTest prints "Suite.test" for what `listed` names "Module.Suite/test".
        only = [test for test in listed if task.only and test.replace("/", ".").endswith(f".{task.only}")]
        names = only or chosen
        return [BINARY, *([",".join(names)] if names else [])]

    return Part(
        "XCTest", "Swift", command, XCTestStream, reads_log=True, can_restart=False, environment={"SWIFT_BACKTRACE": CRASH})


def node_part(files):
    def command(task):
        # A test runs again with its whole file: Node selects tests by their names only.
        chosen = task.files if task.only is None else [task.only.partition(" > ")[0]]
        return [
            "node", "--require", STACK_WRITER, "--test", "--test-concurrency=1",
            "--test-reporter=spec", "--test-reporter-destination=stdout",
            "--test-reporter=./scripts/runner/node-events.mjs", f"--test-reporter-destination={task.events}", *chosen]

    return Part("Node", "Node", command, files=tuple(files))


def pytest_part(name, paths, *options, processes=None, program=(".build/venv/bin/pytest",)):
    def command(task):
        left_out = task.events.with_suffix(".leave-out")
        left_out.write_text("".join(f"{test}\n" for test in task.left_out))
        several = () if processes is None else ("-n", str(processes if task.only is None else 1), *options)
        return [
            *program, "-q", "-rs", "--rootdir=.", "-p", "runner.pytest_events", "-p", "no:cacheprovider", "--leave-out", str(left_out), *several,
            *(paths if task.only is None else [task.only])]

    environment = {"PYTHONPATH": str(Path(__file__).resolve().parent.parent), "CALOTYPE_BIN": ".build/debug/calotype"}
    return Part(name, name, command, lanes=min(processes or 1, 2), environment=environment)
