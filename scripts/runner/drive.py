"""Starts the parts, watches them, and starts parts again after a test that hung or crashed."""

import contextlib
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from runner import processes
from runner.execution import Execution
from runner.parts import Task
from runner.report import Result, report
from runner.state import RESTART, STALL, PartState, ending, short

MOST_SECOND_RUNS = 10
STACK_LIMIT = 10  # the seconds that a process of Node or Python has to write its stack
LAST_BACKTRACE_LIMIT = 15  # the seconds that a debugger has for each process once the time is over


@dataclass
class Settings:
    patience: float  # the seconds within which a part must report something; with tests side by side, each must end
    budget: float  # the seconds for everything
    logs: Path = Path(".build/test-logs")
    unstable: Path = Path(__file__).resolve().parent.parent / "unstable.txt"
    heartbeat: float = 30
    backtrace_limit: float = 60
    lanes: int = 2
    clock: Callable = time.monotonic
    began: float = field(default_factory=time.monotonic)

    @property
    def end(self):
        """The time at which everything must have ended."""
        return self.began + self.budget

    def minutes(self, now):
        """Returns the minutes and seconds since the start."""
        minutes, seconds = divmod(int(now - self.began), 60)
        return f"{minutes}:{seconds:02}"


def say(*lines):
    print(*lines, sep="\n", flush=True)


