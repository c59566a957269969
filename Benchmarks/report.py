"""Results as rows. A run prints them, and a full run writes them to RESULTS.md."""

import textwrap
from dataclasses import dataclass

MISSED = "**not met**"


@dataclass(frozen=True)
class Goal:
    """A limit for the ratio of Calotype's figure to the peer's."""

    limit: float
    is_upper: bool

    def is_met(self, ratio):
        """Returns whether a ratio meets the goal."""
        return ratio <= self.limit if self.is_upper else ratio >= self.limit

    def __str__(self):
        return f"{'≤' if self.is_upper else '≥'} {self.limit:g}"


def at_least(limit):
    """Returns a goal for rates."""
    return Goal(limit, is_upper=False)


def at_most(limit):
    """Returns a goal for costs."""
    return Goal(limit, is_upper=True)


@dataclass(frozen=True)
class Result:
    """A comparison with a peer. A row without a goal explains another row."""

    what: str
    ours: str
    peer: str
    ratio: float
    goal: Goal | None = None

    @property
    def cells(self):
        """The cells of the row."""
        return [self.what, self.ours, self.peer, f"{self.ratio:.2f}", str(self.goal or ""), self._verdict]

    @property
    def _verdict(self):
        if self.goal is None:
            return ""
        return "met" if self.goal.is_met(self.ratio) else MISSED


@dataclass(frozen=True)
class Limit:
    """A figure with an upper limit, or with none."""

    what: str
    figure: float
    limit: float | None
    unit: str

    @property
    def cells(self):
        """The cells of the row."""
        goal = f"≤ {self.limit:g} {self.unit}" if self.limit is not None else ""
        verdict = "" if self.limit is None else "met" if self.figure <= self.limit else MISSED
        return [self.what, f"{self.figure:,.2f} {self.unit}", "", "", goal, verdict]


@dataclass(frozen=True)
class Figure:
    """A figure with a lower limit."""

    what: str
    figure: float
    least: float
    unit: str

    @property
    def cells(self):
        """The cells of the row."""
        verdict = "met" if self.figure >= self.least else MISSED
        return [self.what, f"{self.figure:,.2f} {self.unit}", "", "", f"≥ {self.least:g} {self.unit}", verdict]


def print_results(results):
    """Prints the results of one benchmark."""
    for result in results:
        what, ours, peer, ratio, goal, verdict = result.cells
        compared = f" : {peer} = {ratio}" if peer else ""
        print(f"  {what}: {ours}{compared}{f'   goal {goal}: {verdict}' if goal else ''}", flush=True)


def missed(results):
    """Returns the names of the rows that miss their goals."""
    return [result.what for result in results if result.cells[-1] == MISSED]


def markdown(sections, machine):
    """Returns the text of RESULTS.md.

    Each section has a title, a note, results, and reasons by the names of rows that may miss their
    goals.
    """
    lines = ["# Results", "", "Made by `make bench`. Ratios are Calotype’s figure to the peer’s; both are medians of runs that alternate"
             " on the same machine. Limits in milliseconds are fixed, so a slow machine misses more of them.", ""]
    lines += [f"- {fact}" for fact in machine]
    for title, note, results, reasons in sections:
        lines += ["", f"## {title}", "", note, "", "| what | Calotype | peer | ratio | goal | |", "| --- | --- | --- | --- | --- | --- |"]
        lines += ["| " + " | ".join(result.cells) + " |" for result in results]
        if missing := missed(results):
            lines += ["", "Goals that are not met:", ""]
            lines += _items(missing, reasons)
    return "\n".join(lines) + "\n"


def _items(rows, reasons):
    """Returns a list's items, one for all rows that have the same reason."""
    rows_of = {}
    for row in rows:
        rows_of.setdefault(reasons.get(row, "The reason is not known."), []).append(row)
    return [_item(", ".join(f"**{row}**" for row in same) + f". {reason}") for reason, same in rows_of.items()]


def _item(text):
    return textwrap.fill(
        text, 100, initial_indent="- ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
