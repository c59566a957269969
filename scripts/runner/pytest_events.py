"""A plugin of pytest. It writes the events that state.py explains to the file that
CALOTYPE_TEST_EVENTS names, and leaves out the tests that a file lists. At SIGUSR1, each process
writes the stacks of its threads to the standard error that it had at its start."""

import faulthandler
import json
import os
import signal

import pytest

# During a test, pytest catches what is written to descriptor 2.
_errors = os.fdopen(os.dup(2), "w")
faulthandler.register(signal.SIGUSR1, file=_errors, all_threads=True)


def pytest_addoption(parser):
    parser.addoption("--leave-out", help="a file of the tests that do not run, one a line")


def pytest_configure(config):
    config.pluginmanager.register(Events(config))


class Events:
    def __init__(self, config):
        self.leave_out = config.getoption("--leave-out")
        self.is_worker = hasattr(config, "workerinput")
        # The tests run here, and not in processes of pytest-xdist.
        self.runs_tests = self.is_worker or not config.getoption("numprocesses", None)
        self.file = os.open(os.environ["CALOTYPE_TEST_EVENTS"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self.seconds = {}

    def write(self, event, **fields):
        # One write, because other processes write to the file too.
        os.write(self.file, (json.dumps({"event": event, **fields}) + "\n").encode())

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        if self.leave_out is None:
            return
        with open(self.leave_out) as file:
            left_out = set(file.read().splitlines())
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
        items[:] = [item for item in items if item.nodeid not in left_out]

    def pytest_collection_finish(self, session):
        if self.runs_tests:
            self.write("collected", tests=[item.nodeid for item in session.items])

    def pytest_collectreport(self, report):
        if self.runs_tests and report.failed:
            self.write("failed", test=report.nodeid, text=report.longreprtext)
        if self.runs_tests and report.skipped:
            self.write("skipped", test=report.nodeid, text=str(report.longrepr[2]))

    def pytest_runtest_logstart(self, nodeid):
        if self.runs_tests:
            self.write("started", test=nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item):
        # With --dist loadfile, pytest-xdist gives a test that crashed to another process, which
        # would crash too. So no test begins twice.
        if not self.is_worker:
            return None
        with open(f"{os.environ['CALOTYPE_TEST_EVENTS']}.begun", "a+") as begun:
            begun.seek(0)
            if item.nodeid in begun.read().splitlines():
                return True
            begun.write(f"{item.nodeid}\n")
        return None

    # Each phase gets a test's full limit: the first test also sets up the session's fixtures, the
    # last one ends them.
    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self, item):
        self.write("started", test=item.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_teardown(self, item):
        self.write("started", test=item.nodeid)

    def pytest_runtest_logreport(self, report):
        # The process that directs the others reports the test that ended a process.
        has_ended_process = not self.runs_tests and report.when not in ("setup", "call", "teardown")
        if not self.runs_tests and not has_ended_process:
            return
        seconds = self.seconds.get(report.nodeid, 0) + report.duration
        self.seconds[report.nodeid] = seconds
        if report.failed:
            self.write("failed", test=report.nodeid, text="\n".join([report.longreprtext, *map("\n".join, report.sections)]))
        if report.skipped:
            reason = getattr(report, "wasxfail", None)
            text = f"expected to fail: {reason}" if reason is not None else str(report.longrepr[2]).removeprefix("Skipped: ")
            self.write("skipped", test=report.nodeid, text=text)
        if has_ended_process:
            self.write("ended", test=report.nodeid)

    def pytest_runtest_logfinish(self, nodeid):
        if self.runs_tests:
            self.write("ended", test=nodeid, seconds=self.seconds.get(nodeid))

    def pytest_sessionfinish(self):
        if not self.is_worker:
            self.write("closed")
