"""Prints the summary, and decides the exit status."""

import textwrap
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from runner.parts import Part
from runner.scenarios import print_scenarios
from runner.state import PartState, short

PASSED, FAILED, HUNG, OVER_BUDGET = 0, 4, 5, 6
WORDS = {FAILED: "failed", HUNG: "hung", OVER_BUDGET: "over budget"}
MOST_UNSTABLE = 2
BAD = ("failed", "crashed", "hung", "cut off")


@dataclass
class Result:
    part: Part
    state: PartState | None  # None if the part did not start


def report(results, second_runs, unstable_file, is_over_budget, logs):
    """Prints everything that a reader must know, and returns the exit status."""
    accept_unstable(results, second_runs, unstable_file)
    states = [result.state for result in results if result.state]
    print_failures(results, second_runs)
    print_slowest(states)
    print_files(states)
    print_skipped(states)
    for result in results:
        if result.part.scenarios and result.state:
            print_scenarios(result.state, result.part.scenarios, logs)
    print("\nThe parts:")
    for result in results:
        print(f"    {result.part.name}: {describe(result.state)}")
    status = status_of(results, is_over_budget)
    print()
    for kind in dict.fromkeys(result.part.kind for result in results):
        nothing = "" if ran_anything(kind, results) else ": no test ran"
        print(f"{kind} tests {'FAILED' if kind_has_failed(kind, results) else 'passed'}{nothing}")
    if status != PASSED:
        print(WORDS[status])
    passed, failed, skipped = (
        sum(state.count(*statuses) for state in states) for statuses in (("passed", "unstable"), BAD, ("skipped",)))
    print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)
    return status


def passed_alone(state, test):
    """Whether the second run of a test passed. Failures of a file have no test of their own."""
    if state.ends != ["ended"] or state.has_failed():
        return False
    if test in state.outcomes:
        return state.outcomes[test].status == "passed"
    return state.count("passed") > 0


def accept_unstable(results, second_runs, unstable_file):
    """Prints the tests that failed once and passed alone. Lets at most two through, unless a file
    lists them, which names the ones that were let through before."""
    listed = {line.strip() for line in unstable_file.read_text().splitlines() if line.strip() and not line.startswith("#")}
    accepted = 0
    for result in results:
        for (part, test), (second, output) in second_runs.items():
            if part != result.part.name or not passed_alone(second, test):
                continue
            outcome = result.state.outcomes[test]
            print(f"\nUNSTABLE {short(test)}")
            print("    The first run failed:", indented(outcome.texts), sep="\n")
            print("    The second run, alone, passed:", indented(output), sep="\n")
            if short(test) in listed:
                print(f"    It counts as failed: {unstable_file.name} lists it.")
            elif accepted == MOST_UNSTABLE:
                print(f"    It counts as failed: there are more than {MOST_UNSTABLE} unstable tests.")
            else:
                accepted += 1
                outcome.status = "unstable"
                print(f"    It counts as passed this time. Mend it, or add it to {unstable_file.name}.")


def print_failures(results, second_runs):
    for result in results:
        if result.state is None:
            continue
        for test, outcome in result.state.outcomes.items():
            if outcome.status in BAD:
                print(f"\n{outcome.status.upper()} {short(test)} ({result.part.name}, {outcome.seconds:.1f} s)")
                print(indented(outcome.texts))
                second, _ = second_runs.get((result.part.name, test), (None, None))
                if second and test in second.outcomes and second.outcomes[test].status in BAD:
                    print("    The second run, alone, failed too:", indented(second.outcomes[test].texts), sep="\n")
        for trouble in result.state.troubles:
            print(f"\n{result.part.name}: {trouble}")


def indented(texts):
    return "\n".join(f"    {line}" for text in texts for line in text.splitlines())


def print_slowest(states):
    timed = sorted(((outcome.seconds, short(test)) for state in states for test, outcome in state.outcomes.items()), reverse=True)
    print("\nThe slowest tests:")
    for seconds, test in timed[:20]:
        print(f"    {seconds:6.1f} s  {test}")


def print_files(states):
    """Prints the seconds of each file of pytest. conftest.py orders the files by them."""
    files = defaultdict(float)
    for state in states:
        for test, outcome in state.outcomes.items():
            file, separator, _ = test.partition("::")
            files[file] += outcome.seconds if separator else 0
    timed = sorted(((seconds, Path(file).stem) for file, seconds in files.items() if seconds > 0), reverse=True)
    if timed:
        print("\nThe seconds of each file:")
        print(textwrap.fill(", ".join(f"{name} {seconds:.0f}" for seconds, name in timed), 120, initial_indent="    ", subsequent_indent="    "))


def print_skipped(states):
    # Skipped tests show nothing, so their reasons must be read.
    skipped = [(text, short(test)) for state in states for test, outcome in state.outcomes.items() if outcome.status == "skipped" for text in outcome.texts]
    print(f"\n{len(skipped)} tests were skipped{':' if skipped else ''}")
    for reason in sorted({reason for reason, _ in skipped}):
        tests = [test for text, test in skipped if text == reason]
        print(f"    {len(tests)} x {reason} ({tests[0]}{', …' if len(tests) > 1 else ''})")


def describe(state):
    """Describes a part's outcome in a line."""
    if state is None:
        return "did not start"
    ends = [end for end in state.ends if end != "ended"]
    words = ", ".join(ends) or ("failed" if state.has_failed() else "passed")
    return f"{words}; {len(state.outcomes)} tests in {state.seconds:.0f} s"


def ran_anything(kind, results):
    """Whether a test of a kind ran. Skipped ones did not."""
    states = [result.state for result in results if result.part.kind == kind and result.state]
    return any(state.count("passed", "unstable", *BAD) for state in states)


def kind_has_failed(kind, results):
    """Whether a kind of tests has failed: a test or a part, or it ran no test."""
    states = [result.state for result in results if result.part.kind == kind]
    return any(state is None or state.has_failed() for state in states) or not ran_anything(kind, results)


def status_of(results, is_over_budget):
    states = [result.state for result in results if result.state]
    if is_over_budget:
        return OVER_BUDGET
    if any("hung" in state.ends for state in states):
        return HUNG
    has_failed = any(kind_has_failed(result.part.kind, results) for result in results)
    return FAILED if has_failed else PASSED