class Run:
    def __init__(self, parts, settings):
        self.settings = settings
        self.queue = list(parts)
        self.results = [Result(part, None) for part in parts]
        self.running = []
        self.last_heartbeat = settings.clock()
        self.is_over_budget = False
        self.count = 0

    def run(self):
        """Runs everything and prints a summary. Returns the exit status."""
        self.work = Path(tempfile.mkdtemp(prefix="ct-"))
        self.work.chmod(0o711)
        try:
            for result in self.results:
                self.log(result.part).unlink(missing_ok=True)
            say("A line every half minute shows the time since the start and, per running part, its finished tests, its")
            say("longest running test and its failures.")
            while self.queue or self.running:
                self.start_parts()
                self.watch()
            second_runs = self.run_failed_tests_again()
        finally:
            left = processes.kill(processes.own_descendants)
            shutil.rmtree(self.work, ignore_errors=True)
        for each in left:
            say(f"Ended a process that no part owns: {each.id}")
        return report(self.results, second_runs, self.settings.unstable, self.is_over_budget, self.settings.logs)

    def log(self, part):
        return self.settings.logs / f"{part.name}.log"

    def start_parts(self):
        while self.queue and self.lanes_in_use() + min(self.queue[0].lanes, self.settings.lanes) <= self.settings.lanes:
            part = self.queue.pop(0)
            state = PartState(
                self.settings.patience, self.settings.clock(), part.files, empty_status=part.empty_status, has_workers=part.lanes > 1)
            if not part.can_restart:
                state.restarts_left = 0
            next(result for result in self.results if result.part is part).state = state
            say(f"{part.name} tests (log: {self.log(part)})")
            self.start(part, state, files=list(part.files))

    def lanes_in_use(self):
        return sum(min(each.part.lanes, self.settings.lanes) for each in self.running)

    def start(self, part, state, **task):
        """Starts a part's program. Returns its execution, or None if the system refuses it."""
        self.count += 1
        events = self.work / f"{self.count}.events"
        state.last_event = self.settings.clock()
        try:
            execution = Execution(part, state, self.work / str(self.count), self.log(part), Task(events=events, **task))
        except OSError as error:
            state.could_not_start(error, self.settings.clock())
            say(f"{part.name} {state.troubles[-1]}")
            return None
        self.running.append(execution)
        return execution

    def watch(self):
        """Looks once at each running part."""
        time.sleep(0.05)
        # Tests look whether a process has ended, so that orphans must not wait for their reaping.
        processes.reap({each.process.pid for each in self.running})
        for each in list(self.running):
            # The process may write events between the reading and its end.
            status = each.process.poll()
            each.read_events(self.settings.clock())
            now = self.settings.clock()
            if status is not None:
                self.finish(each, status)
            elif each.state.tick(now) == STALL:
                reason, tests = each.state.stall(now)
                self.dump(each, f"{each.part.name} HUNG: {reason}")
                each.end(now)
                self.go_on(each, each.state.hang(now, reason, tests))
        if self.settings.clock() > self.settings.end and (self.running or self.queue):
            self.stop_all()
        self.beat()

    def beat(self):
        """Prints a line about each running part every half minute."""
        now = self.settings.clock()
        if now - self.last_heartbeat < self.settings.heartbeat:
            return
        self.last_heartbeat = now
        if self.running:
            say(f"{self.settings.minutes(now)} " + "; ".join(f"{each.part.name} {each.state.progress(now)}" for each in self.running))

    def finish(self, each, status):
        """Takes notice of the end of a part's process."""
        for left in each.end(self.settings.clock()):
            say(f"{each.part.name} left a process behind, which was ended: {left.id}")
        running = list(each.state.running)
        action = each.state.process_ended(status, self.settings.clock())
        if not each.state.is_closed:
            say("", f"{each.part.name} CRASHED: {ending(status)}")
            say(*(f"    running test: {short(test)}" for test in running), *each.tail())
        self.go_on(each, action)

    def go_on(self, each, action):
        """Starts a part again without the tests that ran, or ends it."""
        self.running.remove(each)
        state = each.state
        if action == RESTART:
            say(f"{each.part.name} starts again with the {len(state.remaining())} tests or files that did not run")
            self.start(
                each.part, state, left_out=list(state.outcomes), collected=list(state.collected),
                files=state.remaining() if each.part.files else [])
        else:
            state.seconds = self.settings.clock() - state.began

    def dump(self, each, headline):
        """Prints what a part does now."""
        now = self.settings.clock()
        found = each.descendants()
        tests = [f"    running test for {now - since:.0f} s: {short(test)}" for test, since in each.state.running.items()]
        say("", headline, *(tests or ["    no test runs"]), *processes.describe(found))
        tail, others = each.tail(), []
        if each.part.kind == "Node":
            size = each.log.stat().st_size
            each.ask_for_stacks()
            nothing = f"Node wrote no stack in {STACK_LIMIT} seconds: none of its processes runs a test file, or none answers"
            say(*(each.new_lines(size, STACK_LIMIT) or [nothing]))
        for process in found:
            if not processes.writes_stacks(process.id):
                others.append(process)
                continue
            # One after another, because they write to the same log.
            size = each.log.stat().st_size
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.id, signal.SIGUSR1)
                say(f"Stacks of process {process.id}:", *each.new_lines(size, STACK_LIMIT))
            self.beat()
        for lines in processes.backtraces(others, self.backtrace_limit):
            say(*lines)
            self.beat()
        say(*tail)

    def backtrace_limit(self):
        """Returns the seconds that a debugger has for a process."""
        left = self.settings.end - self.settings.clock()
        return min(self.settings.backtrace_limit, max(LAST_BACKTRACE_LIMIT, left))

    def stop_all(self):
        """Ends all parts, because the time is over."""
        self.is_over_budget = True
        say("", f"OVER BUDGET: everything may take {self.settings.budget:.0f} seconds")
        if self.queue:
            say(f"Parts that did not start: {', '.join(part.name for part in self.queue)}")
        self.queue.clear()
        for each in list(self.running):
            self.dump(each, f"{each.part.name} is still running")
            each.end(self.settings.clock())
            each.state.cut_off(self.settings.clock())
            self.go_on(each, None)

    def run_failed_tests_again(self):
        """Runs each failed test alone. Returns the state and the output of each second run by part
        and test."""
        failed = [
            (result, test) for result in self.results if result.state
            for test, outcome in result.state.outcomes.items() if outcome.status == "failed"]
        if len(failed) > MOST_SECOND_RUNS:
            say(f"{len(failed)} tests failed. No more than {MOST_SECOND_RUNS} would run a second time.")
            return {}
        second = {}
        for result, test in failed:
            if self.is_over_budget:
                break
            say(f"A second run, alone: {short(test)}")
            state = PartState(self.settings.patience, self.settings.clock(), restarts_left=0)
            execution = self.start(result.part, state, only=test)
            while self.running:
                self.watch()
            second[result.part.name, test] = (state, execution.tail() if execution else state.troubles)
        return second
