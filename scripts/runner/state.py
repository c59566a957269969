"""Decides for one part of the tests, from its events and the time. Starts and reads nothing.

An event is a dictionary. Its "event" is one of these, and others only show that the part is alive:

    collected   the part will run "tests"
    withdrawn   "test" is a group of tests, and does not count
    started     "test", or its next phase, begins
    failed      "test" has failed, for the reason "text"; it may be no test but a suite or a file
    skipped     "test" does not run, for the reason "text"
    ended       "test" ran, for "seconds" if they are known
    file ended  all tests of "file" ran
    closed      all tests ran
"""

import signal
from dataclasses import dataclass, field

GO_ON, STALL, RESTART, FINISH = "go on", "stall", "restart", "finish"
MOST_RESTARTS = 5


@dataclass
class Outcome:
    status: str  # passed, failed, skipped, crashed, hung or cut off
    seconds: float = 0
    texts: list = field(default_factory=list)


def ending(status):
    """Describes the status of a process that ended."""
    if status < 0:
        # Most signals of real time have no name.
        name = next((each.name for each in signal.Signals if each == -status), f"signal {-status}")
        return f"the process ended by {name}"
    return f"the process ended with status {status}"


class PartState:
    def __init__(self, patience, now, files=(), restarts_left=MOST_RESTARTS, empty_status=None, has_workers=False):
        self.patience = patience
        # Whether tests run side by side. While one hangs, the others still report, so each phase of
        # a test has a limit of its own.
        self.has_workers = has_workers
        self.began = self.last_event = now
        self.seconds = 0
        self.files = files
        self.restarts_left = restarts_left
        # The status of a process that found no test, if that is no failure.
        self.empty_status = empty_status
        self.collected = {}
        self.running = {}
        self.outcomes = {}
        self.finished_files = set()
        # The reasons for which the part has failed, besides its tests.
        self.troubles = []
        # The ways in which the part's processes ended, for its status.
        self.ends = []
        self.is_closed = False
        self._texts = {}
        self._skips = {}
        self._outcomes_before = 0

    def feed(self, event, now):
        """Takes an event."""
        self.last_event = now
        test = event.get("test")
        match event["event"]:
            case "collected":
                self.collected.update(dict.fromkeys(event["tests"]))
            case "withdrawn":
                self.collected.pop(test, None)
                self.running.pop(test, None)
            case "started":
                self.running[test] = now
            case "failed":
                self._texts.setdefault(test, []).append(event.get("text", ""))
            case "skipped":
                self._skips[test] = event.get("text", "")
                self._end(test, 0)
            case "ended":
                self._end(test, event.get("seconds") or now - self.running.get(test, now))
            case "file ended":
                self.finished_files.add(event["file"])
                for each in [test for test in self.running if test.startswith(event["file"])]:
                    self._texts.setdefault(each, []).append("its file ended while this test ran")
                    self._end(each, 0)
            case "closed":
                self.is_closed = True

    def _end(self, test, seconds):
        self.running.pop(test, None)
        self.collected.setdefault(test)
        if test in self._texts:
            self.outcomes[test] = Outcome("failed", seconds, self._texts.pop(test))
        elif test in self._skips:
            self.outcomes[test] = Outcome("skipped", 0, [self._skips[test]])
        elif test not in self.outcomes:
            self.outcomes[test] = Outcome("passed", seconds)

    def tick(self, now):
        """Returns STALL if no event came for too long, or if one of several tests side by side runs
        for too long."""
        return STALL if now - self.last_event > self.patience or self._stuck(now) else GO_ON

    def _stuck(self, now):
        """Returns the tests that run for too long beside others."""
        return [test for test, since in self.running.items() if self.has_workers and now - since > self.patience]

    def could_not_start(self, error, now):
        """Takes notice that the system refused to start the part's program."""
        self.ends.append("did not start")
        self.troubles.append(f"could not start: {error}")
        self.seconds = now - self.began

    def process_ended(self, status, now):
        """Takes the status of the part's process. Returns RESTART if tests are left to run."""
        if self.is_closed:
            self._close(now)
            has_failed = any(outcome.status == "failed" for outcome in self.outcomes.values())
            is_empty = not self.outcomes and status == self.empty_status
            # Swift Testing, XCTest, Node and pytest end with 1 if tests failed.
            if status not in (0, int(has_failed)) and not is_empty:
                self.troubles.append(f"{ending(status)} after its closing event{'' if has_failed else ', but no test failed'}")
            self.ends.append("ended")
            return self._finish()
        self.ends.append(f"crashed ({ending(status)})")
        return self._interrupt("crashed", f"{ending(status)}, and its closing event is missing", now)

    def stall(self, now):
        """Says why the part counts as stalled, and which tests are to blame."""
        if stuck := self._stuck(now):
            return f"a test ran for {now - min(self.running[test] for test in stuck):.0f} seconds", stuck
        return f"nothing was reported for {now - self.last_event:.0f} seconds", list(self.running)

    def hang(self, now, reason, tests):
        """Takes notice that the part's processes were ended, for the reason that `stall` gave.
        Tests that only ran beside the stuck ones run again."""
        self.ends.append("hung")
        self.running = {test: since for test, since in self.running.items() if test in tests}
        for test in tests:
            # It may have ended while the stacks were printed.
            if test not in self.running and test in self.outcomes:
                reason += f"; {short(test)} ended meanwhile"
        return self._interrupt("hung", reason, now)

    def cut_off(self, now):
        """Takes notice that the part's processes were ended because the time for all was over."""
        self.ends.append("over budget")
        self.restarts_left = 0
        self._interrupt("cut off", "the time for all tests was over", now)

    def _interrupt(self, status, reason, now):
        where = ", ".join(map(short, self.running)) or ("none, the tests were over" if self.is_closed else "none")
        self.troubles.append(f"{reason}; running test: {where}")
        for test, since in self.running.items():
            self.outcomes[test] = Outcome(status, now - since, [*self._texts.pop(test, []), reason])
        self.running.clear()
        self._close(now)
        # A part that ends before any of its tests would end so again.
        has_progress = len(self.outcomes) > self._outcomes_before
        self._outcomes_before = len(self.outcomes)
        if self.is_closed or not self.remaining() or self.restarts_left == 0 or not has_progress:
            return self._finish()
        self.restarts_left -= 1
        self.last_event = now
        return RESTART

    def _finish(self):
        """Mentions the tests and files that are left. A file that hung keeps its later tests."""
        tests = [test for test in self.collected if test not in self.outcomes]
        if left := list(dict.fromkeys([*self.running, *self.remaining(), *tests])):
            self.troubles.append(f"{len(left)} tests or files did not end: {', '.join(map(short, left[:5]))}")
        return FINISH

    def _close(self, now):
        """Makes outcomes of the failures that belong to no test: of suites, files and modules."""
        for test in list(self._texts):
            self._end(test, 0)

    def remaining(self):
        """Returns the tests that have not run, or the files if the part runs files."""
        if not self.files:
            return [test for test in self.collected if test not in self.outcomes]
        broken = [test for test, outcome in self.outcomes.items() if outcome.status in ("crashed", "hung", "cut off")]
        return [
            file for file in self.files
            if file not in self.finished_files and not any(test.startswith(file) for test in broken)]

    def count(self, *statuses):
        return sum(outcome.status in statuses for outcome in self.outcomes.values())

    def progress(self, now):
        """Describes the part in a few words, for the line of each half minute."""
        text = f"{len(self.outcomes)}/{len(self.collected)}"
        if self.running:
            test, since = min(self.running.items(), key=lambda each: each[1])
            text += f" running {short(test)[:70]} {now - since:.0f} s"
        return f"{text}, {self.count('failed', 'crashed', 'hung')} failed"

    def has_failed(self):
        return bool(self.troubles) or self.count("failed", "crashed", "hung", "cut off") > 0


def short(test):
    """Returns a test's name without the line that Swift adds."""
    name, _, place = test.rpartition("/")
    return name if ".swift:" in place else test
