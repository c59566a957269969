"""Prints which scenarios of the web app passed, failed, or have no test, and why. A test of pytest
named `test_c_01_…` shows the scenario C-01."""

import re
import textwrap
from collections import defaultdict
from pathlib import Path


def outcomes_of(state):
    """Returns the outcome of each scenario that has a test. It failed if one of its tests did."""
    found = {}
    for test, outcome in state.outcomes.items():
        if not (match := re.search(r"::test_([a-z]{1,2})_(\d\d)_", test)):
            continue
        scenario = f"{match[1].upper()}-{match[2]}"
        status = "passed" if outcome.status in ("passed", "unstable") else "skipped" if outcome.status == "skipped" else "failed"
        order = ("skipped", "passed", "failed")
        found[scenario] = max(found.get(scenario, status), status, key=order.index)
    return found


def table(listing, found):
    """Returns a row (name, description, outcome) for each scenario that a file lists, and then for
    each that ran without being listed."""
    rows, left = [], dict(found)
    for line in listing.splitlines():
        if not line or line.startswith("#"):
            continue
        name, what, *missing = (part.strip() for part in line.split("|"))
        outcome = left.pop(name, None) or (f"not there: {missing[0]}" if missing else "no test ran")
        rows.append((name, what, outcome))
    return rows + [(name, "not in scenarios.txt", outcome) for name, outcome in sorted(left.items())]


def print_scenarios(state, listing, logs):
    """Prints a line of each group of scenarios, and writes the whole table to scenarios.md."""
    rows = table(listing.read_text(), outcomes_of(state))
    head = ["| scenario | what | outcome |", "| --- | --- | --- |"]
    Path(logs, "scenarios.md").write_text("\n".join([*head, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n")
    groups = defaultdict(lambda: defaultdict(list))
    for name, _, outcome in rows:
        group, _, number = name.partition("-")
        groups[group][outcome].append(int(number))
    passed = sum(outcome == "passed" for _, _, outcome in rows)
    print(f"\nThe scenarios of the web app ({passed} of {len(rows)} passed; {Path(logs, 'scenarios.md')} describes each):")
    for group, outcomes in groups.items():
        texts = [f"{outcome.removeprefix('not there: ')}: {spans(numbers)}" for outcome, numbers in outcomes.items()]
        print(textwrap.fill(" | ".join(texts), 120, initial_indent=f"    {group:2}  ", subsequent_indent="        "))


def spans(numbers):
    """Returns sorted numbers as ranges: 01–03, 05."""
    found = []
    for number in sorted(numbers):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(f"{first:02}" if first == last else f"{first:02}–{last:02}" for first, last in found)
