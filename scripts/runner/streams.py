"""Translates the output of test programs into the events of state.py."""

import json
import re


class JSONStream:
    """Lines that are events already: those of pytest_events.py and node-events.mjs."""

    def events(self, line):
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        return [event if isinstance(event, dict) and "event" in event else {"event": "unreadable line"}]


class SwiftStream:
    """The event stream of Swift Testing, version 0. Unknown records and fields do no harm."""

    def __init__(self):
        self._functions = {}
        self._began = {}

    def events(self, line):
        try:
            record = json.loads(line)
            payload = record["payload"]
            if record["kind"] == "test":
                return self._test(payload)
            return self._event(payload)
        except (ValueError, KeyError, TypeError, AttributeError):
            return [{"event": "unreadable line"}]

    def _test(self, payload):
        if payload["kind"] != "function":
            return [{"event": "suite"}]
        self._functions[payload["id"]] = payload
        return [{"event": "collected", "tests": [payload["id"]]}]

    def _event(self, payload):
        kind, test = payload["kind"], payload.get("testID")
        text = "\n".join(message.get("text", "") for message in payload.get("messages", []))
        moment = payload.get("instant", {}).get("absolute", 0)
        is_function = test in self._functions
        match kind:
            case "testStarted" if is_function:
                self._began[test] = moment
                return [{"event": "started", "test": test}]
            case "testEnded" if is_function:
                return [{"event": "ended", "test": test, "seconds": moment - self._began.get(test, moment)}]
            case "testSkipped" | "testCancelled":
                # A suite is skipped with all its tests.
                tests = [each for each in self._functions if each == test or each.startswith(f"{test}/")]
                return [{"event": "skipped", "test": each, "text": text} for each in tests] or [{"event": kind}]
            case "issueRecorded" if self._is_failure(payload.get("issue", {})):
                place = payload["issue"].get("sourceLocation") or {}
                if place:
                    file = place.get("fileID") or place.get("filePath") or place.get("_filePath")
                    text = f"{file}:{place.get('line')}: {text}"
                return [{"event": "failed", "test": test or "an issue outside of a test", "text": text}]
            case "runEnded":
                return [{"event": "closed"}]
        return [{"event": kind}]

    def _is_failure(self, issue):
        if "isFailure" in issue:
            return issue["isFailure"]
        is_warning = issue.get("severity", issue.get("_severity")) == "warning"
        return not issue.get("isKnown", False) and not is_warning


class XCTestStream:
    """The output of XCTest, which has no event stream."""

    def __init__(self):
        self._ended_suite = None

    def events(self, line):
        if found := re.match(r"Test Case '(.+)' (started|passed|failed|skipped)(?:.*\((.+) seconds\))?", line):
            test, what, seconds = found.groups()
            if what == "started":
                return [{"event": "collected", "tests": [test]}, {"event": "started", "test": test}]
            ended = {"event": "ended", "test": test, "seconds": float(seconds or 0)}
            # The line of an error, with the reason, comes before.
            failed = {"event": "failed", "test": test, "text": "failed"}
            skipped = {"event": "skipped", "test": test, "text": "skipped by XCTest"}
            return {"passed": [ended], "failed": [failed, ended], "skipped": [skipped]}[what]
        if found := re.match(r".+:\d+: error: (\S+) : (.*)", line):
            return [{"event": "failed", "test": found[1], "text": line.rstrip()}]
        if found := re.match(r"Test Suite '(.+)' (?:passed|failed) at ", line):
            self._ended_suite = found[1]
        # Every suite prints such a line; the outermost suite's comes last.
        if self._ended_suite in ("All tests", "Selected tests") and re.match(r"\s*Executed \d+ tests?, with", line):
            return [{"event": "closed"}]
        return [{"event": "line"}]
