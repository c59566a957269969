"""Drives Debian's Firefox by Marionette, its own protocol, which needs no other program."""

import contextlib
import json
import os
import shutil
import socket
import subprocess

import pytest
from conftest import PASS, PATIENCE, end, wait_for

PREFERENCES = {
    # Firefox writes the port that it has found into its profile.
    "marionette.port": 0,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    "app.update.enabled": False,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    # Errors of pages go to the log.
    "browser.dom.window.dump.enabled": True,
    "devtools.console.stdout.content": True,
}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the name that WebDriver gives to a reference
KEYS = {"Escape": "\ue00c", "Control": "\ue009", "Shift": "\ue008", "ArrowRight": "\ue014", "End": "\ue010"}


def start_firefox(folder):
    """Starts Firefox with a new profile. Without Firefox the test is skipped, but not on CI."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        missing = "Firefox is missing: scripts/setup --tests installs it"
        assert "CI" not in os.environ, missing
        pytest.skip(missing)
    profile = folder / "profile"
    profile.mkdir()
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()]
    (profile / "user.js").write_text("".join(lines))
    log = folder / "firefox.log"
    command = [program, "--headless", "--no-remote", "--marionette", "--profile", str(profile), "--width", "1440", "--height", "900"]
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env={**os.environ, "HOME": str(folder)})
    return Firefox(process, profile, log)


class Firefox:
    """A window of Firefox."""

    def __init__(self, process, profile, log):
        self.process = process
        self.log = log
        active_port = profile / "MarionetteActivePort"

        def port():
            assert process.poll() is None, f"Firefox did not start: {log.read_text()}"
            return active_port.exists() and active_port.read_text()

        self.socket = socket.create_connection(("127.0.0.1", int(wait_for(port, "the port of Firefox"))), timeout=PATIENCE)
        self.answers = self.socket.makefile("rb")
        self.number = 0
        self._receive()
        self._ask("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"setWindowRect": True}}})

    def close(self):
        self.socket.close()
        end(self.process)

    def goto(self, url):
        self._ask("WebDriver:Navigate", {"url": url})

    @contextlib.contextmanager
    def new_window(self, selector):
        """Clicks on an element that opens a window. What follows happens in this window, and then
        in the one before."""
        before = self._ask("WebDriver:GetWindowHandle", {})["value"]
        self.click(selector)
        wait_for(lambda: len(self.windows) > 1, "the new window")
        [opened] = set(self.windows) - {before}
        self._ask("WebDriver:SwitchToWindow", {"handle": opened, "focus": True})
        try:
            yield
        finally:
            self._ask("WebDriver:SwitchToWindow", {"handle": before, "focus": True})

    @property
    def windows(self):
        return self._ask("WebDriver:GetWindowHandles", {})

    def evaluate(self, expression):
        """Returns the value of a JavaScript expression, or what it resolves to."""
        return self._ask("WebDriver:ExecuteScript", {"script": f"return {expression}", "args": []})["value"]

    def until(self, condition):
        """Waits until a JavaScript expression is true, and returns its value."""
        return wait_for(lambda: self.evaluate(condition), condition)

    def click(self, selector, holding=None):
        """Clicks on the middle of an element by the mouse, holding a key."""
        element = self._ask("WebDriver:FindElement", {"using": "css selector", "value": selector})["value"][ELEMENT]
        mouse = [{"type": "pointerMove", "origin": {ELEMENT: element}, "x": 0, "y": 0}, {"type": "pointerDown", "button": 0},
                 {"type": "pointerUp", "button": 0}]
        keys = []
        if holding:
            # The actions of both devices take place step by step, side by side.
            mouse.insert(0, {"type": "pause"})
            keys = [{"type": "keyDown", "value": KEYS[holding]}, *3 * [{"type": "pause"}], {"type": "keyUp", "value": KEYS[holding]}]
        self._act({"type": "key", "id": "keys", "actions": keys}, {"type": "pointer", "id": "mouse", "actions": mouse})

    def move(self, *points):
        """Moves the mouse from point to point."""
        moves = [{"type": "pointerMove", "x": x, "y": y} for x, y in points]
        self._act({"type": "pointer", "id": "mouse", "actions": moves})

    def pass_time(self, milliseconds):
        """Lets the clock that the page reads go forward, and again before each click."""
        self._ask("WebDriver:ExecuteScript", {"script": f"return ({PASS})(...arguments)", "args": [milliseconds], "sandbox": None})

    def press(self, *keys):
        """Presses keys together, such as Control and z."""
        values = [KEYS.get(key, key) for key in keys]
        actions = [{"type": "keyDown", "value": value} for value in values] + [{"type": "keyUp", "value": value} for value in reversed(values)]
        self._act({"type": "key", "id": "keys", "actions": actions})

    @property
    def complaints(self):
        """The errors of pages and the reports of their policy."""
        lines = self.log.read_text(errors="replace").splitlines()
        return [line for line in lines if "JavaScript error: http" in line or "Content-Security-Policy" in line]

    def _act(self, *sources):
        self._ask("WebDriver:PerformActions", {"actions": list(sources)})

    def _ask(self, command, parameters):
        self.number += 1
        message = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, number, error, result = self._receive()
        assert number == self.number
        assert error is None, f"{command}: {error}"
        return result

    def _receive(self):
        length = b""
        while (digit := self.answers.read(1)) != b":":
            assert digit, f"Firefox ended: {self.log.read_text()}"
            length += digit
        return json.loads(self.answers.read(int(length)))
